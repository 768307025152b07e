import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const draft = "Tea is 3 euros.";
const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
const plan = planText(stepOf("price", "tea"));
const thread = { configurable: { thread_id: "1" } };
const resumeWith = (decision: object) => new Command({ resume: { decisions: [decision] } });

const graphs = [
  { name: "react", create: createReactGraph, replies: [call, draft] },
  { name: "rewoo", create: createRewooGraph, replies: [plan, draft] },
  { name: "llm-compiler", create: createLlmCompilerGraph, replies: [plan, finishWith(draft)] },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price it." }), call, "3", respondWith(draft)],
  },
];

const edit = (args: object) => ({ type: "edit", edited_action: { name: "answer", args } });
const decisions = [
  {
    name: "approved",
    decision: { type: "approve" },
    ends: { answer: draft, outcome: { status: "answered", review: { type: "approve" } } },
  },
  {
    name: "edited",
    decision: edit({ answer: "Tea is 3.20 euros." }),
    ends: { answer: "Tea is 3.20 euros.", outcome: { status: "answered" } },
  },
  {
    name: "replaced by a person's words",
    decision: { type: "respond", message: "Please call us." },
    ends: { answer: "Please call us.", outcome: { status: "answered" } },
  },
  {
    name: "rejected",
    decision: { type: "reject", message: "The price is old." },
    ends: {
      answer: "The answer was not released.",
      outcome: { status: "refused", reason: "The price is old.", review: { type: "reject" } },
    },
  },
];

describe.each(graphs)("reviewAnswer of $name", ({ create, replies }) => {
  it.each(decisions)("pauses, and the answer is $name", async ({ decision, ends }) => {
    const models = scriptedModel(replies);
    const { tools } = countingTools("price");
    const checkpointer = new MemorySaver();
    const graph = create({ models, tools, reviewAnswer: true, checkpointer });
    const paused = await graph.invoke(question, thread);
    expect(isInterrupted(paused) ? paused[INTERRUPT] : []).toMatchObject([
      {
        value: {
          action_requests: [{ name: "answer", args: { answer: draft } }],
          review_configs: [{ allowed_decisions: ["approve", "edit", "reject", "respond"] }],
        },
      },
    ]);
    expect(JSON.stringify([paused.messages, paused.answer])).not.toContain(draft);
    const asked = models.calls.length;
    const result = await graph.invoke(resumeWith(decision), thread);
    expect(result).toMatchObject({ ...ends, draft: undefined });
    expect(result.messages.at(-1)?.text).toBe(ends.answer);
    expect(models.calls).toHaveLength(asked);
  });

  it.each(decisions)(
    "ends for it without a checkpointer, and is $name",
    async ({ decision, ends }) => {
      const models = scriptedModel(replies);
      const { tools, runs } = countingTools("price");
      const graph = create({ models, tools, reviewAnswer: true });
      const waiting = await graph.invoke(question);
      expect(waiting).toMatchObject({
        answer: "The answer waits for a person to look at it.",
        outcome: {
          status: "needs_input",
          requests: { action_requests: [{ args: { answer: draft } }] },
        },
      });
      expect(JSON.stringify(waiting.messages)).not.toContain(draft);
      const given: never[] = JSON.parse(JSON.stringify([decision]));
      const result = await graph.invoke({ ...waiting, decisions: given });
      expect(result).toMatchObject(ends);
      expect(result.messages.filter(({ text }) => text === ends.answer)).toHaveLength(1);
      expect(runs).toEqual(["price tea"]);
    },
  );

  it("streams no draft as chat", async () => {
    const { tools } = countingTools("price");
    const checkpointer = new MemorySaver();
    const graph = create({
      models: scriptedModel(replies),
      tools,
      reviewAnswer: true,
      checkpointer,
    });
    const shown: string[] = [];
    const chat = await graph.stream(question, { ...thread, streamMode: "messages" });
    for await (const part of chat) shown.push(JSON.stringify(part));
    expect(shown.join("\n")).not.toContain(draft);
  });
});

