import { hash } from "node:crypto";

import type { Callbacks } from "@langchain/core/callbacks/manager";

import { canonicalJson, type JsonObject } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { isControlFlow } from "../run/errors.js";
import { Ledger } from "../run/ledger.js";
import { unlimited } from "../run/limits.js";
import { type Attempted, type RetryPolicy, withRetries } from "../run/retry.js";
import { type ParentRun, type SubRunEnd, withParentRun } from "../run/scope.js";
import { openCallSignal, untilAborted } from "../run/signals.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { argumentSchema } from "./argument-schema.js";
import { readsOn } from "./builtin/read-kept-result.js";
import { checkArguments, trustedTexts } from "./check-arguments.js";
import { judgeAttempt } from "./judge-attempt.js";
import { withoutOwnPatterns } from "./linear-pattern.js";
import { ToolError, type ToolPolicy } from "./policy.js";
import {
  changeDigits,
  exactArguments,
  nearestNumber,
  readArguments,
  takesExactNumbers,
} from "./read-arguments.js";
import type { ReadCall, ToolCallContext } from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";
import { runWrapped } from "./wrap-tool-call.js";
import { withWrittenResult } from "./write-result.js";

/** What came of running a tool. */
export type Executed = {
  readonly observation: Observation & { readonly args: JsonObject };
  /** The result as a person reads it: whole. */
  readonly bare: string;
  /** How the sub-run that the tool is ended, where the calling run has a part in it. */
  readonly end: SubRunEnd | undefined;
  /** What this part of the call used, the call itself left out. */
  readonly used: Usage;
};

/** Runs a checked call inside the hooks: time-out, abort, retries where the effect allows them, and the result as an observation. */
export async function executeTool(
  entry: ToolEntry,
  call: ReadCall,
  context: ToolCallContext,
): Promise<Executed> {
  const { run, continues, wrappers } = context;
  const { id: callId, name: tool, args } = call;
  const now = run.clock.now();
  const { startedAt, ms, usage: before } = continues?.subRun ?? { ...nothingYet, startedAt: now };
  if (continues === undefined) run.emit({ type: "tool_started", callId, tool, content: { args } });
  const spent = openSpent(context);
  const last: { end?: SubRunEnd } = {};
  const runTool = async (given: unknown) => {
    delete last.end;
    const fitting = given === args ? call : await refitted(given, entry, call);
    if (fitting instanceof ToolError) return { ok: false, error: fitting, attempts: 0 } as const;
    return attemptTool(entry, fitting, context, parentOf(entry, call, context, spent, last));
  };
  const request = requestOf(entry, call, context);
  const attempted = await runWrapped(wrappers, request, runTool, request.runtime.signal);
  const used = spent.usage();
  const usage = addUsage(before, used);
  const { told, bare } = judgeAttempt(attempted, entry, {
    ledger: run.ledger,
    runId: run.runId,
    readsOn: readsOn(context) ? callId : undefined,
  });
  const observation = {
    callId,
    tool,
    args,
    ...told,
    ...(entry.policy.trust === "untrusted" ? { trust: "untrusted" as const } : {}),
    attempts: attempted.attempts,
    startedAt,
    ms: ms + run.clock.now() - now,
    ...(usage.modelCalls > 0 || usage.toolCalls > 0 ? { usage } : {}),
    ...(last.end?.kind === "ended" ? { run: last.end.run } : {}),
  };
  return { observation, bare, end: last.end, used };
}

const nothingYet = { ms: 0, usage: noUsage };

/** The ledger of what this part of the call uses. */
function openSpent({ run, continues }: ToolCallContext): Ledger {
  const spent = new Ledger({ limits: unlimited, clock: run.clock, parent: run.ledger });
  const state = continues?.subRun.state;
  if (state?.run !== undefined) spent.knows(state.run.id, state.usage);
  return spent;
}

/** What graphs inside the tool work for; a tool that is a graph leaves its end in `last`. */
function parentOf(
  { role }: ToolEntry,
  { id: callId }: ReadCall,
  { inTask, continues, run, texts, observations }: ToolCallContext,
  ledger: Ledger,
  last: { end?: SubRunEnd },
): ParentRun {
  const { runId, clock, timeZone, locale } = run;
  const shared = { ledger, inTask, of: { runId, callId }, time: { clock, timeZone, locale } };
  if (role !== "sub_run") return shared;
  const report = (end: SubRunEnd) => {
    last.end = end;
  };
  const known = () => [...texts(), ...trustedTexts(observations)];
  return { ...shared, lastWords: ledger, call: { continues, known, report } };
}

