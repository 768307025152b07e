import { redact } from "../observe/redact.js";
import { handOffSentence, handOverSummary } from "../prompts/closing.js";
import { withoutFences } from "../prompts/results.js";
import type { Conversation } from "../state/conversation.js";
import { type HandOffCause, isDeclined, type Outcome } from "../state/outcome.js";
import type { Planning } from "../state/plan.js";
import type { Usage } from "../state/usage.js";
import { handOff } from "../tools/builtin/people.js";
import { clarifiedQuestion } from "./last-question.js";

/** What a run ends with. */
export type Ending = {
  readonly answer: string;
  readonly outcome: Outcome;
  /** What putting it into words used. */
  readonly usage: Usage;
  readonly structuredResponse?: Conversation["structuredResponse"];
};

/**
 * An ending as it is told: one that a person takes over for is handed off, and whatever is handed off is summed up
 * for that person.
 */
export function handedOver(
  ending: Ending,
  state: Conversation & Partial<Planning>,
  causes: readonly HandOffCause[],
): Ending {
  const { status, reason = "", cause = "failure", summary } = ending.outcome;
  const isTakenOver = status === "failed" && causes.includes(isDeclined(cause) ? "failure" : cause);
  if (status !== "handed_off" && !isTakenOver) return ending;
  const outcome: Outcome = {
    ...ending.outcome,
    status: "handed_off",
    ...(isTakenOver ? { cause } : {}),
    reason,
    summary: summary ?? summaryOf(state, reason),
  };
  return { ...ending, outcome, answer: handOffSentence(reason) };
}

function summaryOf(state: Conversation & Partial<Planning>, reason: string): string {
  const { messages, observations, objective = "", steps = [] } = state;
  const question = objective === "" ? clarifiedQuestion(messages) : objective;
  // That it handed off is told by the reason.
  const calls = withoutFences(observations.filter(({ tool }) => tool !== handOff.name));
  const others = steps.filter((step) => step.kind === "task" || step.tool !== handOff.name);
  return redact(handOverSummary({ question, observations: calls, steps: others, reason }));
}
