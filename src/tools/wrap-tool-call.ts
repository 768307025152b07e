import { type BaseMessage, isToolMessage, ToolMessage } from "@langchain/core/messages";
import { type Command, isCommand } from "@langchain/langgraph";

import { isControlFlow } from "../run/errors.js";
import type { Attempted } from "../run/retry.js";
import type { HookRuntime } from "../run/scope.js";
import { openCallSignal, untilAborted } from "../run/signals.js";
import { readResult } from "./tool-result.js";

/** What a hook sees of the run's state. */
export type WrappedState = { readonly messages: BaseMessage[] };

/** A tool call as a `wrapToolCall` hook sees it: the request of LangChain's agent middleware. */
export type ToolCallRequest = {
  readonly toolCall: {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly id?: string | undefined;
    readonly type?: "tool_call";
  };
  readonly tool: { readonly name?: unknown; readonly description?: unknown } | undefined;
  readonly state: WrappedState;
  readonly runtime: HookRuntime;
};

/** Runs the call that the hook was asked about. Rejects with the error of a tool that fails. */
export type ToolCallHandler = (request: ToolCallRequest) => Promise<ToolMessage | Command>;

/**
 * A hook around the execution of tool calls. It may change `toolCall.args`, call the handler never,
 * once or more often, turn its error into a message, and gives the call's result. The hooks of
 * LangChain's agent middleware (`toolRetryMiddleware(…).wrapToolCall`) fit.
 */
export type WrapToolCall = {
  // A method: its parameters may be narrower, as those of LangChain's hooks are.
  wrap(
    request: ToolCallRequest,
    handler: ToolCallHandler,
  ): ToolMessage | Command | Promise<ToolMessage | Command>;
}["wrap"];

/** Runs a tool with arguments; what comes of it is data, LangGraph's control flow apart. */
export type RunTool = (args: unknown) => Promise<Attempted<unknown>>;

/**
 * Runs a tool inside the hooks. The last word is the outermost hook's; LangGraph's control flow, the
 * tool's or a hook's, passes whatever another hook makes of it. An answer that a hook gives in the tool's place counts as one attempt.
 */
export async function runWrapped(
  wrappers: readonly WrapToolCall[],
  request: ToolCallRequest,
  runTool: RunTool,
  runSignal: AbortSignal,
): Promise<Attempted<unknown>> {
  if (wrappers.length === 0) return runTool(request.toolCall.args);
  let attempts = 0;
  let controlFlow: { readonly error: unknown } | undefined;
  const watched = async (work: () => Promise<ToolMessage | Command>) => {
    try {
      return await work();
    } catch (error) {
      if (isControlFlow(error)) controlFlow = { error };
      throw error;
    }
  };
  const innermost: ToolCallHandler = async ({ toolCall: { args } }) => {
    const attempted = await runTool(args);
    attempts += attempted.attempts;
    if (!attempted.ok) throw attempted.error;
    return asMessage(attempted.value, request);
  };
  const outermost = wrappers.reduceRight<ToolCallHandler>(
    (handler, wrapper) => (given) =>
      watched(async () => asMessage(await wrapper(given, handler), given)),
    (given) => watched(() => innermost(given)),
  );
  const ended = await settled(() => outermost(request), runSignal);
  if (controlFlow !== undefined) throw controlFlow.error;
  return { ...ended, attempts: Math.max(1, attempts) };
}

type Settled =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** What came of the hooks. One that is still at work when the run is over is not waited for. */
async function settled(work: () => Promise<unknown>, runSignal: AbortSignal): Promise<Settled> {
  const open = openCallSignal(runSignal, Infinity);
  try {
    return { ok: true, value: await untilAborted(work, open.signal) };
  } catch (error) {
    return { ok: false, error };
  } finally {
    open.close();
  }
}

/** What a tool or a hook returned, as the message that hooks work with. */
function asMessage(
  output: unknown,
  { toolCall: { id = "", name } }: ToolCallRequest,
): ToolMessage | Command {
  if (isToolMessage(output) || isCommand(output)) return output;
  const { content, value } = readResult(output);
  return new ToolMessage({ content, artifact: value, tool_call_id: id, name });
}
