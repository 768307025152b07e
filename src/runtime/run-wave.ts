import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";

import { canonicalJson } from "../plan/canonical.js";
import { dependenciesOf } from "../plan/dependencies.js";
import type { Json } from "../plan/json.js";
import type { ToolStep } from "../plan/step.js";
import { substituteReferences } from "../plan/substitute-references.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { llmToolName } from "../tools/llm.js";
import { refused } from "../tools/observe-call.js";
import { tellObservation } from "../tools/tell-observation.js";
import type { ToolCall, ToolCallResult } from "../tools/tool-call.js";
import { asTheyBegan } from "./as-they-began.js";
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
  const places = new Map(steps.map(({ id }, at) => [id, at]));
  const before = [...results.values()].flatMap(observationOf);
  const shared = { finished, inSlot, places, before };
  const running = open.map((step): [string, Promise<StepResult>] => {
    const call = decisions.get(step.id);
    const body = () => runStep(step, call, shared, context);
    const result = inTask(taskName(step, call, wave), config, body);
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
  /** Where each step stands in the plan. */
  readonly places: ReadonlyMap<string, number>;
  /** What earlier waves of this superstep brought. */
  readonly before: readonly Observation[];
};

async function runStep(
  step: ToolStep,
  decided: CallToMake | undefined,
  { finished, inSlot, places, before }: Shared,
  context: PlanContext,
): Promise<StepResult> {
  const place = (id: string) => places.get(id) ?? -1;
  const ids = dependenciesOf(step).toSorted((left, right) => place(left) - place(right));
  const needed = await Promise.all(ids.map(async (id) => finished.get(id)));
  if (decided !== undefined) return inSlot(() => runInTask(decided, context));
  const asked = { id: step.id, name: step.tool, args: step.args };
  const found = needed.flatMap(observationOf);
  if (found.length < needed.length) return { kind: "deferred" };
  const held = whySkipped(needed);
  if (held !== undefined) return notRun(asked, "cancelled", held, context);
  const bindings = new Map(found.map((each) => [each.callId, bindingOf(each, step, context)]));
  const substituted = substituteReferences(step.args, bindings);
  if (!substituted.ok) {
    const message = substituted.problems.join("; ");
    return notRun(asked, "invalid_arguments", message, context);
  }
  const call = { ...asked, args: substituted.args };
  // The repetition guard goes by what happened since the same call.
  const observations = asTheyBegan([...context.observations, ...before, ...found]);
  const known = { ...context, observations };
  return inSlot(async () => repairedOnce(step, found, await runInTask(call, known), known));
}

function observationOf(result: StepResult | undefined): Observation[] {
  return result?.kind === "observed" ? [result.observation] : [];
}

/** What a reference to a result becomes: a model that reads a text from outside has it in its fence. */
function bindingOf(
  { tool, value, content }: Observation,
  { tool: reader }: ToolStep,
  { toolbox }: PlanContext,
): Json {
  const isOutside = toolbox.get(tool)?.policy.trust === "untrusted";
  const isFenced = isOutside && reader === llmToolName && typeof value === "string";
  return isFenced ? content : (value ?? content);
}

/** Why a step is not run after these: one of them has no result, or ended the run. */
function whySkipped(needed: readonly (StepResult | undefined)[]): string | undefined {
  for (const result of needed) {
    if (result?.kind !== "observed") continue;
    const { callId, ok } = result.observation;
    if (!ok) return `skipped: it needs the result of ${callId}, which has none.`;
    if (result.ends !== undefined) return "not run: the run ended first.";
  }
  return undefined;
}

/** What becomes of a step that is not run; it is told of as every call is. */
function notRun(
  asked: ToolCall,
  kind: ErrorKind,
  message: string,
  { run }: PlanContext,
): ToolCallResult {
  const observation = refused(asked, kind, message, { run });
  tellObservation(observation, false, run);
  return { kind: "observed", observation };
}

/** Names the step and what was planned for it, so that a changed plan never meets another's result. */
function taskName({ id, tool, args }: ToolStep, decided: CallToMake | undefined, wave: number) {
  const key = canonicalJson({ tool, args });
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 12);
  return `step:${id}:${hash}:${wave}${decided === undefined ? "" : ":decided"}`;
}
