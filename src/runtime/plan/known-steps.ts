import { nextStepId, type ToolStep } from "../../plan/step.js";
import type { PlanTools } from "../../roles/plan-reading.js";
import { toolsByWork } from "../../roles/tools-by-work.js";
import type { Observation } from "../../state/observation.js";
import type { KnownCall, OpenPoint } from "../../state/plan.js";
import { calculatedAgain } from "./calculate-again.js";
import { madeBefore } from "./next-call.js";
import { purposesOf, withPurposes } from "./run-steps.js";

/** The plan and its results so far, and how many steps it may still get. */
type SoFar = {
  readonly steps: readonly ToolStep[];
  readonly observations: readonly Observation[];
  readonly tools: PlanTools;
  readonly left: number;
};

/**
 * The next steps for what is open that no model has to write: the calls for it, where they are known; and the calculations
 * of the plan that lacked what was found later, where something calculated is open.
 */
export async function knownSteps(open: OpenPoint, soFar: SoFar): Promise<readonly ToolStep[]> {
  const { steps, observations, tools, left } = soFar;
  if (open.calls !== undefined) return callsAsSteps(open.calls, soFar);
  const { calculating } = toolsByWork(tools.forms);
  if (!open.of.every((name) => calculating.has(name))) return [];
  const evidence = withPurposes(observations, purposesOf(steps));
  const again = calculatedAgain(steps, evidence, (tool) => calculating.has(tool));
  return again.length > left ? [] : again;
}

/** These calls as new steps, as many as the plan may still get: those that fit their tools and were not made yet. */
async function callsAsSteps(calls: readonly KnownCall[], soFar: SoFar): Promise<ToolStep[]> {
  const isMade = madeBefore(soFar);
  const ids = soFar.steps.map(({ id }) => id);
  const added: ToolStep[] = [];
  for (const { tool, args } of calls) {
    const isNew = !isMade(tool, args) && (await soFar.tools.check(tool, args)).length === 0;
    if (!isNew || added.length >= soFar.left) continue;
    const id = nextStepId([...ids, ...added.map((step) => step.id)], "tool");
    added.push({ kind: "tool", id, tool, args });
  }
  return added;
}
