import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  createMiddleware,
  modelCallLimitMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
} from "langchain";
import { describe, expect, it } from "vitest";

import { createLlmCompilerGraph, type Middleware } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { made, question, readingTool, shown } from "../support/middleware.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";

const plan = planText(stepOf("price", "tea"));
const replies = [plan, "Done."];

describe.each(planningGraphs)("the plan in $name", ({ create }) => {
  const run = async (afterModel: NonNullable<Middleware["afterModel"]>) => {
    const { price, runs } = readingTool();
    const models = scriptedModel(replies);
    const graph = create({ models, tools: [price], middleware: [{ name: "own", afterModel }] });
    return { runs, result: await graph.invoke(question) };
  };

  it("is the last message that hooks see, with its steps as calls, and is in no state", async () => {
    const seen: (readonly object[])[] = [];
    const { result, runs } = await run(({ messages }: { messages: AIMessage[] }) => {
      seen.push(messages.flatMap(({ tool_calls = [] }) => tool_calls));
      return { messages };
    });
    expect(seen[0]).toEqual([
      { id: "E1", name: "price", args: { item: "tea" }, type: "tool_call" },
    ]);
    expect(seen.slice(1).flat()).toEqual([]);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(shown(result.messages)).toEqual(["human: What does tea cost?", "ai: Done."]);
    expect(runs).toEqual(["tea"]);
  });

  it.each([
    {
      name: "answers its calls",
      change: () => [new ToolMessage({ content: "Blocked.", tool_call_id: "E1" })],
    },
    {
      name: "changes its calls",
      change: ([, last]: AIMessage[]) => [new AIMessage({ id: last?.id ?? "", content: "Else." })],
    },
  ])("runs nothing when a hook $name", async ({ change }) => {
    const { result, runs } = await run(({ messages }: { messages: AIMessage[] }) =>
      messages.length === 2 ? { messages: change(messages) } : undefined,
    );
    expect(result.outcome?.status).toBe("failed");
    expect(result.outcome?.reason).toContain("changed or answered the calls of a plan");
    expect(runs).toEqual([]);
  });

  it.each([
    { name: "HumanInTheLoopMiddleware", instead: "toolPolicies.NAME.needsApproval" },
    { name: "ToolCallLimitMiddleware", instead: "limits.toolCalls" },
    { name: "ToolCallLimitMiddleware[price]", instead: "limits.toolCalls" },
    { name: "PIIRedactionMiddleware", instead: "piiMiddleware" },
  ])("$name is refused", ({ name, instead }) => {
    const make = () => create({ middleware: [{ name, afterModel: () => undefined }] });
    expect(make).toThrow(`the middleware "${name}" `);
    expect(make).toThrow(`Expected ${instead}.`);
  });

  it("a limit of model calls ends the run before the answer is asked for", async () => {
    const { price, runs } = readingTool();
    const models = scriptedModel(replies);
    const middleware = [made(modelCallLimitMiddleware, { runLimit: 1 })];
    const graph = create({ models, tools: [price], middleware });
    const { outcome, answer } = await graph.invoke(question);
    expect(outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
    expect(answer).toContain("limit");
    expect([models.calls.length, runs]).toEqual([1, ["tea"]]);
  });

  it("a long conversation is summarized before the planner reads it", async () => {
    const { price } = readingTool();
    const models = scriptedModel(replies);
    const model = scriptedModel(["They talked about coffee."]);
    const middleware = [
      made(summarizationMiddleware, { model, trigger: { messages: 3 }, keep: { messages: 1 } }),
    ];
    const graph = create({ models, tools: [price], middleware });
    const before = [new HumanMessage("Coffee is black."), new AIMessage("It is.")];
    const { messages, outcome } = await graph.invoke({
      messages: [...before, ...question.messages],
    });
    expect(outcome).toEqual({ status: "answered" });
    expect(JSON.stringify(models.calls)).toContain("They talked about coffee.");
    expect(JSON.stringify(models.calls)).not.toContain("Coffee is black.");
    expect(messages.map(({ type }) => type)).toEqual(["human", "human", "ai"]);
  });

  it("a step may keep the list of todos", async () => {
    const todos = [{ content: "Price it", status: "pending" }];
    const writing = planText({ tool: "write_todos", args: { todos } });
    const models = scriptedModel([writing, ...replies.slice(1)]);
    const graph = create({ models, middleware: [todoListMiddleware()] });
    const result: object = await graph.invoke(question);
    expect(Reflect.get(result, "todos")).toEqual(todos);
  });
});

it("a joiner that hooks send back is asked again, after its first answer", async () => {
  const models = scriptedModel([
    plan,
    finishWith("No."),
    replanFor("More."),
    planText(stepOf("price", "milk")),
    finishWith("Done."),
  ]);
  const { price, runs } = readingTool();
  const again = createMiddleware({
    name: "again",
    afterModel: {
      hook: ({ messages }) => {
        const last = messages.at(-1);
        if (last?.text !== "No.") return undefined;
        return { messages: [new HumanMessage("Look again.")], jumpTo: "model" };
      },
      canJumpTo: ["model"],
    },
  });
  const graph = createLlmCompilerGraph({ models, tools: [price], middleware: [again] });
  const { answer, outcome, messages } = await graph.invoke(question);
  expect(shown(messages)).toEqual([
    "human: What does tea cost?",
    "ai: No.",
    "human: Look again.",
    "ai: Done.",
  ]);
  expect([answer, outcome]).toEqual(["Done.", { status: "answered" }]);
  expect(runs).toEqual(["tea", "milk"]);
});
