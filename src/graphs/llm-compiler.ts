import { END, START, type StateDefinitionInit, StateGraph } from "@langchain/langgraph";

import type { ResponseFormat } from "../models/response-format.js";
import { createAgent, wishForCall } from "../nodes/agent.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createJoiner } from "../nodes/joiner.js";
import { createScheduler } from "../nodes/scheduler.js";
import { createStepReviewer } from "../nodes/step-reviewer.js";
import { createTools } from "../nodes/tools.js";
import { createWorker } from "../nodes/worker.js";
import { defaultJoinerInstructions } from "../roles/joiner.js";
import { defaultPlannerInstructions } from "../roles/planner.js";
import type { AgentExample, PlanExample } from "../roles/examples.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { isOn } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { noPlan, type Planning, PlanState } from "../state/plan.js";
import { agentDefault, graphParts, type PlanGraphOptions } from "./graph-options.js";
import { HookedGraph } from "./hooked-graph.js";
import { afterAgent, afterTools, beforeAgent, isPlanDone, isWithAgent } from "./routes.js";

/** Options of an LLMCompiler graph. Every field is optional. */
export type LlmCompilerOptions<
  State = StateDefinitionInit,
  Response = ResponseFormat,
  Context extends OwnContext = OwnContext,
> = PlanGraphOptions<State, Response, Context> & {
  readonly prompts?: {
    /** The planner's instructions, instead of the default; tools, an example and a date line are appended. */
    readonly planner?: string;
    /** The joiner's instructions, instead of the default. */
    readonly joiner?: string;
    /** The instructions of the agent that takes over when no plan can be made. */
    readonly agent?: string;
  };
  readonly examples?: {
    /** Questions with their plans, in place of the built-in example. */
    readonly planner?: readonly PlanExample[] | undefined;
    /** How the agent answers that takes over when no plan can be made. */
    readonly agent?: readonly AgentExample[] | undefined;
  };
};

/** All of these models are required before the first model call. */
const roles = ["planner", "executor", "joiner", "repairer"] as const;

function afterIntake(state: Planning) {
  // A new run has no steps yet; a run with steps is resumed.
  if (state.steps.length > 0)
    return state.feedback === undefined ? afterPlanning(state) : "scheduler";
  return isWithAgent(state) ? beforeAgent(state) : "scheduler";
}

function afterPlanning({ planning }: Planning) {
  return planning.awaitsReview ? "reviewer" : "worker";
}

function afterScheduler(state: Planning) {
  if (state.outcome !== undefined) return "finalizer";
  if (state.steps.length === 0) return "agent";
  return state.planning.awaitsReview ? "reviewer" : afterWorker(state);
}

function afterReviewer({ outcome, feedback }: Planning) {
  if (outcome !== undefined) return "finalizer";
  return feedback === undefined ? "worker" : "scheduler";
}

function afterWorker(state: Planning) {
  if (state.outcome !== undefined) return "finalizer";
  if (state.planning.open !== undefined) return "scheduler";
  return isPlanDone(state) ? "joiner" : "worker";
}

function afterJoiner({ outcome }: Planning) {
  return outcome === undefined ? "scheduler" : "finalizer";
}

/** What the graph is made of, beside its nodes. */
const parts = {
  name: "llm-compiler",
  where: "createLlmCompilerGraph",
  base: PlanState,
  calls: "steps",
  options: { showSteps: true, reviewPlan: true },
  prompts: {
    planner: defaultPlannerInstructions,
    joiner: defaultJoinerInstructions,
    agent: agentDefault,
  },
  examples: { planner: "calls", agent: "agent" },
  roles,
} as const;

/** A compiled LLMCompiler graph. */
export type LlmCompilerGraph<State = unknown, Response = unknown, Context = unknown> = GraphOf<
  (typeof PlanState)["spec"],
  State,
  Response,
  Context
>;

/**
 * LLMCompiler: a plan whose steps start while it is still written, in parallel unless one needs another's result; then a
 * joiner that answers or requests more steps, until there is an answer.
 *
 *     START → intake → scheduler → worker ⟲ → joiner ⟲ scheduler → finalizer → END
 *
 * Before the plan is complete, only calls of tools with the effect `read` start, each once, and only if no earlier call in
 * the plan may change something. Where the results leave something of the question open and no tool can change anything, the planner
 * is asked for more steps. Without a valid plan, the run continues like ReAct; where no tool can change anything, the model is
 * asked for a call first. Takes `{ messages }` and returns `{ messages, answer, outcome, usage, observations, steps }`.
 * Throws a `PlangraphError` immediately for options that cannot work.
 *
 * Kim et al., "An LLM Compiler for Parallel Function Calling" (2024), arXiv:2312.04511.
 */
export function createLlmCompilerGraph<
  State extends StateDefinitionInit,
  Response extends ResponseFormat,
  Context extends OwnContext,
>(
  options?: LlmCompilerOptions<State, Response, Context>,
): LlmCompilerGraph<State, Response, Context>;
export function createLlmCompilerGraph(options: LlmCompilerOptions = {}): LlmCompilerGraph {
  const { toolbox, output, state, context, hooks, prompt, compile } = graphParts(options, parts);
  const isReviewed = isOn("reviewPlan", options.reviewPlan);
  // Nothing runs that the reviewer of a plan has not seen.
  const plan = { toolbox, showsSteps: isOn("showSteps", options.showSteps), mayGrow: !isReviewed };
  const agent = { toolbox, instructions: prompt("agent"), output };
  const { graph } = new HookedGraph(
    new StateGraph(state, context).addNode({
      intake: createIntake({ roles, reset: noPlan, toolbox }),
      scheduler: createScheduler({
        ...plan,
        instructions: prompt("planner"),
        examples: options.examples?.planner,
        isWatched: hooks.middleware.some((one) => one.afterModel !== undefined),
        isReviewed,
      }),
      reviewer: createStepReviewer({ toolbox }),
      worker: createWorker(plan),
      joiner: createJoiner({ instructions: prompt("joiner") }),
      agent: createAgent({ ...agent, examples: options.examples?.agent, callFirst: wishForCall }),
      tools: createTools({ toolbox }),
      finalizer: createFinalizer(agent),
    }),
    hooks,
    ["scheduler", "joiner", "agent"],
  )
    .addEdge(START, "intake")
    .addConditionalEdges("intake", afterIntake, [
      "scheduler",
      "reviewer",
      "worker",
      "agent",
      "tools",
    ])
    .addConditionalEdges("scheduler", afterScheduler, [
      "scheduler",
      "reviewer",
      "worker",
      "joiner",
      "agent",
      "finalizer",
    ])
    .addConditionalEdges("reviewer", afterReviewer, ["scheduler", "worker", "finalizer"])
    .addConditionalEdges("worker", afterWorker, ["scheduler", "worker", "joiner", "finalizer"])
    .addConditionalEdges("joiner", afterJoiner, ["scheduler", "finalizer"])
    .addConditionalEdges("agent", afterAgent, ["tools", "finalizer"])
    .addConditionalEdges("tools", afterTools, ["tools", "agent", "finalizer"])
    .addEdge("finalizer", END);
  return compileGraph(graph, compile);
}
