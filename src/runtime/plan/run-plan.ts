import type { BaseMessage } from "@langchain/core/messages";

import { defined } from "../../json/json.js";
import { callOfStep, type Step } from "../../plan/step.js";
import { heldResult } from "../../prompts/checks.js";
import { stepMessages } from "../../prompts/shown-steps.js";
import type { Conversation, Writes } from "../../state/conversation.js";
import type { Observation } from "../../state/observation.js";
import type { Outcome } from "../../state/outcome.js";
import { nothingPending } from "../../state/pending.js";
import type { Planning, PlanState } from "../../state/plan.js";
import { addUsage } from "../../state/usage.js";
import { type CallOrder, callOrder } from "../../tools/call-order.js";
import type { ToolCallResult } from "../../tools/tool-call.js";
import {
  isolatedAfter,
  decidedCalls,
  endingIn,
  committedCall,
  requestsIn,
  resultsById,
  runIsolatedBatch,
  stillWaits,
} from "../call-batch.js";
import type { Run } from "../enter-run.js";
import { askPeople } from "../interrupts.js";
import { answeredEnd } from "../reply-writes.js";
import {
  asTheyBegan,
  callIdOf,
  callResult,
  type CallToMake,
  observationIn,
  type StepResults,
  type ToolBatch,
  type TurnContext,
  usageOf,
} from "../run-calls.js";
import { toolFailuresEnd, unreadEnd } from "../hand-off-ends.js";
import {
  type BatchWrites,
  batchWrites,
  endOfRun,
  pendingAfter,
  waitingEnd,
  withPending,
} from "../turn-writes.js";
import { openInPlan } from "./next-steps.js";
import { openStepRunner, type PlanContext, type StepRunner } from "./run-steps.js";
import { withStandIn } from "./step-end.js";

/** The part of the state that a plan resumes from. */
type Open = Pick<Conversation, "observations" | "pending" | "decisions">;

/**
 * Runs the steps of a valid plan for one superstep: first the committed isolated call, then the others concurrently,
 * each as soon as its dependencies have results and its turn has come. Each step is a LangGraph task, so that a pause
 * or a crash repeats no finished step. Requests to people are sent in plan order when nothing else can run, but not
 * after an isolated call; isolated calls wait for the next superstep. `begun` runs the steps that started while the
 * plan was written.
 */
export async function runPlanBatch(
  steps: readonly Step[],
  state: Open,
  context: PlanContext,
  begun?: StepRunner,
): Promise<ToolBatch> {
  const { toolbox, run, observations } = context;
  const order = callOrder(steps.map(callOfStep), toolbox, run, observations);
  const batch = await runInPlanOrder({ steps, order, begun }, state, context);
  return { ...batch, isolated: isolatedAfter(batch.results, order, state, context) };
}

async function runInPlanOrder(
  { steps, order, begun }: Omit<Work, "first">,
  state: Open,
  context: PlanContext,
): Promise<ToolBatch> {
  const { pending = nothingPending, decisions } = state;
  const isolated = committedCall(pending.calls);
  const elsewhere = new Set(
    pending.calls.filter((call) => call !== isolated).map(({ callId }) => callId),
  );
  const work = { steps: steps.filter(({ id }) => !elsewhere.has(id)), order, begun };
  if (isolated === undefined) return runPasses({ ...work, first: [] }, state, decisions, context);
  const { results: made, usage, waiting } = await runIsolatedBatch(isolated, state, context);
  const first = made.map((result) =>
    withStandIn(stepOf(result, steps), result, state.observations, context),
  );
  if (waiting !== undefined || endingIn(first) !== undefined) {
    return { results: first, usage, ...defined({ waiting }) };
  }
  const batch = await runPasses({ ...work, first }, state, undefined, context);
  return { ...batch, usage: addUsage(usage, batch.usage) };
}

function stepOf(result: ToolCallResult, steps: readonly Step[]): Step | undefined {
  const id = callIdOf(result);
  return steps.find((step) => step.id === id);
}

/** The results of the steps that had begun when the run ended. Nobody is asked for more. */
export async function batchOfRunner(runner: StepRunner): Promise<ToolBatch> {
  const results = [...(await runner.ended()).values()].flatMap(callResult);
  return { results, usage: usageOf(results) };
}