/** The call with the arguments that a hook gave it. */
async function refitted(
  given: unknown,
  { tool }: ToolEntry,
  call: ReadCall,
): Promise<ReadCall | ToolError> {
  const read = readArguments(given);
  const problem = read.ok ? await checkArguments(tool, read.args) : read.problem;
  if (problem !== undefined) return new ToolError("invalid_arguments", problem);
  return read.ok ? { ...call, args: read.args } : call;
}

function requestOf(
  { tool }: ToolEntry,
  { id, name, args }: ReadCall,
  { config, run, state }: ToolCallContext,
) {
  const { context, configurable, store, writer } = config;
  const signal = run.ledger.signal();
  return {
    toolCall: { type: "tool_call" as const, id, name, args },
    tool,
    state,
    runtime: {
      context,
      ...(configurable === undefined ? {} : { configurable }),
      store,
      writer,
      signal,
    },
  };
}

const defaultTimeoutMs = 30_000;
const defaultRetry: RetryPolicy = { attempts: 3, baseMs: 500 };
const retriedKinds: ReadonlySet<ErrorKind> = new Set(["timeout", "rate_limited", "unavailable"]);

/** Runs a tool with time-out and abort, again where its effect allows it; `parent` is what graphs inside it work for. */
function attemptTool(
  { tool, policy }: ToolEntry,
  { id, name, args: given }: ReadCall,
  { run, config }: ToolCallContext,
  parent: ParentRun,
): Promise<Attempted<unknown>> {
  const runSignal = run.ledger.signal();
  const { args, exact } = toolArguments(tool, given);
  const key = idempotencyKey(run.runId, id);
  const metadata = { ...config.metadata, idempotencyKey: key, ...exact };
  const runnable = withWrittenResult(withoutOwnPatterns(tool));
  const once = async (): Promise<unknown> => {
    const open = openCallSignal(runSignal, policy.timeoutMs ?? defaultTimeoutMs);
    const { signal } = open;
    const heard = parent.call === undefined ? config : withoutChat(config);
    const toolConfig = withParentRun({ ...heard, metadata, signal }, parent);
    try {
      const input = { type: "tool_call", id, name, args } as const;
      return await untilAborted(() => runnable.invoke(input, toolConfig), signal);
    } catch (error) {
      throw open.isOver() && !isControlFlow(error) ? signal.reason : error;
    } finally {
      open.close();
    }
  };
  return withRetries(
    once,
    {
      policy: isRepeatable(policy) ? (policy.retry ?? defaultRetry) : { attempts: 1, baseMs: 0 },
      mayRetry: ({ kind }) => retriedKinds.has(kind),
      clock: run.clock,
      signal: runSignal,
      onRetry: ({ attempt, delayMs, error }) => {
        run.emit({ type: "retry", of: name, attempt, delayMs, reason: errorLine(error) });
      },
    },
    isControlFlow,
  );
}

/**
 * The arguments as LangChain checks them. Where that needs numbers that would change digits, the digits go beside them
 * in the call's metadata, to a tool that takes them.
 */
function toolArguments(tool: ToolEntry["tool"], given: JsonObject) {
  if (!takesExactNumbers(tool)) return { args: given, exact: {} };
  const args = readArguments(changeDigits(given, argumentSchema(tool), nearestNumber));
  const isSame = !args.ok || canonicalJson(args.args) === canonicalJson(given);
  return isSame
    ? { args: given, exact: {} }
    : { args: args.args, exact: { [exactArguments]: given } };
}

function isRepeatable({ effect }: ToolPolicy): boolean {
  return effect === "read" || effect === "idempotent";
}

/** The same for every attempt of a call, and after a restart. */
function idempotencyKey(runId: string, callId: string): string {
  return hash("sha256", `${runId}\n${callId}`).slice(0, 32);
}

/** LangGraph's handlers behind the stream mode "messages", of both versions of its protocol. */
const chatHandlers: ReadonlySet<unknown> = new Set([
  "StreamMessagesHandler",
  "StreamProtocolMessagesHandler",
]);

/**
 * A config whose calls are not heard in the surrounding run's chat: what a graph says that is a tool is no
 * answer to the user. All other callbacks stay.
 */
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
