import { idsIn, nextStepId, textsIn, type ToolStep, withNewReferences } from "../../plan/step.js";
import { isKnown } from "../messages.js";
import { takesMore } from "./repair-arguments.js";
import type { Evidence } from "./run-steps.js";

/**
 * The calculations of a plan that would take other figures now, since a later result tells what they lacked, and those that
 * go on with them: as new steps that refer to each other. What failed gives way to the one result that was found by the same
 * name; without, the calculation is not made. `calculates`: which tools only calculate.
 */
export function calculatedAgain(
  steps: readonly ToolStep[],
  evidence: readonly Evidence[],
  calculates: (tool: string) => boolean,
): readonly ToolStep[] {
  const renamed = standIns(evidence, calculates);
  const failed = new Set(evidence.filter(({ ok }) => !ok).map(({ callId }) => callId));
  const madeAgain = new Set<string>();
  const again: ToolStep[] = [];
  for (const step of steps) {
    const needs = idsIn(step.args);
    const isWhole = needs.every((id) => renamed.has(id) || !failed.has(id));
    const goesOn = needs.some((id) => madeAgain.has(id));
    const isOther = goesOn || takesMore(step.tool, step.args, evidence);
    if (!calculates(step.tool) || !isWhole || !isOther) continue;
    const id = nextStepId(
      [...steps, ...again].map((each) => each.id),
      "tool",
    );
    renamed.set(step.id, id);
    madeAgain.add(step.id);
    const args = withNewReferences(step.args, (old) => renamed.get(old) ?? old);
    again.push({ ...step, id, args });
  }
  return again;
}

/** The steps in whose place others have found something by the same name, with the ids of these. */
function standIns(
  evidence: readonly Evidence[],
  calculates: (tool: string) => boolean,
): Map<string, string> {
  const found = evidence.filter((one) => one.ok && isKnown(one) && !calculates(one.tool));
  const failed = evidence.filter((one) => !one.ok && !calculates(one.tool));
  return new Map(
    failed.flatMap(({ callId, args }) => {
      const names = textsIn(args);
      const [only, ...others] = found.filter((one) =>
        textsIn(one.args).some((text) => names.includes(text)),
      );
      return only === undefined || others.length > 0 ? [] : [[callId, only.callId] as const];
    }),
  );
}
