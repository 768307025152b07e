import { getConfig } from "@langchain/langgraph";

import { isControlFlow } from "../guards/control-flow.js";
import { canonicalJson } from "../plan/canonical.js";
import type { SoloCall, SubRun } from "../state/conversation.js";
import type { Decision } from "../state/person.js";
import { decidedAs } from "../tools/decided-as.js";
import { readArguments } from "../tools/read-arguments.js";
import { runToolCall } from "../tools/run-tool-call.js";
import type { ToolCall, ToolCallContext, ToolCallResult } from "../tools/tool-call.js";
import { bookLive, bookResult, observationIn } from "./book-result.js";
import type { Run } from "./enter-run.js";
import { inTask, taskName } from "./in-task.js";
import { createSlots } from "./slots.js";

/** What the calls of a turn share. */
export type TurnContext = Omit<
  ToolCallContext,
  "run" | "inTask" | "decision" | "continues" | "onRecord"
> & { readonly run: Run };

/** A call to make, with what people said of it so far. */
export type CallToMake = ToolCall & Pick<ToolCallContext, "decision" | "continues">;

/**
 * Runs calls beside one another, each as a LangGraph task of its own, so that a pause or a crash
 * repeats no finished one. Tasks are called in the order given, whatever order they finish in:
 * LangGraph knows them by it. A call that equals an earlier one of the list waits for its result.
 */
export async function runTogether(
  calls: readonly CallToMake[],
  context: TurnContext,
): Promise<ToolCallResult[]> {
  const inSlot = createSlots(context.run.settings.concurrency);
  const started = new Map<string, Promise<ToolCallResult>[]>();
  const running = calls.map((call) => {
    const key = keyOf(call);
    const same = started.get(key) ?? [];
    const body = async (): Promise<ToolCallResult> => {
      const earlier = await Promise.all(same);
      const observations = [...context.observations, ...earlier.flatMap(observationIn)];
      return inSlot(() => runInTask(call, { ...context, observations }));
    };
    const result = inTask(() => nameOf(call, key), context.config, body);
    started.set(key, [...same, result]);
    return result;
  });
  const results = await Promise.all(running);
  for (const result of results) bookResult(result, context.run);
  return results;
}

/** Runs a call that runs alone: a write that is on record, or one that pauses, where it may pause. */
export async function runSolo(
  call: SoloCall,
  subRun: SubRun | undefined,
  context: TurnContext,
): Promise<ToolCallResult> {
  const continues = subRun === undefined ? undefined : { subRun, decisions: [] };
  const asked = { ...callOf(call), continues };
  if (call.why === "pauses") {
    const alone = { ...context, ...asked, onRecord: true, inTask: false };
    const result = await runToolCall(asked, alone);
    bookLive(result, continues, context);
    return result;
  }
  const body = () => runInTask(asked, context, true);
  const result = await inTask(() => nameOf(asked, keyOf(asked)), context.config, body);
  bookResult(result, context.run);
  return result;
}

/** The result that a process put on record of a call that runs alone, if it stopped before the superstep's end. */
export async function recordedSolo(
  solo: SoloCall,
  { config, run }: TurnContext,
): Promise<ToolCallResult | undefined> {
  const call = callOf(solo);
  // LangGraph hands it out for the task that is called as this one was: first, and by its name.
  const found = await inTask(() => nameOf(call, keyOf(call)), config, noResult);
  if (found.kind === "none") return undefined;
  bookResult(found, run);
  return found;
}

const noResult = async (): Promise<ToolCallResult | { readonly kind: "none" }> => ({
  kind: "none",
});

function callOf({ callId: id, tool: name, args, decided }: SoloCall) {
  if (decided === undefined) return { id, name, args, decision: undefined };
  const edit: Decision = { type: "edit", edited_action: { name, args } };
  return { id, name, args, decision: decided === "edit" ? edit : ({ type: "approve" } as const) };
}

/** Makes a call inside a task: what needs another place, or a person, comes back as data. */
export async function runInTask(
  call: CallToMake,
  context: TurnContext,
  onRecord = false,
): Promise<ToolCallResult> {
  const { run } = context;
  const { decision, continues } = call;
  // The task's own config, not the node's: graphs called below keep their checkpoints under it.
  const config = getConfig();
  const full: ToolCallContext = { ...context, config, decision, continues, onRecord, inTask: true };
  try {
    const result = await runToolCall(call, full);
    // What the caller called off is not on record: a resumed run makes the call again.
    if (run.ledger.aborted()) run.ledger.signal().throwIfAborted();
    bookLive(result, continues, context);
    return result;
  } catch (error) {
    if (!isControlFlow(error)) throw error;
    if (continues === undefined && context.isStep !== true) run.ledger.giveBack("toolCalls");
    return { kind: "alone", call: pausingCall(call) };
  }
}

/** A call that pauses by itself, with the arguments that a person may have edited. */
function pausingCall({ id, name, args, decision }: CallToMake): SoloCall {
  const read = readArguments(decision?.type === "edit" ? decision.edited_action.args : args);
  const decided = decidedAs(decision);
  return { callId: id, tool: name, args: read.ok ? read.args : {}, why: "pauses", ...decided };
}

/** What equal calls have in common. A sub-run that goes on is like no other. */
function keyOf({ id, name, args, continues }: CallToMake): string {
  return continues === undefined ? `${name} ${canonicalJson(args)}` : `${name} of ${id}`;
}

function nameOf({ id, decision, continues }: CallToMake, key: string): string {
  const decided = decision === undefined ? [] : ["decided"];
  const part = continues === undefined ? [] : [`part ${continues.subRun.parts + 1}`];
  return taskName(`call:${id}`, key, ...decided, ...part);
}
