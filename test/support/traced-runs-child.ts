import { argv } from "node:process";

import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { traceStore } from "../../src/tracing/index.js";

/** Runs a graph again and again with a trace store, and kills itself at an event. */
const [, , file = "", killAt = ""] = argv;
let seen = 0;
const killer = {
  onEvent: () => {
    seen += 1;
    if (seen === Number(killAt)) process.kill(process.pid, "SIGKILL");
  },
};
const store = await traceStore({ file });
const price = tool(({ item }) => `price of ${item} `.repeat(200), {
  name: "price",
  description: "Prices.",
  schema: z.object({ item: z.string() }),
});
const models = scriptedModel((messages) =>
  messages.length > 12
    ? "Done."
    : { toolCalls: [{ name: "price", args: { item: `tea ${messages.length}` } }] },
);
const graph = createReactGraph({ models, tools: [price], observers: [store, killer] });
for (;;) {
  const { outcome } = await graph.invoke({ messages: [{ role: "user", content: "Prices?" }] });
  process.stdout.write(`${outcome?.status}\n`);
}
