// The graphs of servers that tests kill: see worked.ts.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { createReactGraph, withPolicy } from "../../src/index.js";

/** Tells the test, which is another process, what happened. */
function note(line: string): void {
  appendFileSync("calls.log", `${line}\n`);
}

const look = withPolicy(
  tool(
    async ({ thread, step }) => {
      note(`look ${thread} ${step} begins`);
      await sleep(200);
      note(`look ${thread} ${step}`);
      return `${step} seen`;
    },
    {
      name: "look",
      description: "Looks.",
      schema: z.object({ thread: z.string(), step: z.number() }),
    },
  ),
  { effect: "read" },
);

const pay = withPolicy(
  tool(
    ({ thread }) => {
      note(`pay ${thread}`);
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({ thread: z.string() }) },
  ),
  { effect: "write" },
);

const refund = withPolicy(
  tool(
    ({ thread }) => {
      note(`refund ${thread}`);
      return "refunded";
    },
    { name: "refund", description: "Refunds.", schema: z.object({ thread: z.string() }) },
  ),
  { effect: "write", needsApproval: true },
);

const peek = withPolicy(
  tool(() => "seen", { name: "peek", description: "Looks, at once.", schema: z.object({}) }),
  { effect: "read" },
);

/** Looks several times, then pays; or looks once; or refunds, which a person approves. */
export const worker = () =>
  createReactGraph({ models: "openai:scripted", tools: [look, peek, pay, refund] });
