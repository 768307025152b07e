import { canonicalJson, type JsonObject } from "../../json/json.js";
import { substituteReferences } from "../../plan/references.js";
import { judgeStep, resultsIn } from "../../plan/step-verdict.js";
import {
  callOfStep,
  dependenciesOf,
  referencesIn,
  type Step,
  type ToolStep,
  valuesIn,
} from "../../plan/step.js";
import { fenceUntrusted } from "../../prompts/fence.js";
import { createSlots } from "../../run/slots.js";
import type { Observation } from "../../state/observation.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../../state/usage.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { maxKeptChars } from "../../tools/kept-result.js";
import { withFileNames } from "../../tools/result-files.js";
import type { ToolCall, ToolCallResult } from "../../tools/tool-call.js";
import { capResult } from "../../tools/tool-result.js";
import { hasBegunBefore, inTask, taskName } from "../in-task.js";
import {
  asTheyBegan,
  type CallToMake,
  type Earlier,
  replayUsage,
  runInOrder,
  runInTask,
  type StepResult,
  type StepResults,
  type TurnContext,
} from "../run-calls.js";
import { notRun, skippedFor, stepEnds, tooLargeFor, untaken, withStandIn } from "./step-end.js";
import { allEnded, observationOf, type StepGate } from "./step-gate.js";

/** Runs the steps of a plan, which may still grow. */
export type StepRunner = {
  /** Starts a step, once. It runs as soon as its dependencies have results and a slot is free. */
  readonly start: (step: Step, how?: StepStart) => void;
  /** The results of the started steps, when all of them have ended. */
  readonly ended: () => Promise<StepResults>;
};

/** How a step starts. */
type StepStart = {
  /** The decision of people on its call. */
  readonly decided?: CallToMake | undefined;
  /** The ids of earlier steps that it waits for, whatever their results. */
  readonly behind?: readonly string[] | undefined;
};

/**
 * Opens a runner. Steps must be started in plan order, because LangGraph identifies tasks by their order of call.
 * `known` are earlier results.
 */
export function openStepRunner(known: StepResults, pass: number, context: PlanContext): StepRunner {
  const { run, config } = context;
  const inSlot = createSlots(run.settings.concurrency);
  const finished = new Map<string, Promise<StepResult>>(
    [...known].map(([id, result]) => [id, Promise.resolve(result)]),
  );
  const observed = [...known.values()].flatMap(observationOf);
  const ended: Observation[] = [];
  const running = new Map<string, Promise<StepResult>>();
  const purposes = purposesOf(context.planned);
  return {
    start: (step, { decided, behind = [] } = {}) => {
      if (running.has(step.id)) return;
      purposes.set(step.id, purposeOf(step));
      const name = () => nameOf(step, pass, decided);
      const isOpen = (id: string) => known.get(id)?.kind !== "observed";
      const before = behind.filter(isOpen);
      const earlier = before.length === 0 ? undefined : () => resultsOf(before, finished);
      const shared = { finished, inSlot, known: observed, ended, purposes, earlier };
      const body = () => runStep(step, decided, shared, context);
      const result = inTask(name, config, body, (recorded) => replayUsage(recorded, run));
      const note = (end: StepResult) => {
        ended.push(...observationOf(end));
        context.gate.ended(step.id, end);
      };
      // `ended` reports a failed task.
      result.then(note).catch(() => undefined);
      running.set(step.id, result);
      finished.set(step.id, result);
    },
    ended: async () => {
      const results = new Map<string, StepResult>();
      for (const [id, result] of running) results.set(id, await result);
      return results;
    },
  };
}

/** What the steps of a runner share. */
type Shared = {
  readonly finished: ReadonlyMap<string, Promise<StepResult>>;
  readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
  /** The results from before the runner. */
  readonly known: readonly Observation[];
  /** The results of its steps that have ended. */
  readonly ended: readonly Observation[];
  /** What the steps are for, in words, by id. */
  readonly purposes: ReadonlyMap<string, string>;
  /** Waits for earlier steps without a result. */
  readonly earlier: Earlier | undefined;
};

/** What steps are for, in words, by id. */
export function purposesOf(steps: readonly Step[]): Map<string, string> {
  return new Map(steps.map((step) => [step.id, purposeOf(step)]));
}

function purposeOf(step: Step): string {
  return step.kind === "task" ? step.task : (step.thought ?? "");
}

