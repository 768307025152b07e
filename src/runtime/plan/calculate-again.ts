import { idsIn, nextStepId, type ToolStep, withNewReferences } from "../../plan/step.js";
import { takesMore } from "./repair-arguments.js";
import type { Evidence } from "./run-steps.js";

/**
 * The calculations of a plan that would take other figures now, since a later result tells what they lacked, and those that
 * go on with them: as new steps that refer to each other. `calculates`: which tools only calculate.
 */
export function calculatedAgain(
  steps: readonly ToolStep[],
  evidence: readonly Evidence[],
  calculates: (tool: string) => boolean,
): readonly ToolStep[] {
  const renamed = new Map<string, string>();
  const again: ToolStep[] = [];
  for (const step of steps) {
    const goesOn = idsIn(step.args).some((id) => renamed.has(id));
    if (!calculates(step.tool) || !(goesOn || takesMore(step.tool, step.args, evidence))) continue;
    const id = nextStepId(
      [...steps, ...again].map((each) => each.id),
      "tool",
    );
    renamed.set(step.id, id);
    const args = withNewReferences(step.args, (old) => renamed.get(old) ?? old);
    again.push({ ...step, id, args });
  }
  return again;
}
