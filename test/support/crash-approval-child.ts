// A program that a test starts, kills and starts again: two agents as tools of a third, on SQLite. Both ask
// a person in the first process, and the second, which has the answers, is killed while both go on.
import { existsSync } from "node:fs";

import type { BaseMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

import { asTool, createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { askedReads } from "./asked-reads.js";
import { killingTool } from "./killing-tool.js";

const [, , folder = "", killIn = ""] = process.argv;

const resultsIn = (messages: readonly BaseMessage[]) =>
  messages.filter(({ type }) => type === "tool").length;

/** Looks a price up, orders with approval, then looks the stock up. */
function agent(name: string) {
  const steps = ["price", "order", `${name}_stock`];
  const models = scriptedModel((messages) => {
    const step = steps[resultsIn(messages)];
    return step === undefined
      ? `${name} is done.`
      : { toolCalls: [{ name: step, args: { item: name }, id: step }] };
  });
  const graph = createReactGraph({
    models,
    tools: steps.map((step) => killingTool(step, folder, killIn)),
    // Agents that may change something would ask one after the other.
    toolPolicies: { order: askedReads },
  });
  return asTool(graph, { name, description: `Orders ${name}.` });
}

const tools = [agent("tea"), agent("milk")];
const toolCalls = tools.map(({ name }) => ({ name, args: { question: name }, id: name }));
const graph = createReactGraph({
  models: scriptedModel((messages) => (resultsIn(messages) === 0 ? { toolCalls } : "Ordered.")),
  tools,
  checkpointer: SqliteSaver.fromConnString(`${folder}/threads.db`),
});

const decisions = [{ type: "approve" }, { type: "approve" }];
const input = { messages: [{ role: "user" as const, content: "Order." }] };
const config = { configurable: { thread_id: "1" } };
const isFirst = !existsSync(`${folder}/runs.log`);
const isAnswered = existsSync(`${folder}/killed`);
const result: unknown = isFirst
  ? await graph.invoke(input, config)
  : await graph.invoke(isAnswered ? null : new Command({ resume: { decisions } }), config);
process.stdout.write(JSON.stringify(result));
