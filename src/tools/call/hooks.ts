import { isToolMessage, ToolMessage } from "@langchain/core/messages";
import { type Command, isCommand } from "@langchain/langgraph";

import { defined, type JsonObject } from "../../json/json.js";
import { isControlFlow } from "../../run/errors.js";
import type { Attempted } from "../../run/retry.js";
import { openCallSignal, untilAborted } from "../../run/signals.js";
import type { Next } from "../../run/stages.js";
import { checkArguments } from "../check-arguments.js";
import { allArguments, splitArguments } from "../from-memory.js";
import { ToolError } from "../policy.js";
import { readArguments } from "../read-arguments.js";
import { readResult } from "../tool-result.js";
import type { ToolCallHandler, ToolCallRequest } from "../wrap-tool-call.js";
import type { RunRequest } from "./stage.js";

/**
 * Runs a tool inside the user's hooks; the outermost hook decides the result. LangGraph's control flow, from the tool
 * or a hook, passes through all hooks. A hook that answers instead of the tool counts as one attempt.
 */
export async function hooks(
  request: RunRequest,
  next: Next<RunRequest, Attempted<unknown>>,
): Promise<Attempted<unknown>> {
  const { wrappers, run } = request.context;
  if (wrappers.length === 0) return next(request);
  const signal = run.budget.signal();
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
  const args = allArguments(request);
  const asked = hookRequest(request, args, signal);
  const innermost: ToolCallHandler = async ({ toolCall: { args: given } }) => {
    delete request.last.end;
    const attempted = await next(given === args ? request : await withArguments(request, given));
    attempts += attempted.attempts;
    if (!attempted.ok) throw attempted.error;
    return asMessage(attempted.value, asked);
  };
  const outermost = wrappers.reduceRight<ToolCallHandler>(
    (handler, wrapper) => (given) =>
      watched(async () => asMessage(await wrapper(given, handler), given)),
    (given) => watched(() => innermost(given)),
  );
  const ended = await settled(() => outermost(asked), signal);
  if (controlFlow !== undefined) throw controlFlow.error;
  return { ...ended, attempts: Math.max(1, attempts) };
}

/** The call with a hook's arguments. Throws if they do not fit. */
async function withArguments(request: RunRequest, given: unknown): Promise<RunRequest> {
  const { call, entry } = request;
  const { tool, whole = tool, policy } = entry;
  const read = readArguments(given);
  if (!read.ok) throw new ToolError("invalid_arguments", read.problem);
  const { args, fromMemory } = splitArguments(policy, read.args);
  const problem = await checkArguments(whole, read.args, undefined, { tool, args });
  if (problem !== undefined) throw new ToolError("invalid_arguments", problem);
  return { ...request, call: { ...call, args }, fromMemory };
}

function hookRequest(
  { call, entry, context }: RunRequest,
  args: JsonObject,
  signal: AbortSignal,
): ToolCallRequest {
  const { id, name } = call;
  const { context: given, configurable, store, writer } = context.config;
  return {
    toolCall: { type: "tool_call", id, name, args },
    tool: entry.tool,
    state: context.state,
    runtime: { context: given, ...defined({ configurable }), store, writer, signal },
  };
}

type Settled =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** The result of the hooks. A hook that still works when the run is over is not awaited. */
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

/** A tool's or hook's return value, as the message that hooks work with. */
function asMessage(
  output: unknown,
  { toolCall: { id = "", name } }: ToolCallRequest,
): ToolMessage | Command {
  if (isToolMessage(output) || isCommand(output)) return output;
  const { content, value } = readResult(output);
  // Other values are read from the text again.
  const isRead = typeof output === "string" || content === JSON.stringify(value);
  const artifact = isRead ? {} : { artifact: value };
  return new ToolMessage({ content, ...artifact, tool_call_id: id, name });
}
