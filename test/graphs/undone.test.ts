import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { createLlmCompilerGraph, createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const toolPolicies = { order: { effect: "write" as const }, price: { effect: "read" as const } };
const planOf = (name: string) =>
  JSON.stringify({ steps: [{ id: "E1", thought: "Next.", tool: name, args: { item: "tea" } }] });
const undone = "No call of order succeeded: do not say that this was done.";

describe.each([
  { graph: "rewoo", create: createRewooGraph, answer: "Done." },
  {
    graph: "llm-compiler",
    create: createLlmCompilerGraph,
    answer: JSON.stringify({ action: "finish", answer: "Done." }),
  },
])("the answer of $graph", ({ create, answer }) => {
  it.each([
    { name: "after a read", called: "price", isTold: true },
    { name: "after a write", called: "order", isTold: false },
  ])("is asked for with what was not done $name", async ({ called, isTold }) => {
    const { tools, runs } = countingTools("price", "order");
    using models = scriptedModel([planOf(called), answer]);
    const graph = create({ models, tools, toolPolicies });
    const result = await graph.invoke({ messages: [new HumanMessage("Order tea, please.")] });
    expect(result).toMatchObject({ answer: "Done.", outcome: { status: "answered" } });
    expect(runs).toEqual([`${called} tea`]);
    const asked =
      models.calls
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join("\n") ?? "";
    expect(asked.includes(undone)).toBe(isTold);
  });

  it("is asked for as before where no tool can change anything", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([planOf("price"), answer]);
    await create({ models, tools, toolPolicies: { price: { effect: "read" } } }).invoke({
      messages: [new HumanMessage("What does tea cost?")],
    });
    const asked =
      models.calls
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join("\n") ?? "";
    expect(asked).toContain("What does tea cost?");
    expect(asked).not.toContain("No call of");
  });
});
