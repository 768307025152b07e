import type { Conversation } from "../state/conversation.js";
import { type IsolatedCall, nothingPending, type SubRun } from "../state/pending.js";
import type { TakenDecision } from "../state/person-requests.js";
import { addUsage, noUsage } from "../state/usage.js";
import { type CallOrder, callOrder } from "../tools/call-order.js";
import { subRunRequests } from "../tools/human-input.js";
import type { PersonRequest, ToolCallResult } from "../tools/tool-call.js";
import { askPeople } from "./interrupts.js";
import { isDraining } from "./langgraph.js";
import type { Turn } from "./messages.js";
import {
  callIdOf,
  callResult,
  type CallToMake,
  observationIn,
  recordedIsolated,
  runConcurrently,
  runIsolated,
  type StepResult,
  type ToolBatch,
  type TurnContext,
  usageOf,
} from "./run-calls.js";
import { askInDoubt, marked } from "./writes-in-doubt.js";

/** The part of the state that a turn resumes from. */
type Open = Pick<Conversation, "decisions" | "pending">;

/**
 * Runs a turn for one superstep: the committed isolated call, or else the open calls, concurrently as far as their
 * order allows. Requests to people are sent at once.
 */
export async function runToolBatch(
  turn: Turn,
  state: Conversation,
  context: TurnContext,
): Promise<ToolBatch> {
  const order = callOrder(turn.calls, context.toolbox, context.run, context.observations);
  const isolated = committedCall(state.pending?.calls);
  if (isolated !== undefined) {
    const batch = await runIsolatedBatch(isolated, state, context);
    return { ...batch, isolated: isolatedAfter(batch.results, order, state, context) };
  }
  const elsewhere = new Set(state.pending?.calls.map(({ callId }) => callId));
  const pending = turn.pending.filter(({ id }) => !elsewhere.has(id));
  const batch = await runOpenCalls({ ...turn, pending }, order, state, context);
  return { ...batch, isolated: isolatedAfter(batch.results, order, state, context) };
}

/** The call that may have started. */
export function committedCall(calls: readonly IsolatedCall[] = []): IsolatedCall | undefined {
  return calls.find(({ waits }) => waits !== true);
}

/**
 * The calls to run isolated after a superstep with these results, in order; a call whose turn has not come waits. In a
 * run that drains all of them wait, so that a resumed run knows that none has started.
 */
export function isolatedAfter(
  results: readonly ToolCallResult[],
  order: CallOrder,
  { pending = nothingPending, observations }: Pick<Conversation, "pending" | "observations">,
  { config }: Pick<TurnContext, "config">,
): IsolatedCall[] {
  const made = new Set(results.map(callIdOf));
  const known = [...observations, ...results.flatMap(observationIn)];
  const ended = new Set(known.map(({ callId }) => callId));
  const places = [...order.keys()];
  const quiet = results.filter((result) => requestsIn(result).length === 0);
  return [
    ...quiet.flatMap(isolatedCallIn),
    ...pending.calls.filter(({ callId }) => !made.has(callId)),
  ]
    .toSorted((left, right) => places.indexOf(left.callId) - places.indexOf(right.callId))
    .map(({ waits: _waits, ...call }) => {
      const isDue = (order.get(call.callId) ?? []).every((id) => ended.has(id));
      return isDue && !isDraining(config) ? call : { ...call, waits: true };
    });
}

/** The result as a call to run isolated. A sub-run that only needs a place where it may pause is one, too. */
function isolatedCallIn(result: ToolCallResult): IsolatedCall[] {
  if (result.kind === "isolated") return [result.call];
  if (result.kind !== "waits") return [];
  const { callId, tool, args } = result.subRun;
  return [{ callId, tool, args, reason: "pause" }];
}

/** Runs the open calls of a turn concurrently, then sends their requests to people. */
async function runOpenCalls(
  { pending }: Turn,
  order: CallOrder,
  { decisions, pending: { subRuns } = nothingPending }: Open,
  context: TurnContext,
): Promise<ToolBatch> {
  const begun = await runConcurrently(
    pending.filter(({ id }) => subRuns[id] === undefined),
    { order, known: resultsById(Object.values(subRuns).map(stillWaits)) },
    context,
  );
  const usage = usageOf(begun);
  const byId = resultsById(begun);
  const results = pending.flatMap(({ id }): ToolCallResult[] => {
    const subRun = subRuns[id];
    return subRun === undefined ? callResult(byId.get(id)) : [stillWaits(subRun)];
  });
  return answered({ results, usage }, decisions, order, context);
}

