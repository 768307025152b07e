import { END, START, type StateDefinitionInit, StateGraph } from "@langchain/langgraph";

import type { ResponseFormat } from "../models/response-format.js";
import { createAgent, wishForCall } from "../nodes/agent.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createPlanner } from "../nodes/planner.js";
import { createSolver } from "../nodes/solver.js";
import { createStepReviewer } from "../nodes/step-reviewer.js";
import { createTools } from "../nodes/tools.js";
import { createWorker } from "../nodes/worker.js";
import { defaultPlannerInstructions } from "../roles/planner.js";
import { defaultSolverInstructions } from "../roles/solver.js";
import type { AgentExample, PlanExample } from "../roles/examples.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { isOn } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { noPlan, type Planning, PlanState } from "../state/plan.js";
import { agentDefault, graphParts, type PlanGraphOptions } from "./graph-options.js";
import { HookedGraph } from "./hooked-graph.js";
import { afterAgent, afterTools, beforeAgent, isPlanDone, isWithAgent } from "./routes.js";

/** Options of a ReWOO graph. Every field is optional. */
export type RewooOptions<
  State = StateDefinitionInit,
  Response = ResponseFormat,
  Context extends OwnContext = OwnContext,
> = PlanGraphOptions<State, Response, Context> & {
  readonly prompts?: {
    /** The planner's instructions, instead of the default; tools, an example and a date line are appended. */
    readonly planner?: string;
    /** The solver's instructions, instead of the default. */
    readonly solver?: string;
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
const roles = ["planner", "executor", "solver", "repairer"] as const;

function afterIntake(state: Planning) {
  // A new run has no steps yet; a run with steps is resumed.
  if (state.steps.length > 0) return afterPlanning(state);
  return isWithAgent(state) ? beforeAgent(state) : "planner";
}

function afterPlanning({ planning }: Planning) {
  return planning.awaitsReview ? "reviewer" : "worker";
}

function afterPlanner(state: Planning) {
  if (state.outcome !== undefined) return "finalizer";
  if (state.steps.length === 0) return "agent";
  return state.planning.awaitsReview ? "reviewer" : afterWorker(state);
}

function afterReviewer({ outcome, feedback }: Planning) {
  if (outcome !== undefined) return "finalizer";
  return feedback === undefined ? "worker" : "planner";
}

function afterWorker(state: Planning) {
  if (state.outcome !== undefined) return "finalizer";
  if (state.planning.open !== undefined) return "planner";
  return isPlanDone(state) ? "solver" : "worker";
}

/** What the graph is made of, beside its nodes. */
const parts = {
  name: "rewoo",
  where: "createRewooGraph",
  base: PlanState,
  calls: "steps",
  options: { showSteps: true, reviewPlan: true },
  prompts: {
    planner: defaultPlannerInstructions,
    solver: defaultSolverInstructions,
    agent: agentDefault,
  },
  examples: { planner: "calls", agent: "agent" },
  roles,
} as const;

/** A compiled ReWOO graph. */
export type RewooGraph<State = unknown, Response = unknown, Context = unknown> = GraphOf<
  (typeof PlanState)["spec"],
  State,
  Response,
  Context
>;

/**
 * ReWOO: first the whole plan, with references to later results; then its steps, without model calls between them; then
 * one answer from plan and evidence. A clean run needs two model calls. Where the results leave something of the question
 * open and no tool can change anything, the planner is asked for more steps.
 *
 *     START → intake → planner → worker ⟲ → solver → finalizer → END
 *
 * Without a valid plan, the run continues like ReAct; where no tool can change anything, the model is asked for a call
 * first. Takes `{ messages }` and returns `{ messages, answer, outcome, usage, observations, steps }`. Throws a
 * `PlangraphError` immediately for options that cannot work.
 *
 * Xu et al., "ReWOO: Decoupling Reasoning from Observations for Efficient Augmented Language Models" (2023),
 * arXiv:2305.18323.
 */
export function createRewooGraph<
  State extends StateDefinitionInit,
  Response extends ResponseFormat,
  Context extends OwnContext,
>(options?: RewooOptions<State, Response, Context>): RewooGraph<State, Response, Context>;
export function createRewooGraph(options: RewooOptions = {}): RewooGraph {
  const { toolbox, output, state, context, hooks, prompt, compile } = graphParts(options, parts);
  const { examples = {} } = options;
  const showsSteps = isOn("showSteps", options.showSteps);
  const isReviewed = isOn("reviewPlan", options.reviewPlan);
  const { graph } = new HookedGraph(
    new StateGraph(state, context).addNode({
      intake: createIntake({ roles, reset: noPlan, toolbox }),
      planner: createPlanner({
        toolbox,
        instructions: prompt("planner"),
        examples: examples.planner,
        isReviewed,
      }),
      reviewer: createStepReviewer({ toolbox }),
      // Nothing runs that the reviewer of a plan has not seen.
      worker: createWorker({ toolbox, showsSteps, mayGrow: !isReviewed }),
      solver: createSolver({ instructions: prompt("solver"), output }),
      agent: createAgent({
        toolbox,
        instructions: prompt("agent"),
        examples: examples.agent,
        output,
        callFirst: wishForCall,
      }),
      tools: createTools({ toolbox }),
      finalizer: createFinalizer({ instructions: prompt("agent"), output }),
    }),
    hooks,
    ["planner", "solver", "agent"],
  )
    .addEdge(START, "intake")
    .addConditionalEdges("intake", afterIntake, ["planner", "reviewer", "worker", "agent", "tools"])
    .addConditionalEdges("planner", afterPlanner, [
      "reviewer",
      "worker",
      "planner",
      "solver",
      "agent",
      "finalizer",
    ])
    .addConditionalEdges("reviewer", afterReviewer, ["planner", "worker", "finalizer"])
    .addConditionalEdges("worker", afterWorker, ["worker", "planner", "solver", "finalizer"])
    .addConditionalEdges("agent", afterAgent, ["tools", "finalizer"])
    .addConditionalEdges("tools", afterTools, ["tools", "agent", "finalizer"])
    .addEdge("solver", "finalizer")
    .addEdge("finalizer", END);
  return compileGraph(graph, compile);
}