/** What is known when a step is repaired: what was known before, and the results of all steps that have ended. */
function evidenceOf(
  before: readonly Observation[],
  { known, ended, purposes }: Shared,
): readonly Evidence[] {
  const byId = new Map([...before, ...known, ...ended].map((each) => [each.callId, each]));
  return withPurposes([...byId.values()], purposes);
}

/** Results with what their steps are for, in words, by id. */
export function withPurposes(
  observations: readonly Observation[],
  purposes: ReadonlyMap<string, string>,
): readonly Evidence[] {
  return observations.map((each) => ({ ...each, purpose: purposes.get(each.callId) ?? "" }));
}

async function resultsOf(
  ids: readonly string[],
  finished: Shared["finished"],
): Promise<(StepResult | undefined)[]> {
  return Promise.all(ids.map(async (id) => finished.get(id)));
}

async function runStep(
  step: Step,
  decided: CallToMake | undefined,
  shared: Shared,
  context: PlanContext,
): Promise<StepResult> {
  const { finished, inSlot, earlier } = shared;
  const places = [...finished.keys()];
  const ids = dependenciesOf(step).toSorted(
    (left, right) => places.indexOf(left) - places.indexOf(right),
  );
  const needed = await resultsOf(ids, finished);
  const found = needed.flatMap(observationOf);
  if (decided !== undefined) {
    return runInOrder(decided, earlier, context, (knowing) =>
      inSlot(async () => withStandIn(step, await throughGate(decided, knowing), found, context)),
    );
  }
  if (!allEnded(needed)) return { kind: "deferred" };
  const refusal = whyNotRun(step, needed, context);
  if (refusal !== undefined) return withStandIn(step, refusal, found, context);
  const { call, unfit } = filledCall(step, found, context);
  if (unfit?.asksText === false) return withStandIn(step, unfit.refusal, found, context);
  // The repetition guard looks at what happened since the same call.
  const observations = asTheyBegan([...context.observations, ...shared.known, ...found]);
  return runInOrder(call, earlier, { ...context, observations }, (knowing, before) =>
    inSlot(async () => {
      const isHeld = !context.gate.mayStart([...needed, ...before]) && !(await hasBegunBefore());
      if (isHeld) return { kind: "deferred" };
      const first = unfit?.refusal ?? (await throughGate(call, knowing));
      if (found.length === 0) return withStandIn(step, first, found, knowing);
      const evidence = () => evidenceOf([...context.observations, ...found], shared);
      const made = await repairedOnce(step, evidence, first, knowing);
      return withStandIn(step, made, found, knowing);
    }),
  );
}

/** The refusal of a step whose call is not to be made, or cannot be. */
function whyNotRun(
  step: Step,
  needed: readonly (StepResult | undefined)[],
  context: PlanContext,
): ToolCallResult | undefined {
  if (step.kind === "task") return undefined;
  const asked = callOfStep(step);
  const found = needed.flatMap(observationOf);
  const tooLarge = whyTooLarge(step, found);
  if (tooLarge !== undefined) {
    return notRun(asked, { kind: "invalid_arguments", message: tooLarge }, context);
  }
  const ends = stepEnds(found);
  const verdict = judgeStep(step, ends);
  if (verdict.kind === "skipped") return notRun(asked, skippedFor(verdict.waitedFor), context);
  if (needed.some(endsRun)) {
    return notRun(asked, { kind: "cancelled", message: "not run: the run ended first." }, context);
  }
  return verdict.kind === "untaken" ? notRun(asked, untaken(verdict.reason), context) : undefined;
}

type FilledCall = {
  readonly call: ToolCall;
  readonly unfit?: {
    readonly refusal: ToolCallResult;
    /** A field of a text was asked for: what its name says may stand there. */
    readonly asksText: boolean;
  };
};

/** The call of a step with its references filled; or as it was planned, with a refusal, where one leads nowhere. */
function filledCall(step: Step, found: readonly Observation[], context: PlanContext): FilledCall {
  const asked = callOfStep(step);
  if (step.kind === "task") return { call: asked };
  const bindings = resultsIn(stepEnds(found));
  const written = step.tool === llmToolName ? fencing(found, context) : undefined;
  const substituted = substituteReferences(withFileNames(step, found, context), bindings, written);
  if (substituted.ok) return { call: { ...asked, args: substituted.args } };
  const message = substituted.problems.join("; ");
  const refusal = notRun(asked, { kind: "invalid_arguments", message }, context);
  const asksText = referencesIn(step.args).some(
    ({ id, path }) => path.length > 0 && typeof bindings.get(id) === "string",
  );
  return { call: asked, unfit: { refusal, asksText } };
}

