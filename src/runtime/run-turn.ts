import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";

import { getConfig, isGraphBubbleUp } from "@langchain/langgraph";

import { canonicalJson } from "../plan/canonical.js";
import type { SoloCall } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Decision } from "../state/person.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../state/usage.js";
import { decidedAs } from "../tools/decided-as.js";
import { readArguments } from "../tools/read-arguments.js";
import { runToolCall } from "../tools/run-tool-call.js";
import type { ToolCall, ToolCallContext, ToolCallResult } from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";
import { inTask } from "./in-task.js";
import { createSlots } from "./slots.js";

/** What the calls of a turn share. */
export type TurnContext = Omit<ToolCallContext, "run" | "inTask" | "decision" | "onRecord"> & {
  readonly run: Run;
};

/**
 * Runs calls beside one another, each as a LangGraph task of its own, so that a pause or a crash
 * repeats no finished one. Tasks are called in the order given, whatever order they finish in:
 * LangGraph knows them by it. A call that equals an earlier one of the list waits for its result.
 */
export async function runTogether(
  calls: readonly ToolCall[],
  context: TurnContext,
  decisions: ReadonlyMap<string, Decision> = new Map(),
): Promise<ToolCallResult[]> {
  const inSlot = createSlots(context.run.settings.concurrency);
  // Every task of LangGraph's listens to the node's signal.
  if (context.config.signal !== undefined) setMaxListeners(0, context.config.signal);
  const started = new Map<string, Promise<ToolCallResult>[]>();
  const running = calls.map((call) => {
    const key = `${call.name} ${canonicalJson(call.args)}`;
    const same = started.get(key) ?? [];
    const body = async (): Promise<ToolCallResult> => {
      const earlier = await Promise.all(same);
      const observations = [...context.observations, ...earlier.flatMap(observationIn)];
      const decision = decisions.get(call.id);
      return inSlot(() => runInTask(call, { ...context, observations }, decision));
    };
    const result = inTask(taskName(call, key, decisions.has(call.id)), context.config, body);
    started.set(key, [...same, result]);
    return result;
  });
  const results = await Promise.all(running);
  for (const result of results) bookResult(result, context.run);
  return results;
}

/** Runs a call that runs alone: a write that is on record, or one that pauses, where it may pause. */
export async function runSolo(call: SoloCall, context: TurnContext): Promise<ToolCallResult> {
  const { callId, tool, args, why } = call;
  const asked: ToolCall = { id: callId, name: tool, args };
  const decision = decisionOf(call);
  if (why === "pauses") {
    return runToolCall(asked, { ...context, decision, onRecord: true, inTask: false });
  }
  const name = taskName(asked, `${tool} ${canonicalJson(args)}`, true);
  const body = () => runInTask(asked, context, decision, true);
  const result = await inTask(name, context.config, body);
  bookResult(result, context.run);
  return result;
}

function decisionOf({ tool, args, decided }: SoloCall): Decision | undefined {
  if (decided === undefined) return undefined;
  return decided === "edit"
    ? { type: "edit", edited_action: { name: tool, args } }
    : { type: "approve" };
}

/** What the results used, for the state. */
export function usageOf(results: readonly ToolCallResult[]): Usage {
  return results.flatMap(observationIn).map(observationUsage).reduce(addUsage, noUsage);
}

/** The observation of a call that has one. */
export function observationIn(result: ToolCallResult): Observation[] {
  return result.kind === "observed" ? [result.observation] : [];
}

async function runInTask(
  call: ToolCall,
  context: TurnContext,
  decision: Decision | undefined,
  onRecord = false,
): Promise<ToolCallResult> {
  const { run } = context;
  // The task's own config, not the node's: graphs called below keep their checkpoints under it.
  const config = getConfig();
  const full: ToolCallContext = {
    ...context,
    config,
    decision,
    onRecord,
    inTask: true,
  };
  try {
    const result = await runToolCall(call, full);
    // What the caller called off is not on record: a resumed run makes the call again.
    if (run.ledger.aborted()) run.ledger.signal().throwIfAborted();
    for (const { callId, attempts } of observationIn(result)) {
      if (attempts > 0) run.ledger.book(callId, toolUsage(1), true);
    }
    return result;
  } catch (error) {
    if (!isGraphBubbleUp(error)) throw error;
    run.ledger.giveBack("toolCalls");
    return { kind: "alone", call: pausingCall(call, decision) };
  }
}

/** A call that pauses by itself, with the arguments that a person may have edited. */
function pausingCall({ id, name, args }: ToolCall, decision: Decision | undefined): SoloCall {
  const read = readArguments(decision?.type === "edit" ? decision.edited_action.args : args);
  const decided = decidedAs(decision);
  return { callId: id, tool: name, args: read.ok ? read.args : {}, why: "pauses", ...decided };
}

/** Counts what a replayed result used; one that ran just now has been counted already. */
function bookResult(result: ToolCallResult, run: Run): void {
  for (const observation of observationIn(result)) {
    run.ledger.book(observation.callId, observationUsage(observation), false);
  }
}

function observationUsage({ attempts, usage }: Observation): Usage {
  return addUsage(attempts > 0 ? toolUsage(1) : noUsage, usage ?? noUsage);
}

/** Names the call and what it was called with, so that a changed call never meets another's result. */
function taskName({ id }: ToolCall, key: string, decided: boolean): string {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 12);
  return `call:${id}:${hash}${decided ? ":decided" : ""}`;
}
