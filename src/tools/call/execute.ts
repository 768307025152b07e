import type { Callbacks } from "@langchain/core/callbacks/manager";
import { isInteropZodSchema } from "@langchain/core/utils/types";

import { canonicalJson, type JsonObject } from "../../json/json.js";
import { sha256 } from "../../platform.js";
import { isControlFlow } from "../../run/errors.js";
import { type ParentRun, type SubRunEnd, withParentRun } from "../../run/scope.js";
import { openCallSignal, untilAborted } from "../../run/signals.js";
import { argumentSchema } from "../argument-schema.js";
import { trustedTexts } from "../check-arguments.js";
import { allArguments } from "../from-memory.js";
import { withoutOwnPatterns } from "../linear-pattern.js";
import { untrustedRead } from "../needs-approval.js";
import { marksOf } from "../policy.js";
import { changeDigits, exactArguments, nearestNumber, readArguments } from "../read-arguments.js";
import type { ToolEntry } from "../toolbox.js";
import { filesOfRun } from "../result-files.js";
import { withWrittenResult } from "../write-result.js";
import type { RunRequest } from "./stage.js";

const defaultTimeoutMs = 30_000;
const modelTimeoutMs = 300_000;

/** Invokes the tool, until its time-out or the run's abort. */
export async function execute(request: RunRequest): Promise<unknown> {
  const { call, entry, context } = request;
  const { policy } = entry;
  const tool = entry.whole ?? entry.tool;
  const { run, config } = context;
  const { id, name } = call;
  const { args, exact } = toolArguments(tool, allArguments(request));
  const metadata = { ...config.metadata, idempotencyKey: idempotencyKey(run.runId, id), ...exact };
  const bare = isInteropZodSchema(tool.schema) ? tool : withoutOwnPatterns(tool);
  const runnable = withWrittenResult(bare);
  const parent = parentOf(request);
  const heard = parent.call === undefined ? config : withoutChat(config);
  const byDefault = policy.isModel === true ? modelTimeoutMs : defaultTimeoutMs;
  const open = openCallSignal(run.budget.signal(), policy.timeoutMs ?? byDefault);
  const { signal } = open;
  // The fields of LangChain's `ToolRuntime`.
  const runtime = { toolCallId: id, state: context.state, config };
  // For traces.
  const tags = [...(config.tags ?? []), `step:${id}`];
  const toolConfig = withParentRun({ ...heard, ...runtime, metadata, tags, signal }, parent);
  try {
    const input = { type: "tool_call", id, name, args } as const;
    return await untilAborted(() => runnable.invoke(input, toolConfig), signal);
  } catch (error) {
    throw open.isOver() && !isControlFlow(error) ? signal.reason : error;
  } finally {
    open.close();
  }
}

/** The parent of graphs inside the tool; a tool that is a graph leaves its end in `last`. */
function parentOf({ call, entry, context, spent, last }: RunRequest): ParentRun {
  const { execution, continues, run, config, texts, observations } = context;
  const { runId, clock, timeZone, locale, watch, emit, memory } = run;
  const of = { runId, callId: call.id };
  const shared = {
    budget: spent,
    inTask: execution.place === "task",
    of,
    context: config.context,
    watch,
    emit,
    memory,
    time: { clock, timeZone, locale },
    untrusted: untrustedRead(context),
    files: () => filesOfRun(context),
  };
  if (entry.role !== "sub_run" && !entry.elicits) return shared;
  const report = (end: SubRunEnd) => {
    last.end = end;
  };
  if (entry.elicits) return { ...shared, call: { continues, report } };
  const known = () => [...texts(), ...trustedTexts(observations)];
  return { ...shared, finalAnswerOwner: spent, call: { continues, known, report } };
}

/** The arguments as LangChain checks them. If numbers would lose digits, the digits are in the metadata. */
function toolArguments(tool: ToolEntry["tool"], given: JsonObject) {
  if (marksOf(tool).takesExactNumbers !== true) return { args: given, exact: {} };
  const args = readArguments(changeDigits(given, argumentSchema(tool), nearestNumber));
  const isSame = !args.ok || canonicalJson(args.args) === canonicalJson(given);
  return isSame
    ? { args: given, exact: {} }
    : { args: args.args, exact: { [exactArguments]: given } };
}

/** Equal for every attempt of a call, also after a restart. */
function idempotencyKey(runId: string, callId: string): string {
  return sha256(`${runId}\n${callId}`).slice(0, 32);
}

/** LangGraph's handlers for the stream mode "messages", of both versions of its protocol. */
const chatHandlers: ReadonlySet<unknown> = new Set([
  "StreamMessagesHandler",
  "StreamProtocolMessagesHandler",
]);

/** A config without the handlers of the run's chat: the words of a graph inside a tool are not an answer to the user. */
function withoutChat<C extends { readonly callbacks?: Callbacks }>(config: C): C {
  const { callbacks } = config;
  if (callbacks === undefined) return config;
  if (Array.isArray(callbacks)) {
    return { ...config, callbacks: callbacks.filter((handler) => !isChat(handler)) };
  }
  const quiet = callbacks.copy();
  const chat = quiet.handlers.filter((handler) => isChat(handler));
  for (const handler of chat) quiet.removeHandler(handler);
  return { ...config, callbacks: quiet };
}

function isChat(handler: object): boolean {
  return chatHandlers.has(Reflect.get(handler, "name"));
}
