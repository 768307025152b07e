import type { Step } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { callText } from "./call-text.js";

/** One line for each step of a plan that was not carried out: its task, or `tool(arguments)`. */
export function openLines(steps: readonly Step[], observations: readonly Observation[]): string[] {
  const made = new Set(
    observations.filter(({ ok, attempts }) => ok || attempts > 0).map(({ callId }) => callId),
  );
  return steps.filter(({ id }) => !made.has(id)).map((step) => openLine(step));
}

function openLine(step: Step): string {
  return `- ${step.kind === "task" ? step.task : callText(step)}`;
}
