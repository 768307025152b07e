// A program that a test starts, kills and starts again: a plan of tasks on SQLite, alone or embedded. Its replanner
// asks for one step more; it is killed in the tool or the model's role that it is told. "approved" as a place is
// the top level, with orders that a person approves.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

import { Command, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

import { createPlanExecuteGraph, withPolicy } from "../../src/index.js";
import { asRunnable } from "./hosts.js";
import { killingTool } from "./killing-tool.js";
import { calling, taskModels } from "./task-models.js";
import { continueWith, respondWith, taskPlanText } from "./task-plans.js";

const [, , folder = "", place = "", killIn = "", answer] = process.argv;
const isFirst = !existsSync(`${folder}/asked.log`);

const logging = (name: string) => killingTool(name, folder, killIn);

/** What the replanner says, or the end of the program. */
function replans(messages: readonly { readonly text: string }[]) {
  const mark = `${folder}/killed`;
  if (killIn === "replanner" && !existsSync(mark)) {
    writeFileSync(mark, "");
    process.kill(process.pid, "SIGKILL");
  }
  const isDone = messages.some(({ text }) => text.includes("Salt costs 1."));
  return isDone
    ? respondWith("All is ordered.")
    : continueWith({ id: "S5", task: "Price salt.", after: ["S3"] });
}

const models = taskModels(
  [
    taskPlanText(
      { task: "Price tea." },
      { task: "Count milk." },
      { task: "Order tea.", after: ["S1"] },
      { task: "Price cocoa.", after: ["S2", "S3"] },
    ),
  ],
  {
    "Price tea.": [calling("price", "tea"), "Tea costs 3."],
    "Count milk.": [calling("price", "milk"), calling("stock", "milk"), "4 bottles."],
    "Order tea.": [
      calling("price", "green tea"),
      calling("order", "tea"),
      calling("paid", "tea"),
      "Ordered.",
    ],
    "Price cocoa.": [calling("between", "steps"), calling("price", "cocoa"), "Cocoa costs 2."],
    "Price salt.": [calling("price", "salt"), "Salt costs 1."],
  },
  [replans, replans],
);
const checkpointer = SqliteSaver.fromConnString(`${folder}/threads.db`);
const options = {
  models,
  tools: [
    ...["price", "stock", "paid", "between"].map(logging),
    withPolicy(logging("order"), { effect: "write", needsApproval: place === "approved" }),
  ],
};
const embedded = () =>
  new StateGraph(MessagesAnnotation)
    .addNode("host", asRunnable(createPlanExecuteGraph(options)))
    .addEdge(START, "host")
    .addEdge("host", END)
    .compile({ checkpointer });
const graph = asRunnable(
  place === "embedded" ? embedded() : createPlanExecuteGraph({ ...options, checkpointer }),
);
appendFileSync(`${folder}/asked.log`, `${String(answer)}\n`);
const question = { messages: [{ role: "user", content: "Order tea." }] };
const config = { configurable: { thread_id: "1" } };
const resumed =
  answer === undefined ? null : new Command({ resume: { decisions: [{ type: answer }] } });
const result: unknown = await graph.invoke(isFirst ? question : resumed, config);
process.stdout.write(JSON.stringify(result));
