import type { ToolStep } from "../plan/step.js";
import { alsoAsked } from "../prompts/also-asked.js";
import { lastResult, planReport } from "../prompts/plan-report.js";
import type { Observation } from "../state/observation.js";

/** The default instructions of a solver. */
export const defaultSolverInstructions =
  "You answer the user's question from results that were found for it. You know no figures, names or " +
  "dates yourself.";

/** Asks for the answer from the results of a plan. */
export function solverPrompt(
  objective: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  return [
    planReport(steps, observations),
    `Answer the question: ${objective}`,
    `${lastResult(steps, observations)}${howToAnswer(objective, steps, observations)}`,
  ].join("\n\n");
}

/** A small model that reads about answers writes one, whether there is a result or not. */
function howToAnswer(
  objective: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  const found = new Set(observations.filter(({ ok }) => ok).map(({ callId }) => callId));
  if (steps.length > 0 && steps.every(({ id }) => !found.has(id))) {
    return "No step brought a result: the question cannot be answered. Say so in one sentence, with the reason, and give no figure.";
  }
  const last = steps.at(-1);
  const hint =
    last === undefined || found.has(last.id)
      ? "The last result is usually the answer."
      : "The last step brought no result: if the others do not hold the answer, say what is missing.";
  return (
    `${hint}${alsoAsked(objective, observations)} Answer in one or two sentences, with the figures and units of the results and nothing else; ` +
    "calculate nothing yourself; say what could not be found out."
  );
}

/** The instructions of a step that reasons. */
export const llmInstructions =
  "Do what the user asks with the results that the request contains. Answer briefly, with the result " +
  "alone. Do not make anything up.";
