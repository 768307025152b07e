import { limitAt } from "../run/budget.js";
import type { Command, GraphNode } from "@langchain/langgraph";

import { type Json, type JsonObject, jsonText } from "../json/json.js";
import { lastRound, type Settled } from "../plan/workflow/parts.js";
import { type WorkflowProgress, workflowProgress } from "../plan/workflow/progress.js";
import {
  callIn,
  constantsOf,
  inputName,
  resultName,
  type WorkflowStep,
} from "../plan/workflow/steps.js";
import { filledIn, resultsIn, type StepEnds } from "../plan/step-verdict.js";
import type { ToolStep } from "../plan/step.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { lastQuestion } from "../runtime/messages.js";
import { workflowContext } from "../runtime/plan/context.js";
import { emitPlanChange } from "../runtime/plan/plan-events.js";
import { closePlan, runPlanBatch } from "../runtime/plan/run-plan.js";
import { notRun, skippedFor, stepEnds, untaken, withStandIn } from "../runtime/plan/step-end.js";
import { observationIn } from "../runtime/run-calls.js";
import { type BatchWrites, withCommands } from "../runtime/turn-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { LimitName } from "../state/limits.js";
import { failedOutcome } from "../state/outcome.js";
import type { WorkflowRun, WorkflowState } from "../state/workflow.js";
import { emitToolEvents } from "../tools/tool-call.js";
import { capResult } from "../tools/tool-result.js";
import { changesAnything, type Toolbox } from "../tools/toolbox.js";

type RunnerOptions = {
  readonly toolbox: Toolbox;
  readonly steps: readonly WorkflowStep[];
  /** Reads the input of a run from its question. */
  readonly readInput: (question: string) => ReadInput;
  /** Whether the steps are shown in the conversation; default false. */
  readonly showsSteps?: boolean;
};

/** The input of a run, or all that is wrong with it, in a sentence. */
export type ReadInput =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly problem: string };

type RunnerWrites = BatchWrites & Writes<typeof WorkflowState, "steps" | "inputs">;
type Refused = Writes<typeof WorkflowState, "run" | "outcome">;

/**
 * Runs the steps of a workflow: what can run, in parallel unless a step needs another. Steps with `each` and `repeat`
 * make their calls in later supersteps.
 */
export function createRunner(options: RunnerOptions): GraphNode<typeof WorkflowState> {
  const { steps, showsSteps, readInput } = options;
  const toolbox = withoutDirect(options.toolbox);
  const constants = [...constantsOf(steps)].map(([id, value]) => given(id, value));
  const written = JSON.stringify(steps);
  return async function runner(state, config): Promise<RunnerWrites | Refused | Command> {
    const run = enterRun(state, config, "runner");
    const read = readInputs(state, readInput);
    if (!read.ok) return { run: run.record(), outcome: failedOutcome(read.problem) };
    const known = [given(inputName, read.input), ...constants];
    const seen = [...known, ...state.observations];
    const ends = stepEnds(seen);
    const progress = workflowProgress(steps, ends, (name) => changesAnything(toolbox, name));
    const now = await unlessOver(run, () => callsNow(progress, state, run));
    if ("limit" in now) return { run: run.record(), outcome: { status: "limit", ...now } };
    const settled = progress.settled.map((each) => settledAs(each, { seen, ends }, run));
    const current = { ...state, observations: [...state.observations, ...settled] };
    emitPlanChange(state.steps, progress.all, run);
    const context = workflowContext(run.allowed(toolbox), current, run, written);
    const withKnown = { ...current, observations: [...seen, ...settled] };
    const batch = await runPlanBatch(now.result, withKnown, context);
    const writes = closePlan(batch, progress.all, current, { ...context, showsSteps });
    return withCommands({ steps: progress.all, inputs: read.input, ...writes }, batch, run);
  };
}

/** The result of a workflow is its output, never that of a tool alone. */
function withoutDirect(toolbox: Toolbox): Toolbox {
  return new Map(
    [...toolbox].map(([name, entry]) => {
      const { returnDirect: _direct, ...policy } = entry.policy;
      return [name, { ...entry, policy }];
    }),
  );
}

