import { HumanMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
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
import { asRunnable } from "./hosts.js";
import type { Shop } from "./shops.js";

const noPlan = JSON.stringify({ steps: [], answer: "I see." });

/** Graphs of every kind whose first reply is the answer "I see." */
export const listeners = {
  react: { create: createReactGraph, reply: "I see." },
  rewoo: { create: createRewooGraph, reply: noPlan },
  "llm-compiler": { create: createLlmCompilerGraph, reply: noPlan },
  "plan-execute": { create: createPlanExecuteGraph, reply: noPlan },
} as const;

/** What a graph that listens is made of. */
export type Listening = {
  readonly tools: ReturnType<typeof countingTools>["tools"];
  readonly toolPolicies: Record<string, ToolPolicy>;
  readonly checkpointer: BaseCheckpointSaver;
};

/** What a new question on a thread tells the model that is asked first. */
export async function toldNext(
  name: Shop,
  shared: Listening,
  config: RunnableConfig,
  next = new HumanMessage("What have you done?"),
) {
  const { create, reply } = listeners[name];
  using models = scriptedModel([reply]);
  const graph = create({ ...shared, models });
  const { answer } = await asRunnable(graph).invoke({ messages: [next] }, config);
  return { answer, told: models.calls[0]?.messages.map(({ text }) => text).join("\n") ?? "" };
}
