// A program that a test starts, kills and starts again: a run with a plan on SQLite, alone or embedded.
// As "writing" its planner is slow, so that it is killed while the plan is written, and plans otherwise then.
import { existsSync } from "node:fs";

import { ChatOpenAI } from "@langchain/openai";
import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

import { createLlmCompilerGraph, createRewooGraph, withPolicy } from "../../src/index.js";
import { type ChatRequest, fault, startScriptedServer } from "../../src/testing/index.js";
import { asRunnable } from "./hosts.js";
import { killingTool } from "./killing-tool.js";
import { finishWith, planText, stepOf } from "./plans.js";

const [, , folder = "", graphName = "", place = "", killIn = "", answer] = process.argv;
const isWriting = graphName === "writing";
const isFirst = !existsSync(`${folder}/runs.log`);

const logging = (name: string) => killingTool(name, folder, killIn);
const reading = (name: string) => withPolicy(logging(name), { effect: "read" });

/** The price is there before anything else is asked for: what is finished is on record. */
const plan = planText(
  stepOf("price", "tea"),
  stepOf("stock", isWriting && !isFirst ? "cocoa" : "milk", "E1"),
  stepOf("price", "{{E2}}"),
  stepOf("order", "{{E1}}"),
);

/** Plans, joins or answers, as it is asked to. */
function reply({ messages }: ChatRequest) {
  const asked = JSON.stringify(messages.at(-1)?.content);
  if (!asked.includes("in the form above")) return "Ordered.";
  if (asked.includes("replan")) return finishWith("Ordered.");
  return isWriting && isFirst ? fault.slow(plan, 60) : plan;
}

const server = await startScriptedServer({ replies: reply });
const checkpointer = SqliteSaver.fromConnString(`${folder}/threads.db`);
const options = {
  models: new ChatOpenAI({
    model: "any",
    apiKey: "key",
    maxRetries: 0,
    configuration: { baseURL: server.url },
  }),
  tools: [...["price", "stock"].map(reading), withPolicy(logging("order"), { effect: "write" })],
};
const create = graphName === "rewoo" ? createRewooGraph : createLlmCompilerGraph;
const alone = () => asRunnable(create({ ...options, checkpointer }));
const embedded = () =>
  asRunnable(
    new StateGraph(MessagesAnnotation)
      .addNode("host", asRunnable(create(options)))
      .addEdge(START, "host")
      .addEdge("host", END)
      .compile({ checkpointer }),
  );
const graph = place === "embedded" ? embedded() : alone();
const question = { messages: [{ role: "user", content: "Order tea." }] };
const config = { configurable: { thread_id: "1" } };
const resumed =
  answer === undefined ? null : new Command({ resume: { decisions: [{ type: answer }] } });
const result: unknown = await graph.invoke(isFirst ? question : resumed, config);
await server.close();
process.stdout.write(JSON.stringify(result));
