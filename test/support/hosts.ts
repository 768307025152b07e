import { Runnable, RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  END,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { z } from "zod";

import {
  type AgentGraph,
  asTool,
  createReactGraph,
  type ReactGraph,
  type RewooGraph,
  type RouterGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

/** A graph of ours, as the hosts put it somewhere. */
export type HostedGraph = ReactGraph | RewooGraph | RouterGraph<"mathematics" | "physics">;

/** LangGraph's graphs are Runnables that LangChain's types do not accept as such. */
export function asRunnable(graph: unknown): Runnable {
  if (Runnable.isRunnable(graph)) return graph;
  throw new TypeError("not a Runnable");
}

const toolSchema = z.object({ question: z.string() });

function inNode(
  node: (
    state: typeof MessagesAnnotation.State,
    config: LangGraphRunnableConfig,
  ) => Promise<object>,
  checkpointer: BaseCheckpointSaver,
) {
  return new StateGraph(MessagesAnnotation)
    .addNode("host", node)
    .addEdge(START, "host")
    .addEdge("host", END)
    .compile({ checkpointer });
}

/** A graph that asks another one its question, and gives its answer. */
function askingGraph(graph: AgentGraph, checkpointer?: BaseCheckpointSaver) {
  const models = scriptedModel((messages) => {
    const last = messages.at(-1);
    if (last?.type === "tool") return last.text;
    return { toolCalls: [{ name: "ask_expert", args: { question: last?.text }, id: "ask" }] };
  });
  const tools = [asTool(graph, { name: "ask_expert", description: "Asks an expert." })];
  const options = { models, tools };
  return createReactGraph(checkpointer === undefined ? options : { ...options, checkpointer });
}

type Host = (graph: HostedGraph, checkpointer: BaseCheckpointSaver) => unknown;
type Place =
  | "as a subgraph node"
  | "invoked in a node with its config"
  | "invoked in a node without config"
  | "in a chain in a node"
  | "as a tool in a node"
  | "as a tool of another graph"
  | "as a tool of a graph that is a tool";

/** The places in which users put a graph. Each takes messages and keeps its thread in `checkpointer`. */
export const hosts: { readonly [Name in Place]: Host } = {
  "as a subgraph node": (graph: HostedGraph, checkpointer: BaseCheckpointSaver) =>
    new StateGraph(MessagesAnnotation)
      .addNode("host", graph)
      .addEdge(START, "host")
      .addEdge("host", END)
      .compile({ checkpointer }),
  "invoked in a node with its config": (graph: HostedGraph, checkpointer: BaseCheckpointSaver) =>
    inNode(async ({ messages }, config) => {
      const result = await graph.invoke({ messages }, config);
      return { messages: result.messages };
    }, checkpointer),
  "invoked in a node without config": (graph: HostedGraph, checkpointer: BaseCheckpointSaver) =>
    inNode(async ({ messages }) => {
      const result = await graph.invoke({ messages });
      return { messages: result.messages };
    }, checkpointer),
  "in a chain in a node": (graph: HostedGraph, checkpointer: BaseCheckpointSaver) =>
    inNode(async ({ messages }, config) => {
      const chain = RunnableLambda.from((input: object) => input).pipe(asRunnable(graph));
      const result = await chain.invoke({ messages }, config);
      return { messages: result.messages };
    }, checkpointer),
  "as a tool in a node": (graph: HostedGraph, checkpointer: BaseCheckpointSaver) => {
    const asked = tool(
      async ({ question }, config: LangGraphRunnableConfig) => {
        const messages = [{ role: "user" as const, content: question }];
        return (await graph.invoke({ messages }, config)).answer ?? "";
      },
      { name: "ask_expert", description: "Asks an expert.", schema: toolSchema },
    );
    return inNode(async ({ messages }, config) => {
      const answer = await asked.invoke({ question: messages.at(-1)?.text ?? "" }, config);
      return { messages: [{ role: "assistant", content: answer }] };
    }, checkpointer);
  },
  "as a tool of another graph": askingGraph,
  "as a tool of a graph that is a tool": (graph: AgentGraph, checkpointer: BaseCheckpointSaver) =>
    askingGraph(askingGraph(graph), checkpointer),
};
