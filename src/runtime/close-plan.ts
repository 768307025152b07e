import type { ToolStep } from "../plan/step.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";
import type { Outcome } from "../state/outcome.js";
import type { Planning } from "../state/plan.js";
import { callIdOf, observationIn } from "./book-result.js";
import {
  putOnRecord,
  soloCallsKept,
  waitingEnd,
  waitingSubRuns,
  withSubRuns,
} from "./close-turn.js";
import { endOfRun, unreadEnd } from "./end-of-turn.js";
import { endingIn, type Round } from "./rounds.js";
import { observationsOf } from "./run-plan.js";
import type { TurnContext } from "./run-turn.js";

/** What a superstep of a plan writes. */
export type PlanWrites = Writes<
  typeof ConversationState,
  "observations" | "usage" | "run" | "soloCalls" | "subRuns" | "decisions" | "outcome" | "answer"
>;

/** Turns what a superstep of a plan brought into state: results, and the next calls that run alone. */
export function closePlan(
  round: Round,
  steps: readonly ToolStep[],
  state: Conversation & Pick<Planning, "unplanned">,
  context: TurnContext,
): PlanWrites {
  const { results, usage, waiting } = round;
  const ending = endingIn(results);
  const subRuns = ending === undefined ? waitingSubRuns(results, state) : {};
  const observations = observationsOf(round, steps, state.observations);
  const base = {
    usage,
    run: context.run.record(),
    observations,
    ...withSubRuns(subRuns, state),
    ...(state.decisions === undefined ? {} : { decisions: undefined }),
  };
  if (waiting !== undefined)
    return { ...base, ...soloCallsKept(round, state), ...waitingEnd(waiting, context.run) };
  const { alone = [] } = round;
  putOnRecord(alone, context.run);
  const next = alone.length === 0 ? undefined : alone;
  return {
    ...base,
    ...(next === state.soloCalls ? {} : { soloCalls: next }),
    ...(ending === undefined
      ? (directEnd(round, steps, { ...state, observations, soloCalls: next }) ??
        unreadEnd(results.flatMap(observationIn), context.run))
      : endOfRun(ending, context)),
  };
}

/** The end that a plan's last step gives the run, where its result is for the user as it is and nothing else is open. */
function directEnd(
  { results }: Round,
  steps: readonly ToolStep[],
  { observations, soloCalls, unplanned }: Conversation & Pick<Planning, "unplanned">,
): { readonly outcome: Outcome; readonly answer: string } | undefined {
  const done = new Set(observations.map(({ callId }) => callId));
  const isDone = soloCalls === undefined && steps.every(({ id }) => done.has(id));
  const last = results.find((result) => callIdOf(result) === steps.at(-1)?.id);
  const direct = last?.kind === "observed" ? last.direct : undefined;
  return isDone && unplanned === undefined && direct !== undefined
    ? { outcome: { status: "answered" }, answer: direct }
    : undefined;
}
