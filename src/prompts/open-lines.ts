import type { Step } from "../plan/step.js";
import type { Observation } from "../state/observation.js";

/** One line for each step of a plan that was not carried out: its task, or `tool(arguments)`. */
export function openLines(steps: readonly Step[], observations: readonly Observation[]): string[] {
  const made = new Set(
    observations.filter(({ ok, attempts }) => ok || attempts > 0).map(({ callId }) => callId),
  );
  return steps.filter(({ id }) => !made.has(id)).map((step) => openLine(step));
}

function openLine(step: Step): string {
  if (step.kind === "task") return `- ${step.task}`;
  return `- ${step.tool}(${JSON.stringify(step.args)})`;
}
