import { createHash } from "node:crypto";

import { isGraphBubbleUp } from "@langchain/langgraph";

import { openCallSignal } from "../guards/call-signal.js";
import { Ledger } from "../guards/ledger.js";
import { unlimited } from "../guards/limits.js";
import { withParentRun } from "../guards/parent-run.js";
import { type Attempted, type RetryPolicy, withRetries } from "../guards/retry.js";
import { errorLine } from "../observe/redact.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { judgeAttempt } from "./judge-attempt.js";
import type { ToolPolicy } from "./policy.js";
import type { ReadCall, ToolCallContext } from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";

const defaultTimeoutMs = 30_000;
const defaultRetry: RetryPolicy = { attempts: 3, baseMs: 500 };
const retriedKinds: ReadonlySet<ErrorKind> = new Set(["timeout", "rate_limited", "unavailable"]);

/** Runs a checked call: time-out, abort, retries where the effect allows them, and the result as an observation. */
export async function executeTool(
  entry: ToolEntry,
  call: ReadCall,
  context: ToolCallContext,
): Promise<Observation> {
  const { run } = context;
  const startedAt = run.clock.now();
  run.emit({
    type: "tool_started",
    callId: call.id,
    tool: call.name,
    content: { args: call.args },
  });
  const spent = new Ledger({
    limits: unlimited,
    clock: run.clock,
    parent: run.ledger,
  });
  const attempted = await attempts(entry, call, context, spent);
  const usage = spent.usage();
  return {
    callId: call.id,
    tool: call.name,
    args: call.args,
    ...judgeAttempt(attempted, entry, run.ledger),
    attempts: attempted.attempts,
    startedAt,
    ms: run.clock.now() - startedAt,
    ...(usage.modelCalls > 0 || usage.toolCalls > 0 ? { usage } : {}),
  };
}

function attempts(
  { tool, policy }: ToolEntry,
  call: ReadCall,
  context: ToolCallContext,
  spent: Ledger,
): Promise<Attempted<unknown>> {
  const { run, config, inTask } = context;
  const runSignal = run.ledger.signal();
  const parent = { ledger: spent, inTask };
  const metadata = {
    ...config.metadata,
    idempotencyKey: idempotencyKey(run.runId, call.id),
  };
  const once = async (): Promise<unknown> => {
    const open = openCallSignal(runSignal, policy.timeoutMs ?? defaultTimeoutMs);
    const { signal } = open;
    const toolConfig = withParentRun({ ...config, metadata, signal }, parent);
    const { id, name, args } = call;
    try {
      const input = { type: "tool_call", id, name, args } as const;
      return await untilAborted(() => tool.invoke(input, toolConfig), signal);
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
        run.emit({
          type: "retry",
          of: call.name,
          attempt,
          delayMs,
          reason: errorLine(error),
        });
      },
    },
    isControlFlow,
  );
}

/** Whether LangGraph threw this. Its own check fails on a thrown `null`. */
function isControlFlow(error: unknown): boolean {
  return error !== null && isGraphBubbleUp(error);
}

function isRepeatable({ effect }: ToolPolicy): boolean {
  return effect === "read" || effect === "idempotent";
}

/** The same for every attempt of a call, and after a restart. */
function idempotencyKey(runId: string, callId: string): string {
  return createHash("sha256").update(`${runId}\n${callId}`).digest("hex").slice(0, 32);
}

/** The result, or the signal's reason when it aborts first: a tool that ignores its signal holds nobody up. */
async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      reject(signal.reason);
    };
    // The signal is this call's own: the listener goes with it.
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([work(), aborted]);
}
