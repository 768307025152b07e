import type { JsonObject } from "../../json/json.js";
import { numbersIn } from "../../plan/asked-figures.js";
import { figuresIn } from "../../plan/figures.js";
import { callKey, dependenciesOf, idsIn, type Step, type ToolStep } from "../../plan/step.js";
import { swappedRatio } from "../../plan/swapped-ratio.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import { toolsByWork } from "../../roles/tools-by-work.js";
import type { Observation } from "../../state/observation.js";
import { uncompared } from "../compared-names.js";
import { takesMore } from "./repair-arguments.js";
import { purposesOf, withPurposes } from "./run-steps.js";

/** The plan and its results so far, and what the next call is for. */
type SoFar = {
  readonly objective: string;
  readonly steps: readonly ToolStep[];
  readonly observations: readonly Observation[];
  /** The steps whose results the next call has to take. */
  readonly takes: readonly string[];
  readonly forms: readonly ToolForm[];
};

/** What holds for the next calls of a plan. */
type NextCallRules = {
  /** What is wrong with one, in words for the model. */
  readonly issuesOf: (tool: string, args: JsonObject) => string[];
  /** Those of several that were not made yet; all where each was. */
  readonly newCalls: (steps: readonly Step[]) => Promise<readonly Step[]>;
};

/**
 * The rules for the next calls of a plan. Wrong is one that was made already, divides the wrong way round, compares not all
 * that the question lists, leaves out a result that it has to take, or takes one that is not there. A small model that reads
 * of what failed makes it again.
 */
export function nextCallRules(soFar: SoFar): NextCallRules {
  const { objective, steps, observations, forms } = soFar;
  const isMade = madeBefore(soFar);
  const { comparisons } = toolsByWork(forms);
  const wanted = observations.filter(({ callId }) => soFar.takes.includes(callId));
  const ended = new Set(endedSteps(steps, observations));
  const failed = steps.filter((step) => !ended.has(step));
  const issuesOf = (tool: string, args: JsonObject) => {
    const swapped = swappedRatio(objective, [...steps, { kind: "tool", id: "It", tool, args }]);
    const left = comparisons.includes(tool) ? uncompared(objective, args) : [];
    return [
      ...(isMade(tool, args) ? [alreadyMade] : []),
      ...(swapped === undefined ? [] : [swapped]),
      ...left.map((name) => `"${name}" has to be compared, too`),
      ...wanted
        .filter((each) => !takesIt(args, each))
        .map(({ callId }) => `{{${callId}}} has to be in it`),
      ...failed
        .filter(({ id }) => idsIn(args).includes(id))
        .map(({ id }) => `${id} brought no result: write what the results above say`),
    ];
  };
  const newCalls = async (written: readonly Step[]) => {
    const used = new Set(written.flatMap(dependenciesOf));
    const left = written.filter(
      (step) => used.has(step.id) || step.kind === "task" || !isMade(step.tool, step.args),
    );
    return left.length > 0 ? left : written;
  };
  return { issuesOf, newCalls };
}

/** The steps of a plan that have a result. */
export function endedSteps(
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): readonly ToolStep[] {
  const ended = new Set(observations.filter(({ ok }) => ok).map(({ callId }) => callId));
  return steps.filter(({ id }) => ended.has(id));
}

/** Whether a call was made, and would take no figure that it did not have then. */
export function madeBefore({ steps, observations }: Pick<SoFar, "steps" | "observations">) {
  const made = new Set(
    [...steps, ...observations].map(({ tool: name, args }) => callKey({ name, args })),
  );
  const evidence = withPurposes(observations, purposesOf(steps));
  return (tool: string, args: JsonObject) =>
    made.has(callKey({ name: tool, args })) && !takesMore(tool, args, evidence);
}

/** Whether a call takes a result by its step, or a figure of it as it is. */
function takesIt(args: JsonObject, { callId, content }: Observation): boolean {
  const figures = new Set(numbersIn(args));
  return idsIn(args).includes(callId) || figuresIn(content).some((figure) => figures.has(figure));
}

const alreadyMade =
  "this call was made already, and its result is above: write another one, with names and figures from the results in place of references";
