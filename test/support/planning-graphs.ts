import {
  createLlmCompilerGraph,
  createRewooGraph,
  type LlmCompilerOptions,
  type RewooGraph,
  type RewooOptions,
} from "../../src/index.js";

/** What every graph that plans can consist of. */
export type PlanningOptions = Omit<RewooOptions & LlmCompilerOptions, "prompts">;

/** Makes a graph that plans. */
export type CreatePlanning = (options: PlanningOptions) => RewooGraph;

/** A graph that plans, and who does what in it. */
export type PlanningGraph = {
  readonly name: string;
  readonly create: CreatePlanning;
  /** The node that has the plan made. */
  readonly planning: string;
  /** The node that runs the steps. */
  readonly running: string;
  /** The role that answers from the results. */
  readonly answering: "solver" | "joiner";
};

/** The graphs that plan. They follow the same scripts: a joiner that writes prose finishes with it. */
export const planningGraphs: readonly PlanningGraph[] = [
  {
    name: "rewoo",
    create: createRewooGraph,
    planning: "planner",
    running: "worker",
    answering: "solver",
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    planning: "scheduler",
    running: "scheduler",
    answering: "joiner",
  },
];
