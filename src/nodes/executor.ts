import { type GraphNode, Overwrite } from "@langchain/langgraph";
import { z } from "zod";

import type { Replanning } from "../plan/replanning.js";
import { isFinal, type TaskStep, taskTool } from "../plan/step.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { executorPrompt, saysPlanChange } from "../roles/executor.js";
import type { AnswerChat } from "../run/answer-chat.js";
import { type Budget, limitAt } from "../run/budget.js";
import type { ContextSettings } from "../run/context-fields.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { type AgentGraph, graphTool } from "../runtime/graph-tool.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { knownTexts, wholeTask } from "../runtime/messages.js";
import { closePlan, observationsOf, runPlanBatch } from "../runtime/plan/run-plan.js";
import { createStepGate } from "../runtime/plan/step-gate.js";
import {
  checkPlan,
  finalAnswer,
  freshResults,
  isLastWord,
  isSurprise,
  planProgress,
  pendingInPlan,
} from "../runtime/plan/task-plan.js";
import { answeredEnd } from "../runtime/reply-writes.js";
import { observationIn, type ToolBatch, usageIn } from "../runtime/run-calls.js";
import { noToolEnd } from "../runtime/hand-off-ends.js";
import type { BatchWrites } from "../runtime/turn-writes.js";
import type { LimitName } from "../state/limits.js";
import type { Observation } from "../state/observation.js";
import { noKeys, type OwnKeys } from "../state/own-state.js";
import type { Planning, PlanState } from "../state/plan.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { maxKeptChars } from "../tools/kept-result.js";
import { withMarks, withPolicy } from "../tools/policy.js";
import type { ToolCallResult } from "../tools/tool-call.js";
import { createToolbox, type Toolbox } from "../tools/toolbox.js";

type ExecutorOptions = {
  /** Runs one step. */
  readonly graph: AgentGraph;
  /** The tools with which steps run. */
  readonly toolbox: Toolbox;
  readonly replanning: Replanning;
  /** Whether the steps of the plan are shown in the conversation; default false. */
  readonly showsSteps?: boolean;
  /** Instructions for every step; default: those of its graph. */
  readonly instructions?: Instructions;
  /** The executors to which the planner assigns tasks; `graph` carries out those that none has. */
  readonly executors?: readonly NamedExecutor[];
};

/** One of several executors. */
export type NamedExecutor = {
  readonly name: string;
  readonly description: string;
  /** Runs one step. */
  readonly graph: AgentGraph;
  /** Instructions for every step; default: those of all executors. */
  readonly instructions?: Instructions | undefined;
};

const Task = z.object({ task: z.string() });

/**
 * Executes: runs the next steps, each as a sub-run, in parallel unless one waits for another. Stops when nothing runs
 * any more or a result requires replanning.
 */
export function createExecutor(options: ExecutorOptions): GraphNode<typeof PlanState> {
  const { graph, toolbox, replanning, showsSteps, executors = [] } = options;
  const names = executors.map(({ name }) => name);
  const first = { name: taskTool, description: "Carries out a step of the plan.", graph };
  const isDirect = (tool: string) => toolbox.get(tool)?.policy.returnDirect === true;
  return async function executor(state, config): Promise<BatchWrites> {
    const run = enterRun(state, config, "executor");
    checkPlan(state, names);
    const current = { ...state, pending: pendingInPlan(state) };
    const { steps } = planProgress(state);
    const gate = createStepGate({
      stopsAt: (result) => isSurprise(result, replanning),
      isOneByOne: replanning === "always",
      fresh: freshResults(state),
    });
    const known = () => [...state.observations, ...gate.results()];
    const chat = run.openChat(mayBeAnswer);
    const chatOf = (id: string) =>
      isLastWord(id, { ...state, observations: known() }, replanning) ? chat : undefined;
    const toolOf = ({ instructions = options.instructions, ...each }: NamedExecutor) =>
      stepTool(each, givenToSteps(state, run, instructions), steps, { known, chatOf });
    const context = {
      toolbox: createToolbox([first, ...executors].map(toolOf)),
      run,
      config,
      observations: state.observations,
      texts: () => knownTexts(state.messages, run),
      // Hooks wrap the calls inside a step.
      wrappers: [],
      state: { messages: state.messages },
      isPlanned: true,
      planned: steps,
      gate,
      showsSteps,
    } as const;
    const batch = byExecutor(await runPlanBatch(steps, current, context));
    const writes = closePlan(batch, steps, current, context);
    const observations = observationsOf(batch, steps, state.observations);
    const answer = finalAnswer({ ...state, observations }, replanning, isDirect);
    if (writes.outcome !== undefined) return writes;
    if (answer !== undefined) {
      const { messages: said, ...end } = answeredEnd(answer, run, await chat?.end(answer));
      return { ...writes, ...end, messages: [...(writes.messages ?? []), ...said] };
    }
    const limit = limitHit(batch, run.budget);
    if (limit !== undefined) return { ...writes, outcome: { status: "limit", limit } };
    return { ...writes, ...noToolEnd(observations, isWholeQuestion(steps, state), run) };
  };
}

