import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createLlmCompilerGraph, createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";

const thread = { configurable: { thread_id: "1" } };
const plan = planText(stepOf("price", "tea"), stepOf("price", "coffee"));
const other = planText(stepOf("price", "milk"));
const resumeWith = (decision: object) => new Command({ resume: { decisions: [decision] } });
const editTo = (...steps: readonly object[]) => ({
  type: "edit",
  edited_action: { name: "plan", args: { steps } },
});
const milk = { id: "E1", tool: "price", args: { item: "milk" } };

const graphs = [
  { name: "rewoo", create: createRewooGraph, ends: "Done." },
  { name: "llm-compiler", create: createLlmCompilerGraph, ends: finishWith("Done.") },
];

const requestsIn = (result: unknown) =>
  JSON.stringify(isInterrupted(result) ? result[INTERRUPT] : "none");

describe.each(graphs)("reviewPlan of $name", ({ create, ends }) => {
  const start = async (plans: readonly string[] = [plan], more: object = {}) => {
    const { tools, runs } = countingTools("price");
    const models = scriptedModel([...plans, ends]);
    const checkpointer = new MemorySaver();
    const graph = create({ models, tools, reviewPlan: true, checkpointer, ...more });
    const paused = await graph.invoke(question, thread);
    return { graph, models, runs, paused };
  };
  it("shows the whole plan before any step of it runs", async () => {
    const { paused, runs } = await start();
    expect(isInterrupted(paused) ? paused[INTERRUPT] : []).toMatchObject([
      {
        value: {
          action_requests: [
            {
              name: "plan",
              args: {
                steps: [
                  { id: "E1", tool: "price", args: { item: "tea" } },
                  { id: "E2", tool: "price", args: { item: "coffee" } },
                ],
              },
            },
          ],
          review_configs: [{ allowed_decisions: ["approve", "edit", "reject"] }],
        },
      },
    ]);
    expect(requestsIn(paused)).toContain("Carry out this plan?");
    expect(runs).toEqual([]);
  });

  it("runs an approved plan", async () => {
    const { graph, runs } = await start();
    const { answer, reviews } = await graph.invoke(resumeWith({ type: "approve" }), thread);
    expect({ answer, runs }).toEqual({ answer: "Done.", runs: ["price tea", "price coffee"] });
    expect(reviews).toMatchObject([{ type: "approve" }]);
  });

  it("runs an edited plan, and nothing of the planned one", async () => {
    const { graph, runs, models } = await start();
    const { steps } = await graph.invoke(resumeWith(editTo(milk)), thread);
    expect({ runs, steps: steps.length, asked: models.calls.length }).toEqual({
      runs: ["price milk"],
      steps: 1,
      asked: 2,
    });
  });

  it.each([
    { name: "names no tool that there is", edit: editTo({ ...milk, tool: "buy" }), problem: "buy" },
    { name: "has wrong arguments", edit: editTo({ ...milk, args: { thing: 3 } }), problem: "item" },
    { name: "has no step", edit: editTo(), problem: "at least one step" },
    {
      name: "refers to nothing",
      edit: editTo({ ...milk, args: { item: "{{E7}}" } }),
      problem: "E7",
    },
  ])("asks again where an edit $name, and runs nothing", async ({ edit, problem }) => {
    const { graph, runs } = await start();
    const again = await graph.invoke(resumeWith(edit), thread);
    expect(requestsIn(again)).toContain(problem);
    expect(runs).toEqual([]);
    await graph.invoke(resumeWith(editTo(milk)), thread);
    expect(runs).toEqual(["price milk"]);
  });

  it("plans anew with the reason of a rejection, and shows the new plan, too", async () => {
    const { graph, runs, models } = await start([plan, other]);
    const again = await graph.invoke(
      resumeWith({ type: "reject", message: "Milk is what we need." }),
      thread,
    );
    expect(requestsIn(again)).toContain("milk");
    expect(runs).toEqual([]);
    const read = models.calls[1]?.messages.map(({ text }) => text).join("\n");
    expect(read).toContain("A person does not want this plan");
    expect(read).toContain("Milk is what we need.");
    await graph.invoke(resumeWith({ type: "approve" }), thread);
    expect(runs).toEqual(["price milk"]);
  });

  it("ends where the planner writes a rejected plan again", async () => {
    const { graph, runs } = await start([plan, plan]);
    const { outcome } = await graph.invoke(resumeWith({ type: "reject" }), thread);
    expect({ outcome, runs }).toMatchObject({
      outcome: { status: "limit", limit: "replans" },
      runs: [],
    });
  });

  it("ends without a plan that can run: an agent alone would do what nobody has seen", async () => {
    const { tools, runs } = countingTools("price");
    const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
    const models = scriptedModel(["?", "?", "?", call, "Done."]);
    const graph = create({ models, tools, reviewPlan: true });
    const { outcome } = await graph.invoke(question);
    expect({ status: outcome?.status, runs }).toEqual({ status: "failed", runs: [] });
  });

  it("ends for the review without a checkpointer, and goes on with the decision", async () => {
    const { tools, runs } = countingTools("price");
    const models = scriptedModel([plan, ends]);
    const graph = create({ models, tools, reviewPlan: true });
    const waiting = await graph.invoke(question);
    expect({ status: waiting.outcome?.status, runs }).toEqual({ status: "needs_input", runs: [] });
    const decisions: never[] = JSON.parse('[{"type":"approve"}]');
    const { answer } = await graph.invoke({ ...waiting, decisions });
    expect({ answer, runs }).toEqual({ answer: "Done.", runs: ["price tea", "price coffee"] });
  });

  it("asks for a call that needs approval besides", async () => {
    const { graph, runs } = await start([plan], {
      toolPolicies: { price: { needsApproval: true } },
    });
    const again = await graph.invoke(resumeWith({ type: "approve" }), thread);
    expect(requestsIn(again)).toContain("Run price?");
    expect(runs).toEqual([]);
  });

  it("lets an answer in place of a plan pass", async () => {
    const { graph } = await start([plan]);
    await graph.invoke(resumeWith({ type: "approve" }), thread);
    const { tools } = countingTools("price");
    const models = scriptedModel(['{"steps": [], "answer": "As I said."}']);
    const again = create({ models, tools, reviewPlan: true });
    const messages = [
      ...question.messages,
      { role: "assistant" as const, content: "3 euros." },
      { role: "user" as const, content: "Again?" },
    ];
    expect(await again.invoke({ messages })).toMatchObject({
      answer: "As I said.",
      outcome: { status: "answered" },
    });
  });

  it("is off by default, and takes only true or false", () => {
    const options: object = { reviewPlan: "yes" };
    expect(() => create(options)).toThrow('reviewPlan: expected true or false, got "yes"');
  });
});

it("of llm-compiler comes again for the steps that its joiner asks for", async () => {
  const { tools, runs } = countingTools("price");
  const replan = JSON.stringify({
    thought: "Milk is missing.",
    action: "replan",
    feedback: "Milk is missing.",
  });
  const more = JSON.stringify({ steps: [{ id: "E3", tool: "price", args: { item: "milk" } }] });
  const models = scriptedModel([plan, replan, more, finishWith("Done.")]);
  const checkpointer = new MemorySaver();
  const graph = createLlmCompilerGraph({ models, tools, reviewPlan: true, checkpointer });
  await graph.invoke(question, thread);
  const again = await graph.invoke(resumeWith({ type: "approve" }), thread);
  expect(JSON.stringify(isInterrupted(again) ? again[INTERRUPT] : "")).toContain("milk");
  expect(runs).toEqual(["price tea", "price coffee"]);
  const { answer } = await graph.invoke(resumeWith({ type: "approve" }), thread);
  expect({ answer, runs }).toEqual({
    answer: "Done.",
    runs: ["price tea", "price coffee", "price milk"],
  });
});
