// A program that a test starts, kills and starts again: a ReAct run on SQLite, alone or embedded.
import { existsSync } from "node:fs";

import type { BaseMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

import { createReactGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asRunnable, hosts } from "./hosts.js";
import { killingTool } from "./killing-tool.js";

const [, , folder = "", place = "", killIn = "", answer] = process.argv;

const logging = (name: string) => killingTool(name, folder, killIn);
const call = (name: string, item: string) => ({ name, args: { item }, id: `${name}-${item}` });

/** Answers by how many calls have results, so that a new process goes on where the last one stopped. */
function nextStep(messages: readonly BaseMessage[]) {
  const results = messages.filter(({ type }) => type === "tool").length;
  if (results === 0) return { toolCalls: [call("price", "tea")] };
  if (results === 1) {
    return { toolCalls: [call("price", "milk"), call("stock", "tea"), call("order", "tea")] };
  }
  return "Ordered.";
}

const checkpointer = SqliteSaver.fromConnString(`${folder}/threads.db`);
const options = {
  models: scriptedModel(nextStep),
  tools: ["price", "stock"].map(logging).concat(withPolicy(logging("order"), { effect: "write" })),
};
const host = Object.entries(hosts).find(([name]) => name === place)?.[1];
const graph = asRunnable(
  host === undefined
    ? createReactGraph({ ...options, checkpointer })
    : host(createReactGraph(options), checkpointer),
);
const isFirst = !existsSync(`${folder}/runs.log`);
const question = { messages: [{ role: "user", content: "Order tea." }] };
const config = { configurable: { thread_id: "1" } };
const resumed =
  answer === undefined ? null : new Command({ resume: { decisions: [{ type: answer }] } });
const result: unknown = await graph.invoke(isFirst ? question : resumed, config);
process.stdout.write(JSON.stringify(result));
