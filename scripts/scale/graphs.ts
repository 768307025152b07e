// The graphs of `npm run scale`: each reads and writes, slowly, and writes down what it did; `free` asks no provider.
import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { tool, type ToolRunnableConfig } from "@langchain/core/tools";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { crashModels } from "../../test/support/crash-scripts.js";
import { logFile, type Noted } from "./tried-calls.js";

function note(entry: Omit<Noted, "at" | "pid">): void {
  appendFileSync(logFile, `${JSON.stringify({ ...entry, at: Date.now(), pid: process.pid })}\n`);
}

const slow = (name: string, ms: number, effect: "read" | "write") =>
  withPolicy(
    tool(
      async (_, { toolCall, configurable }: ToolRunnableConfig) => {
        const thread = String(configurable?.["thread_id"]);
        const about = { thread, tool: name, call: `${name} ${toolCall?.id}` };
        note({ ...about, effect, kind: "began" });
        await sleep(ms);
        note({ ...about, effect, kind: "ended" });
        return `${toolCall?.id} done receipt-${randomBytes(6).toString("hex")}`;
      },
      { name, description: `The ${name}.`, schema: z.object({ item: z.string() }) },
    ),
    { effect },
  );

const tools = [
  slow("price", 60, "read"),
  slow("stock", 110, "read"),
  slow("order", 140, "write"),
  slow("book", 90, "write"),
];
const nothing = () => {};

export const react = () => createReactGraph({ tools, models: crashModels.react(nothing).models });
export const rewoo = () => createRewooGraph({ tools, models: crashModels.rewoo(nothing).models });
export const compiler = async () => {
  const { models } = await crashModels["llm-compiler"](nothing);
  return createLlmCompilerGraph({ tools, models });
};
export const tasks = () =>
  createPlanExecuteGraph({ tools, models: crashModels["plan-execute"](nothing).models });
export const free = () => createReactGraph({ tools: [], models: scriptedModel(() => "Free.") });
