// A program that a test starts, kills and starts again: a ReWOO run on SQLite, alone or embedded.
import { existsSync } from "node:fs";

import type { BaseMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

import { createRewooGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asRunnable } from "./hosts.js";
import { killingTool } from "./killing-tool.js";

const [, , folder = "", place = "", killIn = "", answer] = process.argv;

const logging = (name: string) => killingTool(name, folder, killIn);
const step = (id: string, tool: string, item: string) => ({
  id,
  thought: "",
  tool,
  args: { item },
});
const steps = [
  step("E1", "price", "tea"),
  step("E2", "stock", "milk"),
  step("E3", "price", "{{E2}}"),
  step("E4", "order", "{{E1}}"),
];

/** Plans when it is asked for a plan, and answers when it is not. */
function plannedOrSolved(messages: readonly BaseMessage[]) {
  const isAsked = messages.at(-1)?.text.includes("JSON schema") === true;
  return isAsked ? JSON.stringify({ steps }) : "Ordered.";
}

const checkpointer = SqliteSaver.fromConnString(`${folder}/threads.db`);
const options = {
  models: scriptedModel(plannedOrSolved),
  tools: ["price", "stock"].map(logging).concat(withPolicy(logging("order"), { effect: "write" })),
};
const embedded = () =>
  new StateGraph(MessagesAnnotation)
    .addNode("host", createRewooGraph(options))
    .addEdge(START, "host")
    .addEdge("host", END)
    .compile({ checkpointer });
const graph = asRunnable(
  place === "embedded" ? embedded() : createRewooGraph({ ...options, checkpointer }),
);
const isFirst = !existsSync(`${folder}/runs.log`);
const question = { messages: [{ role: "user", content: "Order tea." }] };
const config = { configurable: { thread_id: "1" } };
const resumed =
  answer === undefined ? null : new Command({ resume: { decisions: [{ type: answer }] } });
const result: unknown = await graph.invoke(isFirst ? question : resumed, config);
process.stdout.write(JSON.stringify(result));
