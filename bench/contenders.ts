// The same task for the ReAct graph, a bare LangGraph loop and LangChain's createAgent, on one scripted server.
import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { z } from "zod";

import type * as Plangraph from "../src/index.js";
import { type ChatRequest, startScriptedServer } from "../src/testing/index.js";

// The built package, as users run it: a loader of TypeScript names every function again at run time.
const built = new URL("../dist/index.js", import.meta.url).href;
const { createReactGraph }: typeof Plangraph = await import(built);

/** Asks for one more tool call until the question's number of steps is reached. */
function nextStep({ messages }: ChatRequest) {
  const steps = Number(
    /\d+/.exec(JSON.stringify(messages.find(({ role }) => role === "user")))?.[0],
  );
  const done = messages.filter(({ role }) => role === "tool").length;
  const toolCalls = [{ name: "lookup", args: { item: `item ${done}` }, id: `call_${done}` }];
  return done < steps ? { toolCalls } : "Done.";
}

export const server = await startScriptedServer({ replies: nextStep });
const lookup = tool(({ item }) => `Nothing is known about ${item}.`, {
  name: "lookup",
  description: "Looks an item up.",
  schema: z.object({ item: z.string() }),
});
const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  maxRetries: 0,
  configuration: { baseURL: server.url },
});

const withTools = model.bindTools([lookup]);
const bare = new StateGraph(MessagesAnnotation)
  .addNode("agent", async ({ messages }) => ({ messages: [await withTools.invoke(messages)] }))
  .addNode("tools", new ToolNode([lookup]))
  .addEdge(START, "agent")
  .addConditionalEdges("agent", toolsCondition, ["tools", END])
  .addEdge("tools", "agent")
  .compile();
const agent = createAgent({ model, tools: [lookup] });
const react = reactWith([]);

/** The ReAct graph with these observers. */
export function reactWith(observers: readonly Plangraph.Observer[]) {
  return createReactGraph({ models: model, tools: [lookup], observers });
}

type Question = { messages: { role: "user"; content: string }[] };

/** A contender's name, and how it answers. */
export type Contender = readonly [name: string, run: (input: Question) => Promise<unknown>];

export const contenders: readonly Contender[] = [
  ["bare loop", (input) => bare.invoke(input, { recursionLimit: 1_000 })],
  ["createAgent", (input) => agent.invoke(input, { recursionLimit: 1_000 })],
  ["plangraph", (input) => react.invoke(input)],
];

/** A question that takes so many tool calls, one a model step. */
export function question(steps: number): Question {
  return { messages: [{ role: "user", content: `Look up ${steps} items.` }] };
}
