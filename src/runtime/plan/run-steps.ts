import { canonicalJson, type JsonObject } from "../../json/json.js";
import { substituteReferences } from "../../plan/references.js";
import {
  callOfStep,
  dependenciesOf,
  referencesIn,
  type Step,
  type ToolStep,
} from "../../plan/step.js";
import { fenceUntrusted } from "../../prompts/fence.js";
import type { ErrorKind, Observation } from "../../state/observation.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../../state/usage.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { maxKeptChars, wholeValue } from "../../tools/kept-result.js";
import {
  refused,
  emitToolEvents,
  type ToolCall,
  type ToolCallResult,
} from "../../tools/tool-call.js";
import { capResult } from "../../tools/tool-result.js";
import { hasBegunBefore, inTask, taskName } from "../in-task.js";
import {
  asTheyBegan,
  type CallToMake,
  createSlots,
  type Earlier,
  replayUsage,
  runInOrder,
  runInTask,
  type StepResult,
  type StepResults,
  type TurnContext,
} from "../run-calls.js";
import { allEnded, type StepGate } from "./step-gate.js";

/** One pass over a plan, which may still be growing. */
export type StepRunner = {
  /** Starts a step, once: it runs as soon as what it waits for, and a slot, is there. */
  readonly start: (step: Step, how?: StepStart) => void;
  /** What became of the steps that were started, when all of them have ended. */
  readonly ended: () => Promise<StepResults>;
};

/** How a step starts. */
type StepStart = {
  /** What people said of its call. */
  readonly decided?: CallToMake | undefined;
  /** The ids of the steps before it that it waits for, whatever came of them. */
  readonly behind?: readonly string[] | undefined;
};

/**
 * Opens a pass over a plan. LangGraph knows tasks by their order of call: steps are to be started in the
 * order of the plan, whatever they wait for. `known` are the results there are already.
 */
export function openStepRunner(known: StepResults, pass: number, context: PlanContext): StepRunner {
  const { run, config } = context;
  const inSlot = createSlots(run.settings.concurrency);
  const finished = new Map<string, Promise<StepResult>>(
    [...known].map(([id, result]) => [id, Promise.resolve(result)]),
  );
  const observed = [...known.values()].flatMap(observationOf);
  const running = new Map<string, Promise<StepResult>>();
  return {
    start: (step, { decided, behind = [] } = {}) => {
      if (running.has(step.id)) return;
      const name = () => nameOf(step, pass, decided);
      const isOpen = (id: string) => known.get(id)?.kind !== "observed";
      const before = behind.filter(isOpen);
      const earlier = before.length === 0 ? undefined : () => resultsOf(before, finished);
      const shared = { finished, inSlot, known: observed, earlier };
      const body = () => runStep(step, decided, shared, context);
      const result = inTask(name, config, body, (recorded) => replayUsage(recorded, run));
      // A failed task is told of where the runner ends, not before.
      result.then((ended) => context.gate.ended(step.id, ended)).catch(() => undefined);
      running.set(step.id, result);
      finished.set(step.id, result);
    },
    ended: async () => {
      const ended = new Map<string, StepResult>();
      for (const [id, result] of running) ended.set(id, await result);
      return ended;
    },
  };
}

/** What steps of a runner share. */
type Shared = {
  readonly finished: ReadonlyMap<string, Promise<StepResult>>;
  readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
  /** What was known before the runner. */
  readonly known: readonly Observation[];
  /** Waits for the steps before this one that it waits for, as far as they have no result yet. */
  readonly earlier: Earlier | undefined;
};

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
  if (decided !== undefined) {
    return runInOrder(decided, earlier, context, (knowing) =>
      inSlot(() => throughGate(decided, knowing)),
    );
  }
  if (!allEnded(needed)) return { kind: "deferred" };
  const call = callFor(step, needed, context);
  if ("kind" in call) return call;
  const found = needed.flatMap(observationOf);
  // The repetition guard goes by what happened since the same call.
  const observations = asTheyBegan([...context.observations, ...shared.known, ...found]);
  return runInOrder(call, earlier, { ...context, observations }, (knowing, before) =>
    inSlot(async () => {
      const isHeld = !context.gate.mayStart([...needed, ...before]) && !(await hasBegunBefore());
      if (isHeld) return { kind: "deferred" };
      return repairedOnce(step, found, await throughGate(call, knowing), knowing);
    }),
  );
}

