import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { Option } from "commander";

import type { ModelRole } from "../models/model.js";
import { type Replanning, replannings } from "../plan/replanning.js";
import { invalidOption } from "../run/check-names.js";
import type { RunnableGraph } from "../runtime/graph-tool.js";
import type { RunOptions } from "../runtime/options.js";

/** The options of a graph on the command line; the last three have flags only where the graph takes them. */
type GraphOptions = RunOptions & {
  readonly tools: readonly StructuredToolInterface[];
  readonly checkpointer?: BaseCheckpointSaver;
  readonly replanning?: Replanning;
  readonly reviewPlan?: boolean;
  readonly reviewAnswer?: boolean;
};

/** A graph that the command line offers. */
export type GraphEntry = {
  /** The subcommand. */
  readonly name: string;
  readonly summary: string;
  /** The model roles that the graph uses. */
  readonly roles: readonly ModelRole[];
  /** The flags that not every graph has. */
  readonly flags?: readonly Option[];
  /** Loads the graph's code, which `--help` does not need. */
  readonly create: (options: GraphOptions) => Promise<RunnableGraph & Partial<Closable>>;
};

/** A graph that holds something open until the command ends. */
export type Closable = { readonly close: () => Promise<void> };

const reviewPlan = new Option("--review", "ask a person to approve the plan before it runs");
const reviewAnswer = new Option(
  "--review-answer",
  "ask a person to approve the answer before it goes out",
);

/** All graphs, in the order of the help. */
export const graphs: readonly GraphEntry[] = [
  {
    name: "react",
    summary: "think, act and observe until the answer is found",
    roles: ["executor"],
    flags: [reviewAnswer],
    create: async (options) => (await import("../graphs/react.js")).createReactGraph(options),
  },
  {
    name: "rewoo",
    summary: "the whole plan first, then its steps, then one answer from the results",
    roles: ["planner", "solver"],
    flags: [reviewPlan, reviewAnswer],
    create: async (options) => (await import("../graphs/rewoo.js")).createRewooGraph(options),
  },
  {
    name: "plan-execute",
    summary: "a plan of tasks, each done by an agent, changed when results require it",
    roles: ["planner", "executor", "replanner"],
    flags: [
      new Option("--replanner <SPEC>", "the model that changes the plan (default: the planner's)"),
      new Option("--replanning <NAME>", "when the plan is reconsidered (default: auto)").choices(
        replannings,
      ),
      reviewPlan,
      reviewAnswer,
    ],
    create: async (options) =>
      (await import("../graphs/plan-execute.js")).createPlanExecuteGraph(options),
  },
  {
    name: "llm-compiler",
    summary: "a plan whose steps start while it is written, extended until the answer is found",
    roles: ["planner", "joiner"],
    flags: [reviewPlan, reviewAnswer],
    create: async (options) =>
      (await import("../graphs/llm-compiler.js")).createLlmCompilerGraph(options),
  },
  {
    name: "router",
    summary: "mathematics goes to a graph that plans, the rest to one that reasons step by step",
    roles: ["router", "planner", "executor"],
    flags: [new Option("--router <SPEC>", "the model that chooses the route")],
    create: async (options) =>
      (await import("../graphs/default-router.js")).createDefaultRouter(options),
  },
  {
    name: "assistant",
    summary:
      "answers from a knowledge base with its sources, acts with the tools, or does not know",
    roles: ["rewriter", "router", "solver", "executor"],
    flags: [
      new Option("--rewriter <SPEC>", "the model that completes follow-up questions"),
      new Option("--router <SPEC>", "the model that chooses between knowledge and tools"),
    ],
    create: async (options) =>
      (await import("../graphs/default-assistant.js")).createDefaultAssistant(options),
  },
];

/** The graph of this name. Throws `invalid_option` for another. */
export function graphNamed(name: string): GraphEntry {
  const entry = graphs.find((each) => each.name === name);
  if (entry !== undefined) return entry;
  const known = graphs.map((each) => each.name).join(", ");
  throw invalidOption(`${name}: expected names of graphs: ${known}; or agent files.`);
}

/** The graphs that have a flag of their own, with the verb: "rewoo, plan-execute have"; empty if none has it. */
export function graphsWith(flag: string): string {
  const owners = graphs.filter(({ flags = [] }) => flags.some(({ long }) => long === flag));
  if (owners.length === 0) return "";
  const names = owners.map(({ name }) => name).join(", ");
  return `${names} ${owners.length === 1 ? "has" : "have"}`;
}