/** The results with the usage of each named executor under its own name. */
function byExecutor(batch: ToolBatch): ToolBatch {
  const usage = batch.results
    .map((result) => usageAs(nameOf(result), usageIn(result)))
    .reduce(addUsage, noUsage);
  return { ...batch, usage };
}

function nameOf(result: ToolCallResult): string | undefined {
  if (result.kind === "observed") return result.observation.tool;
  return result.kind === "waits" ? result.subRun.tool : undefined;
}

/** Usage with the executor's share under the name of one of several executors. */
function usageAs(name: string | undefined, usage: Usage): Usage {
  const { executor, ...others } = usage.byRole;
  if (name === undefined || name === taskTool || executor === undefined) return usage;
  return { ...usage, byRole: { ...others, [`executor:${name}`]: executor } };
}

/** Whether a step's reply may be the answer: it is no call as text, and does not ask for another plan. */
function mayBeAnswer(beginning: string): boolean {
  return !/^\s*[<{[`]/.test(beginning) && !saysPlanChange(beginning);
}

/** The run's own limit, if a step reached it. */
function limitHit({ results }: ToolBatch, budget: Budget): LimitName | undefined {
  const isHit = results.flatMap(observationIn).some(({ run }) => run?.outcome.status === "limit");
  return isHit ? limitAt(budget) : undefined;
}

/** Whether the plan is only the question itself, because no other plan came. */
function isWholeQuestion(steps: readonly TaskStep[], { objective }: Pick<Planning, "objective">) {
  return steps.length === 1 && steps[0]?.task === wholeTask(objective);
}

/** What every step's run starts with. */
function givenToSteps(
  state: Planning,
  run: Run,
  instructions: Instructions | undefined,
): GivenToSteps {
  const agent = instructions === undefined ? undefined : textOf(instructions, state, run);
  const set = { ...run.settings.set, prompts: { agent } };
  return { ...state, own: ownState(state, run.ownKeys), set };
}

type GivenToSteps = Planning & {
  /** The values of the users' state keys. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly set: ContextSettings;
};

type Around = {
  /** The results so far. */
  readonly known: () => readonly Observation[];
  /** The chat of the step with the run's answer. */
  readonly chatOf: (id: string) => AnswerChat | undefined;
};

/** An executor as a tool that runs steps. */
function stepTool(
  { name, description, graph }: NamedExecutor,
  { messages, objective, own, set }: GivenToSteps,
  steps: readonly TaskStep[],
  { known, chatOf }: Around,
) {
  const conversation = withoutSteps(messages);
  const given = conversation.filter(({ type }) => type === "system");
  const made = graphTool(graph, {
    name,
    description,
    endsOnHandOff: true,
    schema: Task,
    state: own,
    set,
    chat: chatOf,
    task: (callId) => {
      const step = steps.find(({ id }) => id === callId);
      if (step === undefined) return undefined;
      const calls = known().flatMap(({ run }) => run?.observations ?? []);
      return isFinal(step, steps)
        ? { question: objective, namesAll: false, calls }
        : { question: step.task, namesAll: true, calls };
    },
    messages: (_, callId) => {
      const step = steps.find(({ id }) => id === callId);
      // In a plan that is only the question, the step gets the whole conversation.
      if (step === undefined || isWholeQuestion(steps, { objective })) return conversation;
      return [...given, ...executorPrompt(step, objective, steps, known(), conversation)];
    },
  });
  // A step's text may be the answer: it is cut only in the prompts.
  return withPolicy(withMarks(made, { isStep: true }), {
    volatile: true,
    maxResultChars: maxKeptChars,
  });
}

/** The values of the users' state keys, as a step starts with them. */
function ownState(state: object, keys: OwnKeys = noKeys): Record<string, unknown> {
  const values = [...keys].flatMap(([key, kind]): [string, unknown][] => {
    const value: unknown = Reflect.get(state, key);
    if (value === undefined) return [];
    // A reducer would merge the whole value into the default.
    return [[key, kind === "merges" ? new Overwrite(value) : value]];
  });
  return Object.fromEntries(values);
}
