import type { ToolStep } from "../plan/step.js";
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
    `${lastResult(steps, observations)}The last result is usually the answer. Answer in one or two sentences, ` +
      "with the figures and units of the results and nothing else; calculate nothing yourself; say what " +
      "could not be found out.",
  ].join("\n\n");
}

/** The instructions of a step that reasons. */
export const llmInstructions =
  "Do what the user asks with the results that the request contains. Answer briefly, with the result " +
  "alone. Do not make anything up.";
