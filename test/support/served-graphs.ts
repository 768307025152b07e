// The graphs that a dev server serves in tests: see served.ts. Functions, as `langgraph.json` wants them.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import { z } from "zod";

import {
  askUser,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  handOff,
  withPolicy,
} from "../../src/index.js";

/** Tells the test, which is another process, what happened. */
function note(line: string): void {
  appendFileSync("calls.log", `${line}\n`);
}

const price = withPolicy(
  tool(
    ({ item }) => {
      note(`price ${item}`);
      return `${item}: 3 euros`;
    },
    { name: "price", description: "Tells a price.", schema: z.object({ item: z.string() }) },
  ),
  { effect: "read" },
);

const order = withPolicy(
  tool(
    ({ item, count }) => {
      note(`order ${count} ${item}`);
      return `${count} ${item} ordered`;
    },
    {
      name: "order",
      description: "Orders an item.",
      schema: z.object({ item: z.string(), count: z.number() }),
    },
  ),
  { effect: "write", needsApproval: true },
);

const slow = tool(
  async ({ item }, { signal }) => {
    note(`slow ${item} started`);
    signal?.addEventListener("abort", () => note(`slow ${item} aborted`));
    await sleep(20_000, undefined, { signal });
    note(`slow ${item} finished`);
    return `${item} found`;
  },
  { name: "slow", description: "Takes its time.", schema: z.object({ item: z.string() }) },
);

const models = "openai:scripted";

const tools = [price, slow, order, askUser];

/** Prices, slow searches, orders that a person approves, and questions to the user. */
export const shop = () => createReactGraph({ models, tools });

/** The same with a plan. */
export const planned = () => createRewooGraph({ models, tools });

/** The same with a plan that is run while it is written. */
export const compiled = () => createLlmCompilerGraph({ models, tools });

/** The same with a plan of tasks. */
export const carried = () => createPlanExecuteGraph({ models, tools });

/** Prices, with a person behind who takes over. */
export const staffed = () => createReactGraph({ models, tools: [price, handOff] });

/** The same with a plan. */
export const staffedPlan = () => createRewooGraph({ models, tools: [price, handOff] });

/** Answers in a form that the caller wants. */
export const structured = () =>
  createReactGraph({ models, tools: [price], responseFormat: z.object({ euros: z.number() }) });
