import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type {
  BaseCheckpointSaver,
  LangGraphRunnableConfig,
  StreamMode,
} from "@langchain/langgraph";

import {
  type AgentGraph,
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Observation,
  type Outcome,
  type RunOptions,
  type Usage,
} from "../../src/index.js";
import { finishWith, planText, stepOf } from "./plans.js";
import { calling } from "./task-models.js";
import type { ScriptedReply } from "../../src/testing/index.js";
import { respondWith, taskPlanText } from "./task-plans.js";
import { choice } from "./two-routes.js";

/** What a scene's graph is made of: one model for all roles, and the tools `price` and `stock`. */
type SceneOptions = RunOptions & {
  readonly models: BaseChatModel | string;
  readonly tools: readonly StructuredToolInterface[];
  readonly checkpointer?: BaseCheckpointSaver;
};

type Input = { messages: (BaseMessage | { role: "user"; content: string })[] } | null;
type Result = {
  readonly answer?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly usage: Usage;
  readonly observations: readonly Observation[];
};

/** A graph of a scene, as tests use it. */
export type SceneGraph = {
  invoke(input: Input, config?: LangGraphRunnableConfig): Promise<Result>;
  stream(
    input: Input,
    config: LangGraphRunnableConfig & { streamMode: StreamMode },
  ): Promise<ReadableStream<unknown> & AsyncIterable<unknown>>;
  streamEvents(
    input: Input,
    config: LangGraphRunnableConfig & { version: "v2" },
  ): AsyncIterable<{ readonly event: string }>;
  streamEvents(
    input: Input,
    config: LangGraphRunnableConfig & { version: "v3" },
  ): Promise<{ abort(reason?: unknown): void } & AsyncIterable<unknown>>;
};

/** One run of a graph, as a model answers in it request by request. */
export type Scene = {
  readonly name: string;
  readonly create: (options: SceneOptions) => SceneGraph & AgentGraph;
  /** What the model says, in this order, where all goes well. */
  readonly replies: readonly (string | ScriptedReply)[];
  /** What the tools are called for. */
  readonly runs: readonly string[];
  readonly answer: string;
};

const runs = ["price tea", "stock tea"];
const turns = [calling("price", "tea"), calling("stock", "tea")];
const steps = [stepOf("price", "tea"), stepOf("stock", "tea", "E1")];
const tasks = [{ task: "One" }, { task: "Two", after: ["S1"] }];

/** A run of every graph that makes the same two calls, one after the other. */
export const scenes: readonly Scene[] = [
  {
    name: "react",
    create: createReactGraph,
    replies: [...turns, "Three euros, in stock."],
    runs,
    answer: "Three euros, in stock.",
  },
  {
    name: "react at a limit",
    create: (options) =>
      createReactGraph({ ...options, limits: { toolCalls: 2, ...options.limits } }),
    replies: [...turns, calling("price", "milk"), "That is as far as I came."],
    runs,
    answer: "That is as far as I came.",
  },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: [planText(...steps), "Solved."],
    runs,
    answer: "Solved.",
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    replies: [planText(...steps), finishWith("Joined.")],
    runs,
    answer: "Joined.",
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [
      taskPlanText(...tasks),
      calling("price", "tea"),
      "Three euros.",
      calling("stock", "tea"),
      "In stock.",
      respondWith("All done."),
    ],
    runs,
    answer: "All done.",
  },
  {
    name: "router",
    create: ({ checkpointer, tools, ...options }) =>
      createRouterGraph({
        ...options,
        ...(checkpointer === undefined ? {} : { checkpointer }),
        routes: {
          shop: { description: "Prices.", graph: createReactGraph({ ...options, tools }) },
          other: { description: "All else.", graph: createReactGraph(options) },
        },
      }),
    replies: [choice("shop"), ...turns, "Routed."],
    runs,
    answer: "Routed.",
  },
  {
    name: "an agent as a tool",
    create: ({ checkpointer, ...options }) => {
      const expert = asTool(createReactGraph(options), { name: "expert", description: "Knows." });
      const kept = checkpointer === undefined ? {} : { checkpointer };
      return createReactGraph({ ...options, ...kept, tools: [expert] });
    },
    replies: [
      { toolCalls: [{ name: "expert", args: { question: "Tea?" }, id: "ask" }] },
      ...turns,
      "The expert's answer.",
      "Passed on.",
    ],
    runs,
    answer: "Passed on.",
  },
];
