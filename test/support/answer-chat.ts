import { AIMessage, AIMessageChunk, HumanMessage } from "@langchain/core/messages";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { scriptedModel, type ScriptedReply } from "../../src/testing/index.js";
import { client, serve } from "../testing/client.js";
import { countingTools } from "./counting-tools.js";
import { planText, stepOf } from "./plans.js";

export const { tools } = countingTools("price", "stock");
export const answer = 'Tea costs 4 "pounds"\nor 🍵 a box, which is more than it was.';
export const planned = planText(stepOf("price", "tea"));
export const noPlan = JSON.stringify({ steps: [], answer });
export const task = { task: "Find the price of tea." };
export const last = { task: "Say what tea costs.", after: ["S1"], final: true };
export const priced: ScriptedReply = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
export const acted = (action: string, input: unknown) =>
  JSON.stringify({ thought: "Next.", action, action_input: input });

const graphs = {
  react: createReactGraph,
  rewoo: createRewooGraph,
  "llm-compiler": createLlmCompilerGraph,
  "plan-execute": createPlanExecuteGraph,
} as const;

type Streamed = { readonly isChunk: boolean; readonly text: string };
/** A run that ends with the answer. */
export type Case = {
  readonly title: string;
  readonly graph: keyof typeof graphs;
  readonly replies: readonly (ScriptedReply | string)[];
  readonly protocol?: "json";
};

export const ask = {
  messages: [
    new HumanMessage("What does tea cost?"),
    new AIMessage("4."),
    new HumanMessage("In a sentence?"),
  ],
};

/** The AI messages that a run streams as chat, by id, and its result. */
export async function chatOf(
  { graph: name, replies, protocol }: Omit<Case, "title">,
  serves: boolean = false,
) {
  const models = serves ? client(await serve({ replies })) : scriptedModel(replies);
  const graph = graphs[name]({ models, tools, ...(protocol === undefined ? {} : { protocol }) });
  const streamed = new Map<string | undefined, Streamed[]>();
  let result: Readonly<Record<string, unknown>> = {};
  for await (const [mode, chunk] of await graph.stream(ask, {
    streamMode: ["messages", "values"],
  })) {
    if (mode === "values") {
      result = chunk;
      continue;
    }
    const [message] = chunk;
    if (!AIMessage.isInstance(message) && !AIMessageChunk.isInstance(message)) continue;
    const isChunk = AIMessageChunk.isInstance(message);
    const { id, text } = message;
    if (text === "") continue;
    streamed.set(id, [...(streamed.get(id) ?? []), { isChunk, text }]);
  }
  return { streamed, result, messages: [result["messages"]].flat() };
}

export const textOf = (pieces: readonly Streamed[] = []) => pieces.map(({ text }) => text).join("");
