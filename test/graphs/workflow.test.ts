import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { calculator, createWorkflowGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { shop } from "../support/workflow-shop.js";

const thread = { configurable: { thread_id: "1" } };

describe("the graph of a workflow", () => {
  it("runs its steps with the input, and makes its output the answer", async () => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        name: "late",
        input: { order: "text" },
        steps: {
          found: { tool: "find_order", args: { id: "{{input.order}}" } },
          sent: { tool: "send", args: { text: "{{found.days}} days for {{found.items[1].name}}" } },
        },
        output: "Done: {{sent}}",
      },
      { tools },
    );
    const result = await graph.invoke({ input: { order: "A-17" } });
    expect(result).toMatchObject({
      answer: "Done: sent 4 days for jam",
      outcome: { status: "answered" },
      usage: { modelCalls: 0, toolCalls: 2 },
    });
    expect(result.observations.map(({ callId }) => callId)).toEqual(["found", "sent"]);
    expect(done).toEqual(["find A-17", "send 4 days for jam"]);
    expect(result.messages.map(({ text }) => text)).toEqual([
      '{"order":"A-17"}',
      "Done: sent 4 days for jam",
    ]);
  });

  it.each([
    { name: "JSON", question: '{"order":"A-1"}', answer: "3 1" },
    { name: "the only text", question: "A-1", answer: "3 1" },
    {
      name: "JSON with what may be left out",
      question: '{"order":"A-12","times":2}',
      answer: "4 2",
    },
  ])("reads its input from a message: $name", async ({ question, answer }) => {
    const graph = createWorkflowGraph(
      {
        input: { order: "text", times: { type: "integer", default: 1 } },
        steps: { found: { tool: "find_order", args: { id: "{{input.order}}" } } },
        output: "{{found.days}} {{input.times}}",
      },
      { tools: shop().tools },
    );
    const result = await graph.invoke({ messages: [{ role: "user", content: question }] });
    expect(result.answer).toBe(answer);
  });

  it("fills in the defaults inside of objects and lists", async () => {
    const line = {
      type: "object",
      fields: {
        name: "text",
        count: { type: "integer", default: 1 },
        note: { type: "text", optional: true },
      },
    } as const;
    const graph = createWorkflowGraph(
      {
        input: { first: line, others: { type: "list", of: line, default: [{ name: "pen" }] } },
        steps: { unused: { tool: "calculator", args: { expression: "1" } } },
        output: {
          first: "{{input.first}}",
          count: "{{input.first.count}}",
          others: "{{input.others}}",
        },
      },
      { tools: [calculator] },
    );
    const { answer } = await graph.invoke({ input: { first: { name: "ink" } } });
    expect(JSON.parse(answer ?? "")).toEqual({
      first: { name: "ink", count: 1, note: null },
      count: 1,
      others: [{ name: "pen", count: 1, note: null }],
    });
  });

  it("calls a tool without an argument that the input leaves out", async () => {
    const asked: unknown[] = [];
    const search = tool(
      (args) => {
        asked.push(args);
        return "";
      },
      {
        name: "search",
        description: "d",
        schema: z.object({ text: z.string(), city: z.string().optional() }),
      },
    );
    const graph = createWorkflowGraph(
      {
        input: { text: "text", city: { type: "text", optional: true } },
        steps: {
          found: { tool: "search", args: { text: "{{input.text}}", city: "{{input.city}}" } },
        },
        output: "<{{found}}>",
      },
      { tools: [search] },
    );
    const { answer } = await graph.invoke({ input: { text: "pens" } });
    expect({ asked, answer }).toEqual({ asked: [{ text: "pens" }], answer: "<>" });
  });

  it.each([
    { name: "a text for two inputs", question: "A-1" },
    { name: "a missing input", question: '{"order":"A-1"}' },
    { name: "an input of another type", question: '{"order":"A-1","days":"many"}' },
    { name: "an unknown input", question: '{"order":"A-1","days":1,"dayz":2}' },
  ])("fails for $name, and says what it expects", async ({ question }) => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        input: { order: "text", days: "number" },
        steps: { found: { tool: "find_order", args: { id: "{{input.order}}{{input.days}}" } } },
      },
      { tools },
    );
    const result = await graph.invoke({ messages: [{ role: "user", content: question }] });
    expect(result.outcome?.status).toBe("failed");
    expect(result.outcome?.reason).toContain("an input with order (text), days (number)");
    expect(done).toEqual([]);
  });

  it("reads the input of each run anew in a thread", async () => {
    const graph = createWorkflowGraph(
      {
        input: { order: "text" },
        steps: { found: { tool: "find_order", args: { id: "{{input.order}}" } } },
        output: "{{found.id}}",
      },
      { tools: shop().tools, checkpointer: new MemorySaver() },
    );
    expect((await graph.invoke({ input: { order: "A-1" } }, thread)).answer).toBe("A-1");
    const again = await graph.invoke({ messages: [{ role: "user", content: "B-2" }] }, thread);
    expect(again.answer).toBe("B-2");
  });

  it("never reads references in an input", async () => {
    const { tools, done } = shop();
    const graph = createWorkflowGraph(
      {
        input: { note: "text" },
        steps: {
          secret: { tool: "find_order", args: { id: "A-1" } },
          sent: { tool: "send", args: { text: "{{input.note}}" }, after: "secret" },
        },
      },
      { tools },
    );
    await graph.invoke({ input: { note: "{{secret.id}}" } });
    expect(done).toEqual(["find A-1", "send {{secret.id}}"]);
  });
});

describe("models and people", () => {
  it("answer prompts as text and as objects", async () => {
    using models = scriptedModel(["A short letter.", '{"kind":"refund","amount":12}']);
    const result = await createWorkflowGraph(
      {
        input: { mail: "text" },
        steps: {
          letter: { prompt: "Shorten: {{input.mail}}" },
          kind: {
            prompt: "What is it? {{letter}}",
            returns: { kind: { type: "text", choices: ["refund", "other"] }, amount: "number" },
          },
        },
        output: "{{kind.kind}} {{kind.amount}}",
      },
      { models },
    ).invoke({ input: { mail: "I want my 12 back." } });
    expect(result).toMatchObject({ answer: "refund 12", usage: { modelCalls: 2 } });
    expect(models.calls[0]?.messages.at(-1)?.text).toBe("Shorten: I want my 12 back.");
    expect(models.calls[1]?.messages[0]?.text).toContain('"enum":["refund","other"]');
  });

  it("are asked in the middle, and the run goes on with the answer", async () => {
    const graph = createWorkflowGraph(
      {
        steps: {
          asked: { person: "Which order?" },
          found: { tool: "find_order", args: { id: "{{asked}}" } },
        },
        output: "{{found.days}}",
      },
      { tools: shop().tools, checkpointer: new MemorySaver() },
    );
    const paused = await graph.invoke({ input: {} }, thread);
    expect(paused.outcome).toBeUndefined();
    const result = await graph.invoke(
      new Command({ resume: { decisions: [{ type: "respond", message: "A-123" }] } }),
      thread,
    );
    expect(result.answer).toBe("5");
  });
});
