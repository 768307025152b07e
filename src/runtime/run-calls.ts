import { isGraphDrained } from "@langchain/langgraph";

import { canonicalJson, defined } from "../json/json.js";
import { isControlFlow } from "../run/errors.js";
import { createSlots } from "../run/slots.js";
import type { Observation } from "../state/observation.js";
import type { IsolatedCall, SubRun } from "../state/pending.js";
import type { Decision } from "../state/person-requests.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../state/usage.js";
import type { CallOrder } from "../tools/call-order.js";
import { splitArguments, wholeArguments } from "../tools/from-memory.js";
import { decidedAs, whyTooLate } from "../tools/human-input.js";
import { readArguments } from "../tools/read-arguments.js";
import { requestBefore, runToolCall } from "../tools/run-tool-call.js";
import type {
  PersonRequest,
  ToolCall,
  ToolCallContext,
  ToolCallResult,
} from "../tools/tool-call.js";
import { policyIn, type Toolbox } from "../tools/toolbox.js";
import type { Run } from "./enter-run.js";
import { inTask, taskName } from "./in-task.js";
import { currentConfig, stopIfDraining } from "./langgraph.js";

/** The result of a step's call, or that the step waits for another one. */
export type StepResult = ToolCallResult | { readonly kind: "deferred" };

/** Results by step id. */
export type StepResults = ReadonlyMap<string, StepResult>;

/** The result of a step's call, if it has one. */
export function callResult(result: StepResult | undefined): ToolCallResult[] {
  return result === undefined || result.kind === "deferred" ? [] : [result];
}

/** The result of one superstep of a turn. */
export type ToolBatch = {
  readonly results: readonly ToolCallResult[];
  /** The usage of the superstep. */
  readonly usage: Usage;
  /** The requests that end a run which cannot pause. */
  readonly waiting?: readonly PersonRequest[];
  /** The calls to run isolated after it, in call order. */
  readonly isolated?: readonly IsolatedCall[];
};

/** What the calls of a turn share. */
export type TurnContext = Omit<
  ToolCallContext,
  "run" | "execution" | "decision" | "decisions" | "continues"
> & { readonly run: Run };

/** A call to make, with the decisions of people on it. */
export type CallToMake = ToolCall & Pick<ToolCallContext, "decision" | "decisions" | "continues">;

/** The order of a turn's calls, and the results of this superstep so far. */
type TurnOrder = { readonly order: CallOrder; readonly known: StepResults };

/**
 * Runs calls concurrently as far as their order allows, each as a LangGraph task, so that a pause or a crash repeats no
 * finished call. Tasks are called in the given order, because LangGraph identifies them by it. A call that equals an
 * earlier one waits for its result. Calls that have to wait for one without a result are left out.
 */
export async function runConcurrently(
  calls: readonly CallToMake[],
  { order, known }: TurnOrder,
  context: TurnContext,
): Promise<ToolCallResult[]> {
  const inSlot = createSlots(context.run.settings.concurrency);
  const same = new Map<string, Promise<StepResult>[]>();
  const started = new Map<string, Promise<StepResult>>();
  const resultOf = async (id: string) => started.get(id) ?? known.get(id);
  const observed = new Set(context.observations.map(({ callId }) => callId));
  const running = calls.map((call) => {
    const key = keyOf(call);
    const equal = same.get(key) ?? [];
    const before = (order.get(call.id) ?? []).filter((id) => !observed.has(id));
    const earlier =
      before.length === 0 ? undefined : () => Promise.all(before.map((id) => resultOf(id)));
    const body = async (): Promise<StepResult> => {
      const observations = (await Promise.all(equal)).flatMap(callResult).flatMap(observationIn);
      const knowing = { ...context, observations: [...context.observations, ...observations] };
      return runInOrder(call, earlier, knowing, (given) => inSlot(() => runInTask(call, given)));
    };
    const replay = (recorded: StepResult) => replayUsage(recorded, context.run);
    const result = inTask(() => nameOf(call, key), context.config, body, replay);
    same.set(key, [...equal, result]);
    started.set(call.id, result);
    return result;
  });
  return (await Promise.all(running)).flatMap(callResult);
}

/** Waits for the results of calls that stand before another one. */
export type Earlier = () => Promise<readonly (StepResult | undefined)[]>;

/**
 * Makes a call when the calls it waits for (`earlier`) have results. Its requests to people are sent before that. If
 * its turn cannot come in this superstep, it is left for a later one, with the decisions on it.
 */
