import { hash } from "node:crypto";

import { canonicalJson, type JsonObject } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { isControlFlow } from "../run/errors.js";
import { type Attempted, type RetryPolicy, withRetries } from "../run/retry.js";
import { type ParentRun, withParentRun } from "../run/scope.js";
import { openCallSignal, untilAborted } from "../run/signals.js";
import type { ErrorKind } from "../state/observation.js";
import { argumentSchema } from "./argument-schema.js";
import { changeDigits, exactArguments, nearestNumber, takesExactNumbers } from "./exact-numbers.js";
import { withoutOwnPatterns } from "./linear-pattern.js";
import type { ToolPolicy } from "./policy.js";
import { readArguments } from "./read-arguments.js";
import type { ReadCall, ToolCallContext } from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";
import { withoutChat } from "./without-chat.js";
import { withWrittenResult } from "./write-result.js";

const defaultTimeoutMs = 30_000;
const defaultRetry: RetryPolicy = { attempts: 3, baseMs: 500 };
const retriedKinds: ReadonlySet<ErrorKind> = new Set(["timeout", "rate_limited", "unavailable"]);

/** Runs a tool with time-out and abort, again where its effect allows it; `parent` is what graphs inside it work for. */
export function attemptTool(
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
