import { hash } from "node:crypto";
import { setMaxListeners } from "node:events";

import { canonicalJson } from "../plan/canonical.js";
import { dependenciesOf } from "../plan/dependencies.js";
import type { Json } from "../plan/json.js";
import type { ToolStep } from "../plan/step.js";
import { substituteReferences } from "../plan/substitute-references.js";
import type { Observation } from "../state/observation.js";
import { refused } from "../tools/observe-call.js";
import type { ToolCallResult } from "../tools/tool-call.js";
import { inTask } from "./in-task.js";
import { type PlanContext, repairedOnce } from "./repair-step.js";
import { bookResult, type CallToMake, runInTask } from "./run-turn.js";
import { createSlots } from "./slots.js";

/** What became of a step: that of its call, or that it waits for a step that has no result yet. */
export type StepResult = ToolCallResult | { readonly kind: "deferred" };

/** The result of a step's call, where it has one. */
export function callResult(result: StepResult | undefined): ToolCallResult[] {
  return result === undefined || result.kind === "deferred" ? [] : [result];
}

/** One pass over the plan. */
type Wave = {
  readonly steps: readonly ToolStep[];
  readonly results: ReadonlyMap<string, StepResult>;
  /** Calls that people decided on. */
  readonly decided: readonly CallToMake[];
  /** What was known before this superstep. */
  readonly observations: readonly Observation[];
  readonly wave: number;
};

/**
 * Calls the tasks of all open steps at once, in plan order: LangGraph knows them by it. Their bodies wait
 * for what they refer to, and for a slot.
 */
export async function runWave(
  { steps, results, decided, observations, wave }: Wave,
  context: PlanContext,
): Promise<[string, StepResult][]> {
  const { run, config } = context;
  const inSlot = createSlots(run.settings.concurrency);
  // Every task of LangGraph's listens to the node's signal.
  if (config.signal !== undefined) setMaxListeners(0, config.signal);
  const finished = new Map<string, Promise<StepResult>>();
  for (const observation of observations) {
    finished.set(observation.callId, Promise.resolve({ kind: "observed", observation }));
  }
  for (const [id, result] of results) finished.set(id, Promise.resolve(result));
  const decisions = new Map(decided.map((call) => [call.id, call]));
  const open = steps.filter(
    ({ id }) => decisions.has(id) || isOpen(results.get(id), finished.has(id)),
  );
  const running = open.map((step): [string, Promise<StepResult>] => {
    const call = decisions.get(step.id);
    const body = () => runStep(step, call, { finished, inSlot }, context);
    const result = inTask(() => taskName(step, call, wave), config, body);
    finished.set(step.id, result);
    return [step.id, result];
  });
  const made = await Promise.all(
    running.map(async ([id, result]): Promise<[string, StepResult]> => [id, await result]),
  );
  for (const result of made.flatMap(([, each]) => callResult(each))) bookResult(result, run);
  return made;
}

function isOpen(result: StepResult | undefined, isKnown: boolean): boolean {
  return result === undefined ? !isKnown : result.kind === "deferred";
}

/** What steps of a wave share. */
type Shared = {
  readonly finished: ReadonlyMap<string, Promise<StepResult>>;
  readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
};

async function runStep(
  step: ToolStep,
  decided: CallToMake | undefined,
  { finished, inSlot }: Shared,
  context: PlanContext,
): Promise<StepResult> {
  const needed = await Promise.all(
    dependenciesOf(step).map(async (id) => ({ id, result: await finished.get(id) })),
  );
  if (decided !== undefined) return inSlot(() => runInTask(decided, context));
  const asked = { id: step.id, name: step.tool, args: step.args };
  const found = needed.flatMap(({ result }) =>
    result?.kind === "observed" ? [result.observation] : [],
  );
  if (found.length < needed.length) return { kind: "deferred" };
  const failed = found.find(({ ok }) => !ok);
  if (failed !== undefined) {
    const message = `skipped: it needs the result of ${failed.callId}, which has none.`;
    return { kind: "observed", observation: refused(asked, "cancelled", message, context) };
  }
  const bindings = new Map(
    found.map(({ callId, value, content }): [string, Json] => [callId, value ?? content]),
  );
  const substituted = substituteReferences(step.args, bindings);
  if (!substituted.ok) {
    const message = substituted.problems.join("; ");
    return { kind: "observed", observation: refused(asked, "invalid_arguments", message, context) };
  }
  const call = { ...asked, args: substituted.args };
  const known = { ...context, observations: [...context.observations, ...found] };
  return inSlot(async () => repairedOnce(step, found, await runInTask(call, known), known));
}

/** Names the step and what was planned for it, so that a changed plan never meets another's result. */
function taskName({ id, tool, args }: ToolStep, decided: CallToMake | undefined, wave: number) {
  const key = canonicalJson({ tool, args });
  const digest = hash("sha256", key).slice(0, 12);
  return `step:${id}:${digest}:${wave}${decided === undefined ? "" : ":decided"}`;
}
