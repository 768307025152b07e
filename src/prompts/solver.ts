import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { evidenceLines } from "./evidence-lines.js";

/** What a solver is told when the caller says nothing else. */
export const defaultSolverInstructions =
  "You answer the user's question from results that were found for it. You know no figures, names or " +
  "dates yourself.";

/** The longest that one result gets in the evidence, in characters. */
const maxChars = 4_000;

/** Asks for the answer from a plan and what came of its steps; failures are named as such. */
export function solverPrompt(
  objective: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  const plan = steps.map(({ id, thought = "", tool, args }) => {
    return `${id}: ${thought} ${tool}(${JSON.stringify(args)})`.replaceAll(/\s+/g, " ");
  });
  const evidence = steps.map(({ id }) => ({ id, value: toldOf(byId.get(id)) }));
  return [
    `Answer the question: ${objective}`,
    `This was done:\n${plan.join("\n")}`,
    `The results:\n${evidenceLines(evidence)}`,
    "The last result is usually the answer. Answer in one or two sentences, with the figures and units " +
      "of the results and nothing else; say what could not be found out.",
  ].join("\n\n");
}

function toldOf(observation: Observation | undefined): string {
  if (observation === undefined) return "not run";
  const { ok, content } = observation;
  const text = content.length > maxChars ? `${content.slice(0, maxChars)}…` : content;
  return ok ? text : `FAILED. ${text}`;
}
