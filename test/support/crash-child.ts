// A program that a test starts, kills and starts again: a ReAct run on SQLite, alone or embedded.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { z } from "zod";

import { createReactGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asRunnable, hosts } from "./hosts.js";

const [, , folder = "", place = "", killIn = ""] = process.argv;

function loggingTool(name: string) {
  return tool(
    async ({ item }) => {
      const mark = `${folder}/killed`;
      if (name === killIn && !existsSync(mark)) {
        // Slow enough for the finished neighbours to be on record.
        await new Promise((resolve) => setTimeout(resolve, 300));
        writeFileSync(mark, "");
        appendFileSync(`${folder}/runs.log`, `${name} ${item} (killed)\n`);
        process.kill(process.pid, "SIGKILL");
      }
      appendFileSync(`${folder}/runs.log`, `${name} ${item}\n`);
      return `${name} of ${item}`;
    },
    { name, description: `The ${name}.`, schema: z.object({ item: z.string() }) },
  );
}

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
  tools: ["price", "stock"]
    .map(loggingTool)
    .concat(withPolicy(loggingTool("order"), { effect: "write" })),
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
const result: unknown = await graph.invoke(isFirst ? question : null, config);
process.stdout.write(JSON.stringify(result));