export async function runInOrder<Context extends TurnContext>(
  call: CallToMake,
  earlier: Earlier | undefined,
  context: Context,
  make: (context: Context, before: readonly (StepResult | undefined)[]) => Promise<StepResult>,
): Promise<StepResult> {
  if (earlier === undefined || !mayRun(call, context)) return make(context, []);
  const asked =
    call.decision === undefined ? await requestBefore(call, inPlace(call, context)) : undefined;
  if (asked !== undefined) return asked;
  const results = await earlier();
  if (!results.every((result) => isOver(result, call, context))) {
    return call.decision === undefined ? { kind: "deferred" } : decidedEarly(call, context);
  }
  const found = results.flatMap(callResult).flatMap(observationIn);
  const observations = asTheyBegan([...context.observations, ...found]);
  return make({ ...context, observations }, results);
}

/** Whether the call may run a tool from the start: it does not resume a sub-run, and no decision replaces it. */
function mayRun({ name, decision, continues }: CallToMake, { toolbox }: TurnContext): boolean {
  if (continues !== undefined) return false;
  if (decision === undefined) return true;
  const isCarriedOut = decision.type === "approve" || decision.type === "edit";
  return isCarriedOut && toolbox.get(name)?.role !== "ask_user";
}

/** Whether a call is over, so that the next one may begin. A handoff does not wait for people. */
function isOver(
  result: StepResult | undefined,
  { name }: CallToMake,
  { toolbox }: TurnContext,
): boolean {
  if (result?.kind === "observed") return result.ends === undefined;
  const isAsking = result?.kind === "asks" || result?.kind === "waits";
  return isAsking && toolbox.get(name)?.role === "hand_off";
}

/**
 * A call with a decision whose turn has not come. It needs no question after a crash when it may be repeated, or is too
 * late to be made.
 */
function decidedEarly(call: CallToMake, { toolbox }: TurnContext): ToolCallResult {
  const { effect, ...policy } = toolbox.get(call.name)?.policy ?? {};
  const isWrite = effect === "write" && whyTooLate(call.decision?.record, policy) === undefined;
  return { kind: "isolated", call: isolatedCall(call, isWrite ? "write" : "decided", toolbox) };
}

/** Runs an isolated call: a committed write, or a call that pauses, in a place where it may. */
export async function runIsolated(
  call: IsolatedCall,
  subRun: SubRun | undefined,
  context: TurnContext,
): Promise<ToolCallResult> {
  const { continues = subRun === undefined ? undefined : { subRun, decisions: [] } } = call;
  const asked = { ...callOf(call), continues };
  if (call.reason === "pause") {
    const execution = { place: "node", isCommitted: true } as const;
    const result = await runToolCall(asked, { ...context, ...asked, execution });
    recordUsage(result, asked, context);
    return result;
  }
  const body = () => runInTask(asked, context, true);
  const replay = (recorded: ToolCallResult) => replayUsage(recorded, context.run);
  return inTask(() => nameOf(asked, keyOf(asked)), context.config, body, replay);
}

/** The result of an isolated call from a process that stopped before the end of its superstep. */
export async function recordedIsolated(
  isolated: IsolatedCall,
  { config, run }: TurnContext,
): Promise<ToolCallResult | undefined> {
  const call = { ...callOf(isolated), continues: isolated.continues };
  // LangGraph returns it for the task that is called as this one was: first, and with its name.
  const found = await inTask(() => nameOf(call, keyOf(call)), config, noResult);
  if (found.kind === "none") return undefined;
  replayUsage(found, run);
  return found;
}

const noResult = async (): Promise<ToolCallResult | { readonly kind: "none" }> => ({
  kind: "none",
});

function callOf(call: IsolatedCall) {
  const { callId: id, tool: name, decided, decisions = [] } = call;
  const args = wholeArguments(call);
  if (decided === undefined) return { id, name, args, decision: undefined, decisions };
  const edit: Decision = { type: "edit", edited_action: { name, args } };
  const decision = decided === "edit" ? edit : ({ type: "approve" } as const);
  const [record] = decisions.slice(-1);
  if (record === undefined) return { id, name, args, decision, decisions };
  return { id, name, args, decision: { ...decision, record }, decisions: decisions.slice(0, -1) };
}

