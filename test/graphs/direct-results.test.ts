import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createPlanExecuteGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { planText, stepOf } from "../support/plans.js";
import { calling, taskModels } from "../support/task-models.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const ask = { messages: [new HumanMessage("Show me tea.")] };
const long = "Tea. ".repeat(6_000);
const item = z.object({ item: z.string() });
const price = tool(() => "3", { name: "price", description: "The price.", schema: item });
const show = withPolicy(
  tool(
    (args) => {
      if (args.item === "milk") throw new Error("no milk");
      return long;
    },
    { name: "show", description: "Shows it.", schema: item },
  ),
  { returnDirect: true, effect: "read" },
);
const tools = [price, show];

describe.each(planningGraphs)("a result for the user in $name", ({ create }) => {
  it.each([
    { name: "the only step", steps: [stepOf("show", "tea")] },
    { name: "the last step", steps: [stepOf("price", "tea"), stepOf("show", "tea")] },
    { name: "a last step that waits", steps: [stepOf("price", "tea"), stepOf("show", "{{E1}}")] },
    {
      name: "the last step behind one that failed",
      steps: [stepOf("show", "milk"), stepOf("show", "tea")],
    },
  ])("ends the run, whole, as $name", async ({ steps }) => {
    using models = scriptedModel([planText(...steps)]);
    const result = await create({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: long, outcome: { status: "answered" } });
    expect(result.usage).toMatchObject({ modelCalls: 1, toolCalls: steps.length });
    expect(result.messages.at(-1)).toHaveProperty("text", long);
  });

  it.each([
    { name: "not the last step", steps: [stepOf("show", "tea"), stepOf("price", "tea")] },
    { name: "a failure", steps: [stepOf("price", "tea"), stepOf("show", "milk")] },
    { name: "taken back by a policy", steps: [stepOf("show", "tea")], back: true },
  ])("does not end it as $name", async ({ steps, back = false }) => {
    using models = scriptedModel([planText(...steps), "Tea costs 3."]);
    const toolPolicies = back ? { show: { returnDirect: false } } : {};
    const result = await create({ models, tools, toolPolicies }).invoke(ask);
    expect(result).toMatchObject({ answer: "Tea costs 3.", usage: { modelCalls: 2 } });
  });

  it("ends it where it runs alone after the others, as a write does", async () => {
    using models = scriptedModel([planText(stepOf("price", "tea"), stepOf("show", "tea"))]);
    const toolPolicies = { show: { effect: "write" as const } };
    const result = await create({ models, tools, toolPolicies }).invoke(ask);
    expect(result).toMatchObject({ answer: long, usage: { modelCalls: 1, toolCalls: 2 } });
  });
});

describe("a result for the user in plan-execute", () => {
  const turns = {
    "Price tea.": [calling("price", "tea"), "Tea costs 3."],
    "Show tea.": [calling("show", "tea")],
  };

  it("ends the run, whole, as that of the last step", async () => {
    const models = taskModels(
      [taskPlanText({ task: "Price tea." }, { task: "Show tea.", after: ["S1"] })],
      turns,
    );
    const result = await createPlanExecuteGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: long, outcome: { status: "answered" } });
    expect(result.usage.modelCalls).toBe(4);
  });

  it("is a step's result where others follow", async () => {
    const plan = taskPlanText({ task: "Show tea." }, { task: "Price tea.", after: ["S1"] });
    const models = taskModels([plan], turns, [respondWith("It costs 3.")]);
    const result = await createPlanExecuteGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "It costs 3.", usage: { modelCalls: 5 } });
  });

  it("gives a final step's long answer whole", async () => {
    const models = taskModels([taskPlanText({ task: "Tell all.", final: true })], {
      "Tell all.": [long.trim()],
    });
    const result = await createPlanExecuteGraph({ models, tools }).invoke(ask);
    expect(result.answer).toBe(long.trim());
  });
});