/** What a superstep has to run. */
type Work = {
  readonly steps: readonly Step[];
  /** The order of the whole plan. */
  readonly order: CallOrder;
  /** The results of this superstep so far. */
  readonly first: readonly ToolCallResult[];
  readonly begun?: StepRunner | undefined;
};

/** Runs what can run, sends the requests to people, and continues with their decisions. */
async function runPasses(
  { begun, ...work }: Work,
  { observations, pending: { subRuns } = nothingPending }: Open,
  given: Conversation["decisions"],
  context: PlanContext,
): Promise<ToolBatch> {
  const known = resultsOf(observations);
  const open = resultsById([...Object.values(subRuns).map(stillWaits), ...work.first]);
  const runner = begun ?? openStepRunner(new Map([...known, ...open]), 1, context);
  const pass = await runPass(runner, work, { known, open }, []);
  // LangGraph identifies a question by its superstep: later questions go to the next one. A superstep that ran a write
  // asks nothing, because after a resume it would not know that the write is done.
  const mayAsk = work.first.length === 0 && context.gate.mayAsk([...pass.made.values()]);
  const { results, usage } = pass;
  if (!mayAsk || !isAsking(results)) return { results, usage };
  const requests = results.flatMap(requestsIn);
  const asked = await askPeople(requests, given, context.run);
  if (asked.kind === "cannot_pause") return { results, usage, waiting: requests };
  const left = new Map([...open, ...pass.made]);
  const again = openStepRunner(new Map([...known, ...left]), 2, context);
  const decided = decidedCalls(results, asked.decisions);
  const last = await runPass(again, work, { known, open: left }, decided);
  return { results: last.results, usage: addUsage(usage, last.usage) };
}

/** Runs the steps that have no result yet; `known` are in the state, `open` came since. */
async function runPass(
  runner: StepRunner,
  { steps, order }: Pick<Work, "steps" | "order">,
  { known, open }: { readonly known: StepResults; readonly open: StepResults },
  decided: readonly CallToMake[],
) {
  startOpen(runner, { steps, order }, new Map([...known, ...open]), decided);
  const made = await runner.ended();
  const all = new Map([...open, ...made]);
  const results = steps.flatMap(({ id }) => callResult(all.get(id)));
  return { made, results, usage: usageOf([...made.values()].flatMap(callResult)) };
}

/** Whether there are requests to people, and no other result ends the run. */
function isAsking(batch: readonly ToolCallResult[]): boolean {
  return endingIn(batch) === undefined && batch.some((result) => requestsIn(result).length > 0);
}

/** Starts the steps without a result, and those with a decision, in plan order. */
function startOpen(
  runner: StepRunner,
  { steps, order }: Pick<Work, "steps" | "order">,
  results: StepResults,
  decided: readonly CallToMake[],
): void {
  const decisions = new Map(decided.map((call) => [call.id, call]));
  for (const step of steps) {
    const decision = decisions.get(step.id);
    const { kind = "deferred" } = results.get(step.id) ?? {};
    if (decision === undefined && kind !== "deferred") continue;
    runner.start(step, { decided: decision, behind: order.get(step.id) });
  }
}

/** Observations as the results of their steps. */
export function resultsOf(observations: readonly Observation[]): StepResults {
  return resultsById(observations.map((observation) => ({ kind: "observed", observation })));
}

/**
 * The observations of a plan's steps so far, in plan order: new ones and those `known` before. No message has their
 * artifacts; `value` has the data.
 */
export function observationsOf(
  { results }: ToolBatch,
  steps: readonly Step[],
  known: readonly Observation[],
): Observation[] {
  const all = [...known, ...results.flatMap(observationIn)];
  const byId = new Map(all.map((observation) => [observation.callId, observation]));
  return steps.flatMap(({ id }) => {
    const observation = byId.get(id);
    return observation === undefined ? [] : [withoutArtifact(observation)];
  });
}

function withoutArtifact({ artifact: _artifact, ...observation }: Observation): Observation {
  return observation;
}

/** The state update of a superstep of a plan. */
export type PlanWrites = Omit<BatchWrites, "messages"> & {
  readonly messages?: BaseMessage[];
} & Partial<Writes<typeof PlanState, "planning">>;

/** The context of a plan whose steps may be shown in the conversation. */
type Showing = TurnContext & Pick<PlanContext, "showsSteps" | "mayGrow">;