function readInputs(
  { inputs, messages }: WorkflowRun,
  read: RunnerOptions["readInput"],
): ReadInput {
  return inputs === undefined ? read(lastQuestion(messages)) : { ok: true, input: inputs };
}

/** A value that is known from the start, as a result that steps refer to. */
function given(callId: string, value: Json): Observation {
  const content = JSON.stringify(value);
  return {
    callId,
    tool: callId,
    args: {},
    ok: true,
    content,
    value,
    attempts: 0,
    startedAt: 0,
    ms: 0,
  };
}

/** The result of work that waits, or the limit that ended the wait. */
async function unlessOver<Result>(
  run: Run,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly limit: LimitName }> {
  try {
    return { result: await work() };
  } catch (error) {
    const limit = limitAt(run.budget);
    if (limit === undefined) throw error;
    return { limit };
  }
}

/**
 * The calls of this superstep. The next round of a repeated step waits for its time while nothing else has a call to
 * make; a call that is pending has waited already.
 */
async function callsNow(
  { open, pauses }: WorkflowProgress,
  { pending, observations }: WorkflowRun,
  run: Run,
): Promise<readonly ToolStep[]> {
  if (pauses.size === 0 || pending !== undefined) return open;
  const made = new Set(observations.map(({ callId }) => callId));
  const others = open.filter(({ id }) => !pauses.has(id));
  if (others.some(({ id }) => !made.has(id))) return others;
  const seconds = Math.min(...pauses.values());
  await run.clock.sleep(seconds * 1_000, run.budget.signal());
  return open.filter(({ id }) => (pauses.get(id) ?? 0) <= seconds);
}

/** What is known as a superstep begins: results, and how their steps have ended. */
type Known = { readonly seen: readonly Observation[]; readonly ends: StepEnds };

/** The result of a step that ended without a call of its own. */
function settledAs({ step, end }: Settled, { seen, ends }: Known, run: Run): Observation {
  if (end.kind === "done") {
    const parts = new Set(end.of);
    const made = seen.filter(({ callId }) => parts.has(callId));
    const observation = collected(step, end.value, made, run);
    emitToolEvents(observation, false, run);
    return observation;
  }
  const result = notRun({ id: step.id, name: step.tool, args: step.args }, errorOf(end), { run });
  const last = lastResult(step, ends);
  const found = last === undefined ? seen : [...seen, given(resultName, last)];
  const [observation = given(step.id, null)] = observationIn(
    withStandIn(wholeStep(step), result, found, { run }),
  );
  return observation;
}

function errorOf(end: Exclude<Settled["end"], { readonly kind: "done" }>) {
  if (end.kind === "skipped") return skippedFor(end.waitedFor);
  return end.kind === "untaken"
    ? untaken(end.reason)
    : ({ kind: "rejected", message: end.reason } as const);
}

/** A step of several calls as one. What fails in a list has its own fallback, for each item. */
function wholeStep(step: WorkflowStep): ToolStep {
  const { fallback: _ofItems, ...call } = callIn(step);
  return step.each === undefined ? callIn(step) : call;
}

/** What `result` is in the fallback of a repeated step: the last result, or what it began with. */
function lastResult(step: WorkflowStep, ends: StepEnds): Json | undefined {
  const { start } = step.repeat ?? {};
  const last = lastRound(step, ends);
  return last === undefined && start !== undefined ? filledIn(start, resultsIn(ends)) : last;
}

/** The results of several calls as that of their step. It grounds arguments only if all of them do. */
function collected(
  { id: callId, tool, args }: WorkflowStep,
  value: Json,
  parts: readonly Observation[],
  { clock }: Run,
): Observation {
  const trusts = parts.map(({ trust }) => trust);
  const trust =
    trusts.find((each) => each === "untrusted") ?? trusts.find((each) => each !== undefined);
  return {
    callId,
    tool,
    args,
    ok: true,
    content: capResult(jsonText(value)),
    value,
    ...(trust === undefined ? {} : { trust }),
    attempts: parts.reduce((sum, { attempts }) => sum + attempts, 0),
    startedAt: clock.now(),
    ms: 0,
  };
}
