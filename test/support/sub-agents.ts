import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph";

import { asTool, createReactGraph, type ReactOptions } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { askedReads } from "./asked-reads.js";
import { countingTools } from "./counting-tools.js";

const order = (item: string) => ({ name: "order", args: { item }, id: item });

/**
 * An agent as a tool: it looks a price up, then orders things in turns, each order with a person's approval. As far as
 * the policy says, ordering changes nothing: two such agents run side by side.
 */
export function shopAgent(name: string, turns: readonly (readonly string[])[]) {
  const { runs, tools } = countingTools("price", "order");
  const models = scriptedModel([
    { toolCalls: [{ name: "price", args: { item: turns[0]?.[0] } }] },
    ...turns.map((items) => ({ toolCalls: items.map(order) })),
    `${name} has ordered.`,
  ]);
  const toolPolicies = { order: askedReads };
  const graph = createReactGraph({ models, tools, toolPolicies });
  return { runs, models, tool: asTool(graph, { name, description: `Orders for ${name}.` }) };
}

/** An agent that asks other agents, all in one turn, and then says "Done.". */
export function askingAgent(
  tools: readonly StructuredToolInterface[],
  options: Omit<ReactOptions, "tools" | "models"> & {
    readonly checkpointer?: BaseCheckpointSaver;
  } = {},
) {
  const toolCalls = tools.map(({ name }) => ({
    name,
    args: { question: `ask ${name}` },
    id: name,
  }));
  const models = scriptedModel([{ toolCalls }, "Done."]);
  return { models, graph: createReactGraph({ ...options, models, tools }) };
}
