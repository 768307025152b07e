// A program that a test starts, kills and starts again: a workflow on SQLite, alone or embedded.
import { existsSync } from "node:fs";

import { Command, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

import { createWorkflowGraph, withPolicy, type WorkflowDefinition } from "../../src/index.js";
import { asRunnable } from "./hosts.js";
import { killingTool } from "./killing-tool.js";

const [, , folder = "", place = "", killIn = "", answer] = process.argv;
const isFirst = !existsSync(`${folder}/runs.log`);

const read = (name: string) => withPolicy(killingTool(name, folder, killIn), { effect: "read" });
const write = (name: string) => withPolicy(killingTool(name, folder, killIn), { effect: "write" });

const checkpointer = SqliteSaver.fromConnString(`${folder}/threads.db`);
const workflow = {
  input: { item: "text" },
  steps: {
    price: { tool: "price", args: { item: "{{input.item}}" } },
    stock: { tool: "stock", args: { item: "{{item}}" }, each: { list: ["milk", "jam"], max: 5 } },
    none: {
      tool: "order",
      args: { item: "nothing" },
      when: { value: "{{price}}", target: "free" },
    },
    order: { tool: "order", args: { item: "{{item}}" }, each: { list: "{{stock}}", max: 5 } },
    told: { tool: "tell", args: { item: "{{order[1]}}" } },
  },
  output: "{{told}}",
} satisfies WorkflowDefinition;
const made = (options: object) =>
  createWorkflowGraph(workflow, {
    tools: [read("price"), read("stock"), write("order"), read("tell")],
    ...options,
  });
const alone = () => asRunnable(made({ checkpointer }));
const embedded = () =>
  asRunnable(
    new StateGraph(MessagesAnnotation)
      .addNode("host", asRunnable(made({})))
      .addEdge(START, "host")
      .addEdge("host", END)
      .compile({ checkpointer }),
  );
const graph = place === "embedded" ? embedded() : alone();
const question = { messages: [{ role: "user", content: "tea" }] };
const config = { configurable: { thread_id: "1" } };
const resumed =
  answer === undefined ? null : new Command({ resume: { decisions: [{ type: answer }] } });
const result: unknown = await graph.invoke(isFirst ? question : resumed, config);
process.stdout.write(JSON.stringify(result));
