import { HumanMessage } from "@langchain/core/messages";
import { isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { type AgentEvent, askUser, createLlmCompilerGraph } from "../../src/index.js";
import { fault, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planText, readingTools, replanFor, stepOf } from "../support/plans.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };

describe("a plan with which the run ends", () => {
  it("is not told of where none of its steps will run", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([
      planText(stepOf("price", "tea")),
      replanFor("More."),
      planText({ ...stepOf("price", "tea"), id: "E2" }),
      "Tea costs 3.",
    ]);
    const events: AgentEvent[] = [];
    const graph = createLlmCompilerGraph({ models, tools });
    for await (const event of await graph.stream(ask, { streamMode: "custom" })) events.push(event);
    const planned = events.flatMap((event) => (event.type === "plan_made" ? event.steps : []));
    expect(planned.map(({ id }) => id)).toEqual(["E1"]);
    expect(events.at(-1)).toMatchObject({ outcome: { status: "limit", limit: "replans" } });
    expect(runs).toEqual(["price tea"]);
  });

  it.each([
    { name: "pause", options: { checkpointer: new MemorySaver() } },
    { name: "not pause", options: {} },
  ])("asks nobody anything that has begun, in a run that can $name", async ({ options }) => {
    const { tools, runs } = readingTools("price");
    const question = { tool: "ask_user", args: { question: "Which tea?" } };
    const text = planText(stepOf("price", "tea"), question, stepOf("price", "milk"));
    const server = await serve({ replies: [fault.brokenStream(text, 16), "Tea costs 3."] });
    const graph = createLlmCompilerGraph({
      ...options,
      models: client(server),
      tools: [...tools, askUser],
      toolPolicies: { ask_user: { effect: "read" } },
      limits: { modelCalls: 1 },
    });
    const result = await graph.invoke(ask, { configurable: { thread_id: "1" } });
    expect(isInterrupted(result)).toBe(false);
    expect(result).toMatchObject({
      outcome: { status: "limit", limit: "modelCalls" },
      answer: "Tea costs 3.",
    });
    expect(result.steps.map(({ id }) => id)).toEqual(["E1", "E2"]);
    expect(runs).toEqual(["price tea"]);
    server.assertExhausted();
  });
});