/** The call of a step whose references are filled; or what becomes of it where it cannot be made. */
function callFor(
  step: Step,
  needed: readonly (StepResult | undefined)[],
  context: PlanContext,
): ToolCall | ToolCallResult {
  const asked = callOfStep(step);
  if (step.kind === "task") return asked;
  const found = needed.flatMap(observationOf);
  const held = whySkipped(needed);
  if (held !== undefined) return notRun(asked, "cancelled", held, context);
  const tooLarge = whyTooLarge(step, found);
  if (tooLarge !== undefined) return notRun(asked, "invalid_arguments", tooLarge, context);
  const bindings = new Map(found.map((each) => [each.callId, wholeValue(each) ?? ""]));
  const written = step.tool === llmToolName ? fencing(found, context) : undefined;
  const substituted = substituteReferences(step.args, bindings, written);
  if (substituted.ok) return { ...asked, args: substituted.args };
  return notRun(asked, "invalid_arguments", substituted.problems.join("; "), context);
}

/** Makes a step's call, and says so to the superstep's gate. */
async function throughGate(call: CallToMake, context: PlanContext): Promise<ToolCallResult> {
  context.gate.begun(call.id);
  const result = await runInTask(call, context);
  // Whoever has waited for this slot looks at the gate next.
  context.gate.ended(call.id, result);
  return result;
}

function observationOf(result: StepResult | undefined): Observation[] {
  return result?.kind === "observed" ? [result.observation] : [];
}

/** Why a step cannot have a result that it refers to: it is too large to keep, and a part of it is not all. */
function whyTooLarge({ args }: ToolStep, found: readonly Observation[]): string | undefined {
  const needed = new Set(referencesIn(args).map(({ id }) => id));
  const large = found.find(({ callId, notKept }) => notKept !== undefined && needed.has(callId));
  if (large === undefined) return undefined;
  return (
    `the result of ${large.callId} has ${large.notKept} characters: too large to keep for other steps, ` +
    `which may be given up to ${maxKeptChars}. Ask ${large.tool} for a smaller part of it.`
  );
}

/** The longest result that a step which reasons reads whole, in characters, where its tool's policy says nothing. */
const maxReasonedChars = 64_000;

/** How a step that reasons is told results: as long as a model reads them, those from outside in a fence, parts of them too. */
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
  emitToolEvents(observation, false, run);
  return { kind: "observed", observation };
}

function nameOf(step: Step, pass: number, decided: CallToMake | undefined) {
  const { id, name: tool, args } = callOfStep(step);
  const parts = decided === undefined ? [] : ["decided"];
  return taskName(`step:${id}`, canonicalJson({ tool, args }), String(pass), ...parts);
}

/** What a step's arguments come to that a result does not fit: written anew, if that could be done. */
type Repaired = { readonly args: JsonObject | undefined; readonly usage: Usage };

/** Writes the arguments of a step anew whose call failed of them. */
export type Repair = (
  step: ToolStep,
  evidence: readonly Observation[],
  failed: Observation,
) => Promise<Repaired>;

/** What running a plan needs beside what running calls does. */
export type PlanContext = TurnContext & {
  /** Mends arguments that a result does not fit. */
  readonly repair?: Repair;
  /** Decides how far a superstep goes. */
  readonly gate: StepGate;
};

/** A result of a call that failed of what a reference put into it: made once more with arguments written anew. */
async function repairedOnce(
  step: Step,
  evidence: readonly Observation[],
  result: ToolCallResult,
  context: PlanContext,
): Promise<ToolCallResult> {
  const { run, repair } = context;
  if (repair === undefined || step.kind === "task" || evidence.length === 0) return result;
  if (result.kind !== "observed" || !isUnfit(result.observation)) return result;
  const { id, tool } = step;
  const { args, usage } = await repair(step, evidence, result.observation);
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
