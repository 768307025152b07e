import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { createPlanExecuteGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planningGraphs } from "../support/planning-graphs.js";

const ask = { messages: [new HumanMessage("Refund the tea?")] };
const answer = JSON.stringify({ steps: [], answer: "Hello!" });
const plan = JSON.stringify({
  steps: [{ id: "E1", thought: "Refund it.", tool: "refund", args: { item: "tea" } }],
});
const taskPlan = JSON.stringify({
  steps: [{ id: "S1", task: "Refund the tea.", after: [], final: true }],
});
const quoted = (text: string) => `Only an example, nothing is done:\n${text}\nShall I go on?`;

function refunding() {
  const { tools, runs } = countingTools("refund");
  return { tools: tools.map((each) => withPolicy(each, { effect: "write" })), runs };
}

const prose = [
  "Let me think about the plan. I need the price first.",
  "Tea costs 3 euros, as I remember.",
  "Sorry about that, I will correct the plan now.",
];

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  it("takes the answer that a planner gives in place of a plan", async () => {
    using models = scriptedModel([answer]);
    const result = await create({ models, tools: refunding().tools }).invoke(ask);
    expect(result).toMatchObject({
      answer: "Hello!",
      outcome: { status: "answered" },
      usage: { modelCalls: 1, toolCalls: 0 },
    });
  });

  it("sends prose back twice, and then goes on as ReAct does", async () => {
    using models = scriptedModel([...prose, "I cannot tell."]);
    const result = await create({ models, tools: refunding().tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "I cannot tell.", usage: { modelCalls: 4 } });
  });

  it("takes no apology for an answer after a plan that cannot run", async () => {
    const wrong = plan.replace('"refund"', '"repay"');
    using models = scriptedModel([wrong, "Sorry, I will correct the plan now.", plan, "Refunded."]);
    const { tools, runs } = refunding();
    const result = await create({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Refunded.", usage: { modelCalls: 4, toolCalls: 1 } });
    expect(runs).toEqual(["refund tea"]);
  });

  it("runs no write of a plan that is only quoted", async () => {
    using models = scriptedModel([quoted(plan), answer]);
    const { tools, runs } = refunding();
    const result = await create({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Hello!", usage: { modelCalls: 2, toolCalls: 0 } });
    expect(runs).toEqual([]);
  });

  it("runs no write of a plan that is quoted again and again", async () => {
    using models = scriptedModel([quoted(plan), quoted(plan), quoted(plan), "I did not do it."]);
    const { tools, runs } = refunding();
    const result = await create({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "I did not do it.", usage: { toolCalls: 0 } });
    expect(runs).toEqual([]);
  });

  it("runs no write of two plans", async () => {
    const other = plan.replace("E1", "E2").replace('"tea"', '"coffee"');
    using models = scriptedModel([`${plan}\n${other}`, answer]);
    const { tools, runs } = refunding();
    await create({ models, tools }).invoke(ask);
    expect(runs).toEqual([]);
  });

  it("runs a write once the plan stands alone", async () => {
    using models = scriptedModel([quoted(plan), plan, "Refunded."]);
    const { tools, runs } = refunding();
    const result = await create({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Refunded.", usage: { modelCalls: 3, toolCalls: 1 } });
    expect(runs).toEqual(["refund tea"]);
  });

  it("leaves prose out around a plan of reads", async () => {
    using models = scriptedModel([quoted(plan), "It is there."]);
    const { tools, runs } = countingTools("refund");
    const reading = tools.map((each) => withPolicy(each, { effect: "read" }));
    await create({ models, tools: reading }).invoke(ask);
    expect(runs).toEqual(["refund tea"]);
  });
});

describe("the graph plan-execute", () => {
  const call = { toolCalls: [{ name: "refund", args: { item: "tea" } }] };

  it("takes the answer that a planner gives in place of a plan", async () => {
    using models = scriptedModel([answer]);
    const result = await createPlanExecuteGraph({ models, tools: refunding().tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Hello!", usage: { modelCalls: 1, toolCalls: 0 } });
  });

  it("sends prose back twice, and then has the question carried out as the only task", async () => {
    using models = scriptedModel([...prose, "I cannot tell."]);
    const result = await createPlanExecuteGraph({ models, tools: refunding().tools }).invoke(ask);
    expect(result).toMatchObject({
      answer: "I cannot tell.",
      steps: [{ task: "Refund the tea?" }],
      usage: { modelCalls: 4 },
    });
  });

  it("carries out no task that is only quoted", async () => {
    using models = scriptedModel([quoted("1. Refund the tea."), answer]);
    const { tools, runs } = refunding();
    const result = await createPlanExecuteGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Hello!", usage: { modelCalls: 2, toolCalls: 0 } });
    expect(runs).toEqual([]);
  });

  it("carries out a task once the plan stands alone", async () => {
    using models = scriptedModel([quoted(taskPlan), taskPlan, call, "Refunded."]);
    const { tools, runs } = refunding();
    const result = await createPlanExecuteGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Refunded.", usage: { modelCalls: 4, toolCalls: 1 } });
    expect(runs).toEqual(["refund tea"]);
  });
});
