import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { planReport } from "./plan-report.js";

/** What a solver is told when the caller says nothing else. */
export const defaultSolverInstructions =
  "You answer the user's question from results that were found for it. You know no figures, names or " +
  "dates yourself.";

/** Asks for the answer from a plan and what came of its steps; failures are named as such. */
export function solverPrompt(
  objective: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  return [
    `Answer the question: ${objective}`,
    planReport(steps, observations),
    "The last result is usually the answer. Answer in one or two sentences, with the figures and units " +
      "of the results and nothing else; say what could not be found out.",
  ].join("\n\n");
}
