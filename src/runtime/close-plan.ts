import type { ToolStep } from "../plan/step.js";
import type { Conversation, ConversationState } from "../state/conversation.js";
import type { Writes } from "../state/writes.js";
import {
  nextSoloCalls,
  putOnRecord,
  waitingEnd,
  waitingSubRuns,
  withSubRuns,
} from "./close-turn.js";
import { endOfRun, unreadEnd } from "./end-of-turn.js";
import { observationsOf } from "./run-plan.js";
import { endingIn, requestsIn, type Round } from "./rounds.js";
import { callIdOf, observationIn } from "./book-result.js";
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
  const quiet = results.filter((result) => requestsIn(result).length === 0);
  const soloCalls = nextSoloCalls(quiet, steps, state);
  putOnRecord(soloCalls, context.run);
  const next = soloCalls.length === 0 ? undefined : soloCalls;
  return {
    ...base,
    ...(next === state.soloCalls ? {} : { soloCalls: next }),
    ...(ending === undefined
      ? unreadEnd(results.flatMap(observationIn), context.run)
      : endOfRun(ending, context)),
  };
}

/**
 * Where the run ends to wait: the call that is on record stays so if it is what people are asked about.
 * Calls that have not begun are found again; on record, they would pass for ones that have.
 */
function soloCallsKept({ results }: Round, { soloCalls }: Conversation) {
  const isMade = results.some((result) => callIdOf(result) === soloCalls?.[0]?.callId);
  return isMade ? { soloCalls: undefined } : {};
}
