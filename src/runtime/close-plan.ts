import type { ToolStep } from "../plan/step.js";
import type { Conversation, ConversationState, SoloCall } from "../state/conversation.js";
import type { Outcome } from "../state/outcome.js";
import type { Writes } from "../state/writes.js";
import { personRequests } from "../tools/read-decisions.js";
import { endOfRun, soloCallIn, waitingSubRuns, withSubRuns } from "./close-turn.js";
import { observationsOf } from "./run-plan.js";
import type { Round } from "./rounds.js";
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
  const { run } = context;
  const solo = [...results.flatMap(soloCallIn), ...(state.soloCalls ?? []).slice(1)];
  const soloCalls = inPlanOrder(solo, steps);
  const ending = results.find((result) => result.kind === "observed" && result.ends !== undefined);
  if (soloCalls[0] !== undefined) run.onRecord.add(soloCalls[0].callId);
  return {
    usage,
    run: run.record(),
    observations: observationsOf(round, steps),
    ...(soloCalls.length === 0 && state.soloCalls === undefined
      ? {}
      : { soloCalls: some(soloCalls) }),
    ...withSubRuns(waitingSubRuns(results, state), state),
    ...(state.decisions === undefined ? {} : { decisions: undefined }),
    ...(waiting === undefined ? endOfRun(ending, context) : wait(waiting)),
  };
}

function some(calls: readonly SoloCall[]): readonly SoloCall[] | undefined {
  return calls.length === 0 ? undefined : calls;
}

function wait(waiting: NonNullable<Round["waiting"]>): { outcome: Outcome; answer: string } {
  const requests = personRequests(waiting);
  const answer = requests.action_requests.map(({ description }) => description).join("\n");
  return { outcome: { status: "needs_input", reason: answer, requests }, answer };
}

function inPlanOrder(calls: readonly SoloCall[], steps: readonly ToolStep[]): SoloCall[] {
  const place = ({ callId }: SoloCall) => steps.findIndex(({ id }) => id === callId);
  return calls.toSorted((left, right) => place(left) - place(right));
}