describe("a review", () => {
  it.each([
    { name: "another field", args: { answer: "3", outcome: "x" }, problem: 'no "outcome"' },
    { name: "no answer", args: { text: "3" }, problem: "expected the text of the answer" },
    { name: "an object", args: { answer: "3", structuredResponse: {} }, problem: "responseFormat" },
  ])("asks again for an edit with $name", async ({ args, problem }) => {
    const checkpointer = new MemorySaver();
    const models = scriptedModel([draft]);
    const graph = createReactGraph({ models, reviewAnswer: true, checkpointer });
    await graph.invoke(question, thread);
    const again = await graph.invoke(resumeWith(edit(args)), thread);
    expect(JSON.stringify(isInterrupted(again) ? again[INTERRUPT] : [])).toContain(
      JSON.stringify(problem).slice(1, -1),
    );
    const { answer } = await graph.invoke(resumeWith({ type: "approve" }), thread);
    expect(answer).toBe(draft);
  });

  it("shows the object, and an edited one must fit", async () => {
    const checkpointer = new MemorySaver();
    const models = scriptedModel([draft, '{"euros":3}']);
    const responseFormat = z.object({ euros: z.number() });
    const graph = createReactGraph({ models, reviewAnswer: true, checkpointer, responseFormat });
    await graph.invoke(question, thread);
    const wrong = edit({ answer: "4", structuredResponse: { euros: "four" } });
    expect(isInterrupted(await graph.invoke(resumeWith(wrong), thread))).toBe(true);
    const right = edit({ answer: "4", structuredResponse: { euros: 4 } });
    const result = await graph.invoke(resumeWith(right), thread);
    expect(result).toMatchObject({ answer: "4", structuredResponse: { euros: 4 } });
  });

  it.each([
    { name: "says no", asks: () => false, pauses: false },
    { name: "says yes", asks: async () => true, pauses: true },
    {
      name: "fails",
      asks: () => {
        throw new Error("No rules.");
      },
      pauses: true,
    },
  ])("is asked for where a function $name: $pauses", async ({ asks, pauses }) => {
    const checkpointer = new MemorySaver();
    const models = scriptedModel([draft]);
    const graph = createReactGraph({ models, reviewAnswer: asks, checkpointer });
    expect(isInterrupted(await graph.invoke(question, thread))).toBe(pauses);
  });

  it("comes after the check, which runs once, and shows what passed it", async () => {
    let checks = 0;
    const checkAnswer = (text: string) => {
      checks += 1;
      return text.replace("3 euros", "… euros");
    };
    const checkpointer = new MemorySaver();
    const models = scriptedModel([draft]);
    const graph = createReactGraph({ models, checkAnswer, reviewAnswer: true, checkpointer });
    await graph.invoke(question, thread);
    const { answer } = await graph.invoke(resumeWith({ type: "approve" }), thread);
    expect({ answer, checks }).toEqual({ answer: "Tea is … euros.", checks: 1 });
  });

  it("does not take a decision on an earlier draft", async () => {
    const models = scriptedModel([draft]);
    const graph = createReactGraph({ models, reviewAnswer: true });
    const waiting = await graph.invoke(question);
    const old = { ...waiting, decisions: [{ type: "approve" as const, id: "req_other" }] };
    await expect(graph.invoke(old)).rejects.toMatchObject({ code: "already_answered" });
  });

  it("of a graph that is a tool is asked through the calling run", async () => {
    const inner = createReactGraph({ models: scriptedModel([draft]), reviewAnswer: true });
    const tools = [asTool(inner, { name: "shop", description: "Knows prices." })];
    const asking = { toolCalls: [{ name: "shop", args: { question: "Tea?" } }] };
    const models = scriptedModel([asking, "Done."]);
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools, checkpointer });
    expect(isInterrupted(await graph.invoke(question, thread))).toBe(true);
    const { answer } = await graph.invoke(resumeWith(edit({ answer: "4" })), thread);
    expect(answer).toBe("Done.");
    expect(models.calls[1]?.messages.at(-1)?.text).toBe("4");
  });
});
