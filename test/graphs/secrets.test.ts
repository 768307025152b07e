import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  handOff,
} from "../../src/index.js";
import {
  type ChatRequest,
  fault,
  type ScriptedServer,
  type ServerAnswer,
  startScriptedServer,
} from "../../src/testing/index.js";
import { planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

/** Keys without a shape that gives them away. */
const modelKey = "kingfisher-3-willow-bend";
const shopKey = "sandpiper/7+shingle-bank";
const environment = { OPENAI_API_KEY: modelKey, SHOP_SECRET_KEY: shopKey };
const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const schema = z.object({ item: z.string() });
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** A service that sends back what it was sent, and one that fails with it. */
const tools = [
  tool(({ item }) => ({ item, headers: { authorization: `Bearer ${shopKey}`, via: modelKey } }), {
    name: "echo",
    description: "Echoes.",
    schema,
  }),
  tool(
    ({ item }): string => {
      throw new Error(`403 for ${item} with x-shop-key ${shopKey} and ${modelKey}`);
    },
    { name: "fails", description: "Fails.", schema },
  ),
];

const both: ServerAnswer = {
  toolCalls: [
    { name: "echo", args: { item: "tea" } },
    { name: "fails", args: { item: "tea" } },
  ],
};
const lastOf = ({ messages }: ChatRequest) => JSON.stringify(messages.at(-1)?.content ?? "");
const refusal = fault.status(401, { message: `Incorrect API key provided: ${modelKey}` });

/** What the model says: calls or plans both tools, then says what it was sent. */
function replies(request: ChatRequest): ServerAnswer {
  const asked = lastOf(request);
  if (asked.includes("in the form above")) return planned(asked);
  const isDone =
    request.messages.some(({ role }) => role === "tool") || (request.tools ?? []).length === 0;
  return isDone ? `Found: ${JSON.stringify(request.messages).slice(0, 3_000)}` : both;
}

function planned(asked: string): ServerAnswer {
  if (asked.includes("respond")) return respondWith(`Found: ${asked.slice(0, 500)}`);
  if (asked.includes("finish")) return "Found.";
  if (asked.includes('\\"task\\"')) return taskPlanText({ task: "Look." });
  return planText(stepOf("echo", "tea"), stepOf("fails", "tea"));
}

const graphs = {
  react: createReactGraph,
  rewoo: createRewooGraph,
  "llm-compiler": createLlmCompilerGraph,
  "plan-execute": createPlanExecuteGraph,
} as const;

describe.each(Object.entries(graphs))("no secret of the environment shows in %s", (_, create) => {
  it.each<{ name: string; replies: typeof replies; own?: true }>([
    { name: "where services send it back", replies },
    { name: "where the model's server quotes it", replies: () => refusal },
    { name: "where a model that is handed in has it", replies, own: true },
  ])(
    "$name: not in events, state, checkpoints, answer or summary",
    async ({ replies: given, own }) => {
      server = await startScriptedServer({ replies: given });
      const configuration = { baseURL: server.url };
      const models = own
        ? new ChatOpenAI({ model: "scripted", apiKey: modelKey, maxRetries: 0, configuration })
        : "openai:scripted";
      const graph = create({
        models,
        environment: { ...environment, OPENAI_BASE_URL: server.url },
        tools: [...tools, handOff],
        checkpointer: new MemorySaver(),
      });
      const thread = { configurable: { thread_id: "1" } };
      const events: AgentEvent[] = [];
      const seen: unknown[] = [];
      const stream = await graph.stream(ask, {
        ...thread,
        streamMode: ["custom", "values", "updates"],
      });
      for await (const [mode, data] of stream) {
        if (mode === "custom") events.push(data);
        else seen.push(data);
      }
      for await (const snapshot of graph.getStateHistory(thread)) seen.push(snapshot);
      expect(events.map(({ type }) => type)).toContain("run_finished");
      const told = JSON.stringify([events, seen]);
      expect(told).not.toContain(modelKey);
      expect(told).not.toContain(shopKey);
      expect(told).toContain("[redacted]");
    },
  );
});