/** Makes a call inside a task. What needs another place, or a person, is returned as data. */
export async function runInTask(
  call: CallToMake,
  context: TurnContext,
  isCommitted = false,
): Promise<ToolCallResult> {
  const { run } = context;
  const { continues } = call;
  stopIfDraining(context.config);
  try {
    const result = await runToolCall(call, inPlace(call, context, isCommitted));
    // A cancelled call is not recorded: a resumed run makes it again.
    if (run.budget.aborted()) run.budget.signal().throwIfAborted();
    recordUsage(result, call, context);
    return result;
  } catch (error) {
    // A call of a run that drains is not recorded: a resumed run makes it again, and its sub-run resumes.
    if (!isControlFlow(error) || isGraphDrained(error)) throw error;
    if (continues === undefined && counts(call.name, context)) run.budget.giveBack("toolCalls");
    return { kind: "isolated", call: isolatedCall(call, "pause", context.toolbox) };
  }
}

/** The context of a call inside a task. */
function inPlace(
  { decision, decisions, continues }: CallToMake,
  context: TurnContext,
  isCommitted = false,
): ToolCallContext {
  const execution = { place: "task", isCommitted } as const;
  // The task's own config, not the node's: graphs called below keep their checkpoints under it.
  const config = currentConfig(context.config);
  return { ...context, config, decision, decisions, continues, execution };
}

/** The call to run isolated, with edited arguments if a person changed them. */
function isolatedCall(
  { id, name, args, decision, decisions }: CallToMake,
  reason: IsolatedCall["reason"],
  toolbox: Toolbox,
): IsolatedCall {
  const read = readArguments(decision?.type === "edit" ? decision.edited_action.args : args);
  const decided = decidedAs({ decision, decisions });
  const { args: written, fromMemory } = splitArguments(
    policyIn(toolbox)(name),
    read.ok ? read.args : {},
  );
  const kept = { args: written, ...defined({ fromMemory }) };
  return { callId: id, tool: name, ...kept, reason, ...decided };
}

/** The key that equal calls share. A call that resumes a sub-run equals no other. */
function keyOf({ id, name, args, continues }: CallToMake): string {
  return continues === undefined ? `${name} ${canonicalJson(args)}` : `${name} of ${id}`;
}

function nameOf({ id, decision, continues }: CallToMake, key: string): string {
  const decided = decision === undefined ? [] : ["decided"];
  const part = continues === undefined ? [] : [`part ${continues.subRun.parts + 1}`];
  return taskName(`call:${id}`, key, ...decided, ...part);
}

/** The usage of results, for the state. */
export function usageOf(results: readonly ToolCallResult[]): Usage {
  return results.map(usageIn).reduce(addUsage, noUsage);
}

/** The id of a result's call. */
export function callIdOf(result: ToolCallResult): string {
  if (result.kind === "observed") return result.observation.callId;
  if (result.kind === "asks") return result.request.callId;
  return result.kind === "waits" ? result.subRun.callId : result.call.callId;
}

/** The observation of a result, if it has one. */
export function observationIn(result: ToolCallResult): Observation[] {
  return result.kind === "observed" ? [result.observation] : [];
}

/** Records a call that ran just now; usage inside it was recorded as it happened. */
function recordUsage(
  result: ToolCallResult,
  { name, continues }: CallToMake,
  context: TurnContext,
): void {
  const isCounted = continues === undefined && counts(name, context) && isMade(result);
  if (isCounted) context.run.budget.record(toolUsage(1));
}

function counts(name: string, { toolbox }: TurnContext): boolean {
  return toolbox.get(name)?.counts !== false;
}

/** Records the usage of a replayed result. */
export function replayUsage(result: StepResult, { budget }: Run): void {
  budget.replay(usageOf(callResult(result)));
}

/** Whether a tool ran. */
function isMade(result: ToolCallResult): boolean {
  return result.kind === "waits" || observationIn(result).some(({ attempts }) => attempts > 0);
}

/** The usage of a result, or of the part of the call that it is the result of. */
export function usageIn(result: ToolCallResult): Usage {
  if (result.kind !== "observed") return result.used ?? noUsage;
  const { usage = noUsage } = result.observation;
  return result.used ?? addUsage(isMade(result) ? toolUsage(1) : noUsage, usage);
}

/** Observations in the order in which their calls began, each once; calls that began at once keep their order. */
export function asTheyBegan(observations: readonly Observation[]): Observation[] {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  return [...byId.values()].toSorted((left, right) => left.startedAt - right.startedAt);
}
