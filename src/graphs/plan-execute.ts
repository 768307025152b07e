import { END, START, type StateDefinitionInit, StateGraph } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import type { ResponseFormat } from "../models/response-format.js";
import { createExecutor, type NamedExecutor } from "../nodes/executor.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createTaskPlanner } from "../nodes/planner.js";
import { createReplanner } from "../nodes/replanner.js";
import { createReviewer } from "../nodes/reviewer.js";
import { type Replanning, replannings, reportings, type Reports } from "../plan/replanning.js";
import { executorInstructions } from "../roles/executor.js";
import { defaultReplannerInstructions } from "../roles/replanner.js";
import { defaultTaskPlannerInstructions } from "../roles/task-planner.js";
import { contextFieldNames } from "../run/context-fields.js";
import type { Limits } from "../run/limits.js";
import type { AgentExample, TaskExample } from "../roles/examples.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { checkChoice, isOn } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import type { History } from "../runtime/role-history.js";
import { isReplanDue } from "../runtime/plan/task-plan.js";
import { noPlan, type Planning, PlanState } from "../state/plan.js";
import { isNamedTool } from "../tools/provider-tool.js";
import { type Executor, type Executors, readExecutors } from "./executors.js";
import { graphParts, type PlanGraphOptions } from "./graph-options.js";
import { HookedGraph } from "./hooked-graph.js";
import { createReactGraph } from "./react.js";

/** Options of a plan-and-execute graph. Every field is optional. */
export type PlanExecuteOptions<
  State = StateDefinitionInit,
  Response = ResponseFormat,
  Context extends OwnContext = OwnContext,
> = PlanGraphOptions<State, Response, Context> & {
  /** When the plan is revised; default "auto". */
  readonly replanning?: Replanning | undefined;
  /**
   * Whether the replanner tells the user in a sentence how the plan goes on: not (default), in `progress` events, or
   * also as a message in the chat, which no model reads. With `replanning: "always"` it does so after every task.
   */
  readonly reports?: Reports;
  /** Limits for each step, within the run's limits; default 15 model calls and 30 tool calls. */
  readonly stepLimits?: Limits;
  /**
   * Whether each task must call a tool before it has a result; default false. For facts that come only from tools: small
   * models else answer from memory. Where no tool can change anything, a task is also told, once each, what its calls seem
   * to leave open of its words, the last one of the question. An executor without tools is held to none.
   */
  readonly callFirst?: boolean;
  /**
   * Executors by name, each with a model, tools and instructions of its own: the planner assigns each task to one. Their
   * usage is `usage.byRole["executor:NAME"]`. Tasks without one, such as the question itself where no plan came, run with all tools.
   */
  readonly executors?: Executors;
  readonly prompts?: {
    /** The planner's instructions, instead of the default; tools, an example and a date line are appended. */
    readonly planner?: string;
    /** The executor's instructions for every step, instead of the default. */
    readonly executor?: string;
    /** The replanner's instructions, instead of the default; the tools and a date line are appended. */
    readonly replanner?: string;
  };
  readonly examples?: {
    /** Questions with their plans, in place of the built-in example. */
    readonly planner?: readonly TaskExample[] | undefined;
    /** How the executor carries out a task, shown to it as earlier turns. */
    readonly executor?: readonly AgentExample[] | undefined;
  };
};

/** All of these models are required before the first model call. */
const roles = ["planner", "executor", "replanner"] as const;

const defaultStepLimits: Limits = { modelCalls: 15, toolCalls: 30 };

function afterIntake({ steps, planning }: Planning) {
  // A new run has no steps yet; a run with steps is resumed.
  if (steps.length === 0) return "planner";
  return planning.awaitsReview ? "reviewer" : "executor";
}

function afterPlanning({ outcome, planning }: Planning) {
  if (outcome !== undefined) return "finalizer";
  return planning.awaitsReview ? "reviewer" : "executor";
}

function afterReviewer({ outcome, feedback }: Planning) {
  if (outcome !== undefined) return "finalizer";
  return feedback === undefined ? "executor" : "replanner";
}

function afterExecutor(replanning: Replanning) {
  return (state: Planning) => {
    if (state.outcome !== undefined) return "finalizer";
    if (state.pending !== undefined) return "executor";
    return isReplanDue(state, replanning) ? "replanner" : "executor";
  };
}

/** The graph of one step: the same options, with its own limits; those of an executor where it has some. */
function stepGraph(options: PlanExecuteOptions, executor?: Executor) {
  const {
    checkpointer: _saver,
    store: _store,
    responseFormat: _form,
    name: _name,
    prompts: _prompts,
    checkInput: _input,
    checkAnswer: _answer,
    reviewAnswer: _review,
    examples,
    executors: _executors,
    ...run
  } = options;
  const {
    reports: _reports,
    replanning: _when,
    reviewPlan: _isReviewed,
    showSteps: _shows,
    ...others
  } = run;
  // The run has read its context: a task gets it as it is.
  const {
    history,
    limits,
    stepLimits,
    contextSchema: _fields,
    model,
    models = model,
    ...shared
  } = others;
  const { middleware = [] } = options;
  const repeatedCalls = limits?.repeatedCalls;
  return createReactGraph({
    ...shared,
    ...defined({ models }),
    ...(executor === undefined ? {} : optionsOf(executor, options)),
    limits: { repeatedCalls, ...defaultStepLimits, ...stepLimits },
    // Once a run, not once a step.
    middleware: middleware.map(({ beforeAgent: _first, afterAgent: _last, ...each }) => each),
    contextFields: contextFieldNames,
    examples: { agent: executor === undefined ? examples?.executor : executor.examples },
    // The replanner handles a step's failure; only the hand_off tool ends the run from inside a step.
    handOffOn: [],
    // The run has summarised what came before.
    ...defined({ history: roundsOf(history) }),
  });
}