/** Results by call id. */
export function resultsById(results: readonly ToolCallResult[]): Map<string, StepResult> {
  return new Map(results.map((result) => [callIdOf(result), result]));
}

/** A waiting sub-run as a result. Its usage was recorded in an earlier superstep. */
export function stillWaits(subRun: SubRun): ToolCallResult {
  return { kind: "waits", subRun, used: noUsage };
}

/**
 * Sends the requests of the results to people, and runs the calls with their decisions. Requests that these calls make
 * are sent in the next superstep: LangGraph identifies a question by its superstep.
 */
async function answered(
  batch: ToolBatch,
  given: Conversation["decisions"],
  order: CallOrder,
  context: TurnContext,
): Promise<ToolBatch> {
  const { results, usage } = batch;
  const requests = results.flatMap(requestsIn);
  if (requests.length === 0 || endingIn(results) !== undefined) return batch;
  const asked = await askPeople(requests, given, context.run);
  if (asked.kind === "cannot_pause") return { ...batch, waiting: requests };
  const quiet = results.filter((result) => requestsIn(result).length === 0);
  const calls = decidedCalls(results, asked.decisions);
  const decided = await runConcurrently(calls, { order, known: resultsById(quiet) }, context);
  return { results: [...quiet, ...decided], usage: addUsage(usage, usageOf(decided)) };
}

/** The result that ends the run, if any. */
export function endingIn(results: readonly ToolCallResult[]): ToolCallResult | undefined {
  return results.find((result) => result.kind === "observed" && result.ends !== undefined);
}

/** The requests of a result; for a sub-run, all that it asks. */
export function requestsIn(result: ToolCallResult): readonly PersonRequest[] {
  if (result.kind === "asks") return [result.request];
  return result.kind === "waits" ? subRunRequests(result.subRun) : [];
}

/** The calls that asked, each with the decisions for its requests. */
export function decidedCalls(
  results: readonly ToolCallResult[],
  decisions: readonly TakenDecision[],
): CallToMake[] {
  const rest = [...decisions];
  return results.flatMap((result): CallToMake[] => {
    const own = rest.splice(0, requestsIn(result).length);
    if (result.kind === "asks") {
      const { callId, action } = result.request;
      return [{ id: callId, name: action.name, args: result.calledWith, decision: own[0] }];
    }
    if (result.kind !== "waits" || own.length === 0) return [];
    const { subRun } = result;
    const { callId: id, tool: name, args } = subRun;
    return [{ id, name, args, continues: { subRun, decisions: own } }];
  });
}

/** The order of a call that nothing precedes. */
const byItself: CallOrder = new Map();

/** Runs the next isolated call. A write that was committed before a crash may have taken effect: people decide. */
export async function runIsolatedBatch(
  isolated: IsolatedCall,
  { decisions, pending }: Open,
  context: TurnContext,
): Promise<ToolBatch> {
  const { run, toolbox } = context;
  const subRun = pending?.subRuns[isolated.callId];
  if (isolated.reason === "pause") {
    // The graph that called this one makes the call again, in a place where it may pause.
    if (run.delegatesInterrupts) return { results: [], usage: noUsage, waiting: [] };
    return batchOf([marked(await runIsolated(isolated, subRun, context), isolated)]);
  }
  if (subRun !== undefined) {
    return answered(
      { results: [stillWaits(subRun)], usage: noUsage },
      decisions,
      byItself,
      context,
    );
  }
  // A sub-run resumes from its own checkpoints, and asks about its own writes.
  const isSubRun = toolbox.get(isolated.tool)?.role === "sub_run";
  const isKnown = run.committed.has(isolated.callId) || isSubRun || isolated.reason === "decided";
  const result = isKnown
    ? await runIsolated(isolated, undefined, context)
    : await recordedIsolated(isolated, context);
  if (result === undefined) return askInDoubt(isolated, decisions, context);
  return answered(batchOf([marked(result, isolated)]), undefined, byItself, context);
}

function batchOf(results: readonly ToolCallResult[]): ToolBatch {
  return { results, usage: usageOf(results) };
}
