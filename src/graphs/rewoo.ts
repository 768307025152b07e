import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  type BaseStore,
  type ConditionalEdgeRouter,
  END,
  START,
  StateGraph,
} from "@langchain/langgraph";

import { type ResponseFormat, zodForm } from "../models/structured-reply.js";
import { createAgent } from "../nodes/agent.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createPlanner } from "../nodes/planner.js";
import { createSolver } from "../nodes/solver.js";
import { createTools } from "../nodes/tools.js";
import { createWorker, toolStepsOf } from "../nodes/worker.js";
import { defaultAgentInstructions } from "../prompts/agent.js";
import { defaultPlannerInstructions } from "../prompts/planner.js";
import { defaultSolverInstructions } from "../prompts/solver.js";
import { compileGraph } from "../runtime/compile-graph.js";
import { contextSchema } from "../runtime/run-context.js";
import type { RunOptions } from "../runtime/settings.js";
import { openTurn } from "../runtime/turn.js";
import { PlanState } from "../state/plan.js";
import type { ToolPolicy } from "../tools/policy.js";
import { createToolbox, hasWrites } from "../tools/toolbox.js";

/** What a ReWOO graph consists of. Every field is optional. */
export type RewooOptions = RunOptions & {
  /** LangChain tools, as they are or with a policy. */
  readonly tools?: readonly StructuredToolInterface[];
  /** Policies by tool name, over those attached with `withPolicy`. */
  readonly toolPolicies?: { readonly [name: string]: ToolPolicy };
  readonly prompts?: {
    /** What the planner is told, instead of the default; tools, an example and a date line follow it. */
    readonly planner?: string;
    /** What the solver is told, instead of the default. */
    readonly solver?: string;
    /** What the agent is told that takes over where no plan can be made. */
    readonly agent?: string;
  };
  /** A zod schema: the result then carries `structuredResponse`. */
  readonly responseFormat?: ResponseFormat;
  /** Where runs are kept, so that they can pause and survive a crash. Default: what a surrounding graph has. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
};

/** The models of all of them must be there before the first is asked. */
const roles = ["planner", "executor", "solver", "repairer"] as const;

type Router<To extends string> = ConditionalEdgeRouter<
  typeof PlanState,
  Record<string, unknown>,
  To
>;

const afterIntake: Router<"planner" | "worker" | "tools"> = ({ decisions, steps }) => {
  if (decisions === undefined) return "planner";
  return steps.length > 0 ? "worker" : "tools";
};

const afterPlanner: Router<"worker" | "agent" | "finalizer"> = ({ outcome, steps }) => {
  if (outcome !== undefined) return "finalizer";
  return steps.length > 0 ? "worker" : "agent";
};

const afterWorker: Router<"worker" | "solver" | "finalizer"> = (state) => {
  const { outcome, soloCalls, observations } = state;
  if (outcome !== undefined) return "finalizer";
  const done = new Set(observations.map(({ callId }) => callId));
  const isDone = toolStepsOf(state).every(({ id }) => done.has(id));
  return soloCalls === undefined && isDone ? "solver" : "worker";
};

const afterAgent: Router<"tools" | "finalizer"> = ({ outcome, messages, observations }) =>
  outcome === undefined && openTurn(messages, observations).pending.length > 0
    ? "tools"
    : "finalizer";

const afterTools: Router<"tools" | "agent" | "finalizer"> = ({ outcome, soloCalls, subRuns }) => {
  if (outcome !== undefined) return "finalizer";
  return soloCalls === undefined && subRuns === undefined ? "agent" : "tools";
};

/**
 * ReWOO: the whole plan first, with references to results that are not there yet; then its steps, without
 * a model between them; then one answer from plan and evidence. Two model calls for a clean run.
 *
 *     START → intake → planner → worker ⟲ → solver → finalizer → END
 *
 * Where no valid plan comes, the run goes on as ReAct does. Takes `{ messages }` and returns
 * `{ messages, answer, outcome, usage, observations, steps }`. Throws a `PlangraphError` at once for
 * options that cannot work.
 *
 * Xu et al., "ReWOO: Decoupling Reasoning from Observations for Efficient Augmented Language Models"
 * (2023), arXiv:2305.18323.
 */
export function createRewooGraph(options: RewooOptions = {}) {
  const { tools = [], toolPolicies, prompts, responseFormat, checkpointer, store } = options;
  const form = responseFormat === undefined ? undefined : zodForm("response", responseFormat);
  const toolbox = createToolbox(tools, toolPolicies);
  const {
    planner = defaultPlannerInstructions,
    solver = defaultSolverInstructions,
    agent = defaultAgentInstructions,
  } = prompts ?? {};
  return compileGraph(
    new StateGraph(PlanState, contextSchema())
      .addNode("intake", createIntake({ roles }))
      .addNode("planner", createPlanner({ toolbox, instructions: planner }))
      .addNode("worker", createWorker({ toolbox }))
      .addNode("solver", createSolver({ instructions: solver }))
      .addNode("agent", createAgent({ tools, instructions: agent }))
      .addNode("tools", createTools({ toolbox }))
      .addNode("finalizer", createFinalizer({ instructions: agent, form }))
      .addEdge(START, "intake")
      .addConditionalEdges("intake", afterIntake, ["planner", "worker", "tools"])
      .addConditionalEdges("planner", afterPlanner, ["worker", "agent", "finalizer"])
      .addConditionalEdges("worker", afterWorker, ["worker", "solver", "finalizer"])
      .addConditionalEdges("agent", afterAgent, ["tools", "finalizer"])
      .addConditionalEdges("tools", afterTools, ["tools", "agent", "finalizer"])
      .addEdge("solver", "finalizer")
      .addEdge("finalizer", END),
    {
      name: "rewoo",
      checkpointer,
      store,
      run: options,
      writes: hasWrites(toolbox),
    },
  );
}
