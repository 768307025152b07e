import type { ToolStep } from "../plan/step.js";
import type { Conversation, ConversationState } from "../state/conversation.js";
import type { Writes } from "../state/writes.js";
import {
  putOnRecord,
  soloCallsKept,
  waitingEnd,
  waitingSubRuns,
  withSubRuns,
} from "./close-turn.js";
import { endOfRun, unreadEnd } from "./end-of-turn.js";
import { observationsOf } from "./run-plan.js";
import { endingIn, type Round } from "./rounds.js";
import { observationIn } from "./book-result.js";
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
  state: Conversation,
  context: TurnContext,
): PlanWrites {
  const { results, usage, waiting } = round;
  const ending = endingIn(results);
  const subRuns = ending === undefined ? waitingSubRuns(results, state) : {};
  const base = {
    usage,
    run: context.run.record(),
    observations: observationsOf(round, steps, state.observations),
    ...withSubRuns(subRuns, state),
    ...(state.decisions === undefined ? {} : { decisions: undefined }),
  };
  if (waiting !== undefined)
    return { ...base, ...soloCallsKept(round, state), ...waitingEnd(waiting) };
  const { alone = [] } = round;
  putOnRecord(alone, context.run);
  const next = alone.length === 0 ? undefined : alone;
  return {
    ...base,
    ...(next === state.soloCalls ? {} : { soloCalls: next }),
    ...(ending === undefined
      ? unreadEnd(results.flatMap(observationIn), context.run)
      : endOfRun(ending, context)),
  };
}
