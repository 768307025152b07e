import type { ToolStep } from "../plan/step.js";
import type { Conversation } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import { addUsage, noUsage } from "../state/usage.js";
import type { ToolCallResult } from "../tools/tool-call.js";
import { askPeople } from "./ask-people.js";
import type { PlanContext } from "./repair-step.js";
import {
  decidedCalls,
  endingIn,
  requestsIn,
  type Round,
  roundAlone,
  stillWaits,
} from "./rounds.js";
import { type CallToMake, callIdOf, observationIn, usageOf } from "./run-turn.js";
import { callResult, runWave, type StepResult } from "./run-wave.js";

/** What of the state says how far a plan is. */
type Open = Pick<Conversation, "observations" | "soloCalls" | "subRuns" | "decisions">;

/**
 * Runs the steps of a valid plan as far as they go in one superstep: first the call that is on record to
 * run alone, then the others side by side, each as soon as what it refers to is there. Each step is a
 * LangGraph task of its own, so that a pause or a crash repeats no finished one. What needs people is asked
 * at once, in plan order, when nothing else can run; what must run alone is left for the next superstep, and
 * so is what is to be asked where a call ran alone.
 */
export async function roundOfPlan(
  steps: readonly ToolStep[],
  state: Open,
  context: PlanContext,
): Promise<Round> {
  const { soloCalls = [], decisions } = state;
  const [solo, ...others] = soloCalls;
  if (solo === undefined) return runWaves(steps, [], state, decisions, context);
  const first = await roundAlone(solo, state, context);
  if (first.waiting !== undefined || endingIn(first.results) !== undefined) return first;
  const elsewhere = new Set(others.map(({ callId }) => callId));
  const here = steps.filter(({ id }) => !elsewhere.has(id));
  const round = await runWaves(here, first.results, state, undefined, context);
  return { ...round, usage: addUsage(first.usage, round.usage) };
}

/** Runs what can run and asks what must be asked, until neither is left. */
async function runWaves(
  steps: readonly ToolStep[],
  begun: readonly ToolCallResult[],
  { observations, subRuns = {} }: Open,
  given: Conversation["decisions"],
  context: PlanContext,
): Promise<Round> {
  const results = new Map<string, StepResult>(begun.map((result) => [callIdOf(result), result]));
  let usage = noUsage;
  let answers = given;
  let decided: readonly CallToMake[] = [];
  for (const subRun of Object.values(subRuns)) {
    if (!results.has(subRun.callId)) results.set(subRun.callId, stillWaits(subRun));
  }
  for (let wave = 1; ; wave += 1) {
    const made = await runWave({ steps, results, decided, observations, wave }, context);
    usage = addUsage(usage, usageOf(made.flatMap(([, result]) => callResult(result))));
    for (const [id, result] of made) results.set(id, result);
    const all = steps.flatMap(({ id }) => callResult(results.get(id)));
    const requests = all.flatMap(requestsIn);
    // A superstep that ran a write asks nothing: resumed, it would not know that the write is done.
    const isAsking = requests.length > 0 && begun.length === 0;
    if (!isAsking || endingIn(all) !== undefined) return { results: all, usage };
    const asked = await askPeople(requests, answers, context.run, context.config);
    if (asked.kind === "cannot_pause") return { results: all, usage, waiting: requests };
    answers = undefined;
    decided = decidedCalls(all, asked.decisions);
  }
}

/** The observations of a plan's steps so far, in plan order: those of the round and those `known` before. */
export function observationsOf(
  { results }: Round,
  steps: readonly ToolStep[],
  known: readonly Observation[],
): Observation[] {
  const all = [...known, ...results.flatMap(observationIn)];
  const byId = new Map(all.map((observation) => [observation.callId, observation]));
  return steps.flatMap(({ id }) => {
    const observation = byId.get(id);
    return observation === undefined ? [] : [observation];
  });
}