/** The messages that show the steps which ended in this superstep, if they are to be shown. */
function newSteps(
  results: readonly ToolCallResult[],
  steps: readonly Step[],
  { messages, observations }: Conversation,
  { showsSteps = false, run }: Showing,
): BaseMessage[] {
  if (!showsSteps) return [];
  const before = new Set(observations.map(({ callId }) => callId));
  const ended = new Map(results.flatMap(observationIn).map((each) => [each.callId, each]));
  const direct = new Set(results.flatMap((result) => directId(result)));
  const shown = steps.flatMap((step) => {
    const seen = before.has(step.id) ? undefined : ended.get(step.id);
    if (seen === undefined) return [];
    const isAnswer = direct.has(step.id) || (step.kind === "task" && step.final === true);
    // The answer must pass before anybody reads it.
    const { artifact: _artifact, ...held } = seen;
    return run.holdsAnswer && isAnswer && seen.ok ? [{ ...held, content: heldResult }] : [seen];
  });
  return stepMessages(shown, messages, run.runId);
}

/** The id of a call whose result may be the answer as it is. */
function directId(result: ToolCallResult): string[] {
  return result.kind === "observed" && result.direct !== undefined
    ? [result.observation.callId]
    : [];
}

/** Turns the result of a plan's superstep into a state update. */
export function closePlan(
  batch: ToolBatch,
  steps: readonly Step[],
  state: Conversation & Pick<Planning, "planning">,
  context: Showing,
): PlanWrites {
  const { results, waiting } = batch;
  const { run } = context;
  const ending = endingIn(results);
  const observations = observationsOf(batch, steps, state.observations);
  // A plan ends with the result of its last step.
  const { messages = [], end: _end, ...after } = pendingAfter(batch, state, run);
  const added = [...newSteps(results, steps, state, context), ...messages];
  const pending = ending === undefined ? after : { ...after, subRuns: {} };
  const base = {
    ...batchWrites(batch, state, run),
    observations,
    ...withPending(pending, state),
    ...(added.length === 0 ? {} : { messages: added }),
  };
  if (waiting !== undefined) return { ...base, ...waitingEnd(waiting, run) };
  if (ending !== undefined) return { ...base, ...endOfRun(ending, context) };
  const isDone = pending.calls.length === 0 && observations.length === steps.length;
  const direct = isDone ? directAnswer(results, steps, state) : undefined;
  if (direct === undefined) {
    const end = failedEnd(results, observations, run);
    return { ...base, ...end, ...openAfter({ isDone, steps, observations, end }, state, context) };
  }
  const { messages: answer, ...end } = answeredEnd(direct, run);
  return { ...base, ...end, messages: [...added, ...answer] };
}

type Ended = {
  readonly isDone: boolean;
  readonly steps: readonly Step[];
  readonly observations: readonly Observation[];
  readonly end: { readonly outcome?: Outcome };
};

/** What a plan leaves open whose steps have ended, if it may have more steps for that. */
function openAfter(
  { isDone, steps, observations, end }: Ended,
  state: Conversation & Pick<Planning, "planning">,
  { toolbox, run, mayGrow = false }: Showing,
): Partial<Pick<PlanWrites, "planning">> {
  if (!isDone || !mayGrow || end.outcome !== undefined) return {};
  const own = new Set(observations.map(({ callId }) => callId));
  const before = state.observations.filter(({ callId }) => !own.has(callId));
  const seen = { ...state, steps, observations: [...before, ...observations] };
  const open = openInPlan(toolbox, seen, run);
  return open === undefined ? {} : { planning: { ...state.planning, open } };
}

/** How results that a person must see to end the run. */
function failedEnd(
  results: readonly ToolCallResult[],
  observations: readonly Observation[],
  run: Run,
) {
  const unread = unreadEnd(results.flatMap(observationIn), run);
  return unread.outcome === undefined ? toolFailuresEnd(asTheyBegan(observations), run) : unread;
}

/** The result of a finished plan's last step, if it goes to the user as it is. */
function directAnswer(
  results: readonly ToolCallResult[],
  steps: readonly Step[],
  { planning }: Pick<Planning, "planning">,
): string | undefined {
  const last = results.find((result) => callIdOf(result) === steps.at(-1)?.id);
  const isWhole = planning.planningError === undefined;
  return isWhole && last?.kind === "observed" ? last.direct : undefined;
}