/** How much of the conversation a task reads that is the question itself. */
function roundsOf({ executor }: History = {}): History | undefined {
  return executor === undefined ? undefined : { executor: { rounds: executor.rounds } };
}

/** The executors with their graphs. */
function namedExecutors(options: PlanExecuteOptions): NamedExecutor[] {
  return Object.entries(options.executors ?? {}).map(([name, executor]) => ({
    name,
    description: executor.description,
    graph: stepGraph(options, executor),
    instructions: executor.prompt,
  }));
}

/** An executor's own options for its steps. */
function optionsOf(executor: Executor, { tools = [], toolPolicies = {} }: PlanExecuteOptions) {
  const { tools: own = tools, model } = executor;
  const names = new Set(["*", ...own.filter(isNamedTool).map(({ name }) => name)]);
  const policies = Object.entries(toolPolicies).filter(([name]) => names.has(name));
  return {
    tools: own,
    toolPolicies: Object.fromEntries(policies),
    ...defined({ models: model }),
  };
}

/** What the graph is made of, beside its nodes. */
const parts = {
  name: "plan-execute",
  where: "createPlanExecuteGraph",
  base: PlanState,
  calls: "tasks",
  options: {
    replanning: true,
    reports: true,
    stepLimits: true,
    callFirst: true,
    executors: true,
    reviewPlan: true,
    showSteps: true,
  },
  prompts: {
    planner: defaultTaskPlannerInstructions,
    executor: executorInstructions,
    replanner: defaultReplannerInstructions,
  },
  examples: { planner: "tasks", executor: "agent" },
  roles,
} as const;

/** A compiled plan-and-execute graph. */
export type PlanExecuteGraph<State = unknown, Response = unknown, Context = unknown> = GraphOf<
  (typeof PlanState)["spec"],
  State,
  Response,
  Context
>;

/**
 * Plan-and-execute: a plan of tasks in words; an executor that runs each task as a separate ReAct run with its own small
 * budget; and a replanner that answers from the results or changes the open steps.
 *
 *     START → intake → planner → executor → replanner ⟲ executor → finalizer → END
 *
 * With `reviewPlan` a person sees the plan first. Without a valid plan, the question is the only step. Takes
 * `{ messages }` and returns `{ messages, answer, outcome, usage, observations, steps }`. Throws a `PlangraphError`
 * immediately for options that cannot work.
 *
 * Wang et al., "Plan-and-Solve Prompting" (2023), arXiv:2305.04091; with a replanner as in BabyAGI and LangGraph's
 * plan-and-execute.
 */
export function createPlanExecuteGraph<
  State extends StateDefinitionInit,
  Response extends ResponseFormat,
  Context extends OwnContext,
>(
  options?: PlanExecuteOptions<State, Response, Context>,
): PlanExecuteGraph<State, Response, Context>;
export function createPlanExecuteGraph(given: PlanExecuteOptions = {}): PlanExecuteGraph {
  const { forms: executors, names, tools } = readExecutors(parts.where, given);
  const options = { ...given, tools };
  const { toolbox, provided, output, state, context, hooks, prompt, instructions, compile } =
    graphParts(options, { ...parts, executors: names });
  const { replanning = "auto", reports = "none" } = options;
  const isReviewed = isOn("reviewPlan", options.reviewPlan);
  checkChoice("replanning", replannings, replanning);
  checkChoice("reports", reportings, reports);
  const showsSteps = isOn("showSteps", options.showSteps);
  const step = stepGraph(options);
  const planning = { toolbox, provided, executors, isReviewed };
  const { graph } = new HookedGraph(
    new StateGraph(state, context).addNode({
      intake: createIntake({ roles, reset: noPlan, toolbox }),
      planner: createTaskPlanner({
        ...planning,
        instructions: prompt("planner"),
        examples: options.examples?.planner,
      }),
      reviewer: createReviewer({ executors: names }),
      executor: createExecutor({
        graph: step,
        toolbox,
        replanning,
        showsSteps,
        instructions: prompt("executor"),
        executors: namedExecutors(given),
      }),
      replanner: createReplanner({ ...planning, reports, instructions: prompt("replanner") }),
      finalizer: createFinalizer({ instructions, output }),
    }),
    hooks,
    ["planner", "replanner"],
  )
    .addEdge(START, "intake")
    .addConditionalEdges("intake", afterIntake, ["planner", "reviewer", "executor"])
    .addConditionalEdges("planner", afterPlanning, ["reviewer", "executor", "finalizer"])
    .addConditionalEdges("reviewer", afterReviewer, ["executor", "replanner", "finalizer"])
    .addConditionalEdges("executor", afterExecutor(replanning), [
      "executor",
      "replanner",
      "finalizer",
    ])
    .addConditionalEdges("replanner", afterPlanning, ["reviewer", "executor", "finalizer"])
    .addEdge("finalizer", END);
  return compileGraph(graph, { ...compile, subgraphs: { executor: step } });
}