/** Makes a step's call, and notifies the gate. */
async function throughGate(call: CallToMake, context: PlanContext): Promise<ToolCallResult> {
  context.gate.begun(call.id);
  const result = await runInTask(call, context);
  // The next step in this slot asks the gate at once.
  context.gate.ended(call.id, result);
  return result;
}

/** Why a step cannot get a result that it refers to: it is too large to keep, and a part of it would be wrong. */
function whyTooLarge(
  { args, when = [] }: ToolStep,
  found: readonly Observation[],
): string | undefined {
  const large = tooLargeFor([args, ...valuesIn(when)], found);
  if (large === undefined) return undefined;
  return (
    `the result of ${large.callId} has ${large.notKept} characters: too large to keep for other steps, ` +
    `which may be given up to ${maxKeptChars}. Ask ${large.tool} for a smaller part of it.`
  );
}

/** The longest result that a reasoning step reads whole, in characters, unless its tool's policy says otherwise. */
const maxReasonedChars = 64_000;

/** How a reasoning step reads results: cut to what a model reads, and fenced when untrusted. */
function fencing(
  found: readonly Observation[],
  { toolbox, run }: PlanContext,
): (id: string, text: string) => string {
  return (id, text) => {
    const { tool = "" } = found.find(({ callId }) => callId === id) ?? {};
    const { trust, maxResultChars = maxReasonedChars } = toolbox.get(tool)?.policy ?? {};
    const read = capResult(text, maxResultChars);
    return trust === "untrusted" ? fenceUntrusted(tool, read, run.runId) : read;
  };
}

function endsRun(result: StepResult | undefined): boolean {
  return result?.kind === "observed" && result.ends !== undefined;
}

function nameOf(step: Step, pass: number, decided: CallToMake | undefined) {
  const { id, name: tool, args } = callOfStep(step);
  const parts = decided === undefined ? [] : ["decided"];
  return taskName(`step:${id}`, canonicalJson({ tool, args }), String(pass), ...parts);
}

/** Repaired arguments, if the repair succeeded. */
type Repaired = { readonly args: JsonObject | undefined; readonly usage: Usage };

/** The result of a step, with the purpose of the step in words. */
export type Evidence = Observation & { readonly purpose: string };

/** Repairs the arguments of a step whose call failed. */
export type Repair = (
  step: ToolStep,
  evidence: readonly Evidence[],
  failed: Observation,
) => Promise<Repaired>;

/** What the steps of a plan need beside what every call needs. */
export type PlanContext = TurnContext & {
  /** The steps of the plan in the state; a plan that is being written has more. */
  readonly planned: readonly Step[];
  /** Repairs arguments after a result did not fit. */
  readonly repair?: Repair;
  /** Decides which steps a superstep starts. */
  readonly gate: StepGate;
  /** Whether the steps are shown in the conversation. */
  readonly showsSteps?: boolean | undefined;
  /** Whether more steps are asked for where the results leave something open; default false. */
  readonly mayGrow?: boolean | undefined;
};

/** Repeats a call once, with repaired arguments, when a reference made it fail. */
async function repairedOnce(
  step: Step,
  evidence: () => readonly Evidence[],
  result: ToolCallResult,
  context: PlanContext,
): Promise<ToolCallResult> {
  const { run, repair } = context;
  if (repair === undefined || step.kind === "task") return result;
  if (result.kind !== "observed" || !isUnfit(result.observation)) return result;
  const { id, tool } = step;
  const { args, usage } = await repair(step, evidence(), result.observation);
  if (args === undefined) return withUsage(result, usage);
  run.emit({ type: "arguments_repaired", callId: id, tool, content: { args } });
  const first = result.observation.attempts > 0 ? toolUsage(1) : noUsage;
  const again = await runInTask({ id, name: tool, args }, context);
  return withUsage(again, addUsage(first, usage));
}

function isUnfit({ ok, error }: Observation): boolean {
  return !ok && (error?.kind === "invalid_arguments" || error?.kind === "rejected");
}

function withUsage(result: ToolCallResult, used: Usage): ToolCallResult {
  if (result.kind !== "observed") {
    return { ...result, used: addUsage(result.used ?? noUsage, used) };
  }
  const { observation } = result;
  const usage = addUsage(observation.usage ?? noUsage, used);
  return { ...result, observation: { ...observation, usage } };
}
