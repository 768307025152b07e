import { type BaseMessage, isToolMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type ToolPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import type { countingTools } from "./counting-tools.js";
import { finishWith, planText, stepOf } from "./plans.js";
import { respondWith, taskPlanText } from "./task-plans.js";

/** What a shop is asked. */
export const question = { messages: [{ role: "user" as const, content: "Order tea." }] };
/** The config of a thread. */
export const thread = (id = "1") => ({ configurable: { thread_id: id } });
/** An order is a write. */
export const toolPolicies = { order: { effect: "write" } } satisfies Record<string, ToolPolicy>;
const plan = planText(stepOf("price", "tea"), stepOf("order", "tea"), stepOf("stock", "tea"));

/** Looks up a price, orders, and answers: by what has a result, so that a new process goes on. */
export function buyer(messages: readonly BaseMessage[]) {
  const done = messages.filter(isToolMessage).length;
  if (done === 0) return call("price");
  return done === 1 ? call("order") : "Done.";
}

/** A model turn with one call. */
export function call(name: string) {
  return { toolCalls: [{ name, args: { item: "tea" }, id: `${name}-1` }] };
}

/** The kinds of graph that there is a shop of. */
export type Shop = (typeof shops)[number]["name"];

/** One graph of every kind, whose run makes a read, a write, and an answer. */
export const shops = [
  {
    name: "react" as const,
    create: (options: Shared) => createReactGraph({ ...options, models: scriptedModel(buyer) }),
  },
  {
    name: "rewoo" as const,
    create: (options: Shared) =>
      createRewooGraph({
        ...options,
        models: { planner: scriptedModel(() => plan), solver: scriptedModel(() => "Done.") },
      }),
  },
  {
    name: "llm-compiler" as const,
    create: (options: Shared) =>
      createLlmCompilerGraph({
        ...options,
        models: {
          planner: scriptedModel(() => plan),
          joiner: scriptedModel(() => finishWith("Done.")),
        },
      }),
  },
  {
    name: "plan-execute" as const,
    create: (options: Shared) =>
      createPlanExecuteGraph({
        ...options,
        models: {
          planner: scriptedModel(() => taskPlanText("Buy tea.", "Say so.")),
          executor: scriptedModel((messages) =>
            messages.some(({ text }) => text.includes("Your task: Say so."))
              ? "Said."
              : buyer(messages),
          ),
          replanner: scriptedModel(() => respondWith("Done.")),
        },
      }),
  },
];

/** What they have in common. */
export type Shared = {
  readonly tools: ReturnType<typeof countingTools>["tools"];
  readonly toolPolicies: typeof toolPolicies;
  readonly checkpointer?: BaseCheckpointSaver;
};
