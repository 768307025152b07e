// A program that a test starts again and again: one run on SQLite, whose tool's server asks a person. Each process
// gives one answer, and is killed once its server has noted what `kill` says.
import { existsSync, readFileSync } from "node:fs";

import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

import { createReactGraph } from "../../src/index.js";
import { mcpTools } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const [, , folder = "", server = "", item = "", answer = "", kill = ""] = process.argv;
const file = `${folder}/thread.db`;
const isNew = !existsSync(file);
const args = [server, `${folder}/runs.log`];
const { tools, close } = await mcpTools({ shop: { command: process.execPath, args } });
const call = { toolCalls: [{ id: "o", name: "order", args: { item } }] };
const graph = createReactGraph({
  models: scriptedModel((messages) => (messages.at(-1)?.type === "tool" ? "Done." : call)),
  tools,
  checkpointer: SqliteSaver.fromConnString(file),
});
const isKilled = () => readFileSync(`${folder}/runs.log`, "utf8").includes(kill);
if (kill !== "") setInterval(() => isKilled() && process.kill(process.pid, "SIGKILL"), 20);
const decision = answer === "approve" ? { type: "approve" } : { type: "respond", message: answer };
const question = { messages: [{ role: "user", content: "Order." }] };
const input = answer === "" ? null : new Command({ resume: { decisions: [decision] } });
await graph.invoke(isNew ? question : input, { configurable: { thread_id: "t" } });
const { values, tasks } = await graph.getState({ configurable: { thread_id: "t" } });
const asked = tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value));
console.log(JSON.stringify({ asked, answer: values.answer, observations: values.observations }));
await close();
