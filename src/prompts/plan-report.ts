import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { evidenceLines } from "./evidence-lines.js";

/** The longest that one result gets in the evidence, in characters. */
const maxChars = 4_000;

/** A plan and what came of its steps, as the models read it; failures are named as such. */
export function planReport(
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  const plan = steps.map(({ id, thought = "", tool, args }) => {
    return `${id}: ${thought} ${tool}(${JSON.stringify(args)})`.replaceAll(/\s+/g, " ");
  });
  const evidence = steps.map(({ id }) => ({ id, value: toldOf(byId.get(id)) }));
  return `This was done:\n${plan.join("\n")}\n\nThe results:\n${evidenceLines(evidence)}`;
}

function toldOf(observation: Observation | undefined): string {
  if (observation === undefined) return "not run";
  const { ok, content } = observation;
  const text = content.length > maxChars ? `${content.slice(0, maxChars)}…` : content;
  return ok ? text : `FAILED. ${text}`;
}
