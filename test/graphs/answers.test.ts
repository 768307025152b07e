import { AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  handOff,
} from "../../src/index.js";
import { scriptedModel, type ScriptedReply } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [new HumanMessage("How is tea made?")] };
const cut = (text: string): ScriptedReply => ({ text, finishReason: "length" });
const first = "Boil the water, then pour it on";
const second = "pour it on the leaves, wait";
const whole = "Boil the water, then pour it on the leaves, wait four minutes.";
const { tools } = countingTools("price");
const planned = planText(stepOf("price", "tea"));
const priced = { toolCalls: [{ name: "price", args: { item: "tea" } }] };

const graphs = [
  { name: "react", create: () => createReactGraph, before: [] },
  { name: "react after a call", create: () => createReactGraph, before: [priced] },
  { name: "rewoo", create: () => createRewooGraph, before: [planned] },
] as const;

describe("an answer that was cut", () => {
  it.each(graphs)(
    "is one answer where its continuations end it ($name)",
    async ({ create, before }) => {
      using models = scriptedModel([...before, cut(first), cut(second), " four minutes."]);
      const result = await create()({ models, tools }).invoke(ask);
      expect(result).toMatchObject({ answer: whole, outcome: { status: "answered" } });
      expect(result.outcome).not.toHaveProperty("limit");
      expect(result.usage.modelCalls).toBe(3 + before.length);
      expect(result.messages.at(-1)).toHaveProperty("text", whole);
      expect(result.messages.filter(({ text }) => text.includes("Boil"))).toHaveLength(1);
    },
  );

  it.each(graphs)(
    "ends the run at its limit with what there is ($name)",
    async ({ create, before }) => {
      using models = scriptedModel([...before, cut(first), cut(second), cut(" four")]);
      const events: AgentEvent[] = [];
      const graph = create()({ models, tools });
      let result: unknown;
      for await (const [mode, chunk] of await graph.stream(ask, {
        streamMode: ["custom", "values"],
      })) {
        if (mode === "custom") events.push(chunk);
        else result = chunk;
      }
      expect(result).toMatchObject({
        answer: "Boil the water, then pour it on the leaves, wait four",
        outcome: { status: "limit", limit: "outputTokens" },
        usage: { modelCalls: 3 + before.length },
      });
      expect(events).toContainEqual(
        expect.objectContaining({ type: "limit_reached", limit: "outputTokens" }),
      );
      expect(events.at(-1)).toMatchObject({ outcome: { status: "limit", limit: "outputTokens" } });
    },
  );

  it.each([
    { name: "model", serves: false },
    { name: "server", serves: true },
  ])("streams as one message without what was repeated (scripted $name)", async ({ serves }) => {
    const replies = [cut(first), cut(second), " four minutes."];
    const models = serves ? client(await serve({ replies })) : scriptedModel(replies);
    const graph = createReactGraph({ models });
    const texts = new Map<string | undefined, string>();
    for await (const [message] of await graph.stream(ask, { streamMode: "messages" })) {
      const { id, text } = message;
      expect(AIMessageChunk.isInstance(message)).toBe(true);
      texts.set(id, (texts.get(id) ?? "") + text);
    }
    expect([...texts.values()]).toEqual([whole]);
  });

  it("streams in pieces, as they come", async () => {
    const replies = [cut(first), { text: [" the", " leaves", ", wait", "."] }];
    const graph = createReactGraph({ models: scriptedModel(replies) });
    const pieces: string[] = [];
    for await (const [message] of await graph.stream(ask, { streamMode: "messages" })) {
      if (message.text !== "") pieces.push(message.text);
    }
    // What may still be repeated is held back: " the" stands in the text already.
    expect(pieces.slice(-3)).toEqual([" the leaves", ", wait", "."]);
  });

  it("is continued where it is the last word at a limit, too", async () => {
    using models = scriptedModel([priced, cut(first), cut(second), " four minutes."]);
    const graph = createReactGraph({ models, tools, limits: { modelCalls: 1 } });
    expect(await graph.invoke(ask)).toMatchObject({
      answer: whole,
      outcome: { status: "limit", limit: "modelCalls" },
      usage: { modelCalls: 4 },
    });
  });

  it("is the route's in a router", async () => {
    using models = scriptedModel([cut(first), cut(second), cut(" four")]);
    const graph = createRouterGraph({
      routes: { tea: { description: "Tea.", graph: createReactGraph({ models }) } },
    });
    expect(await graph.invoke(ask)).toMatchObject({
      answer: "Boil the water, then pour it on the leaves, wait four",
      outcome: { status: "limit", limit: "outputTokens" },
    });
  });

  it.each([
    { name: "alone", open: '{"thought": "t", "action": "final_answer", "action_input": "' },
    { name: "in a fence", open: '```json\n{"action": "Final Answer", "action_input": "' },
    { name: "under a name of its own", open: '{"thought": "t", "answer": "' },
    { name: "behind words", open: 'Here it is:\n{"action": "final_answer", "action_input": "' },
  ])("in the JSON protocol's object is continued as a text ($name)", async ({ open }) => {
    using models = scriptedModel([cut(`${open}He said \\"hi\\": ${first}\\`), ` ${second}`]);
    const result = await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);
    expect(result).toMatchObject({ outcome: { status: "answered" }, usage: { modelCalls: 2 } });
    expect(result.answer).toBe('He said "hi": Boil the water, then pour it on the leaves, wait');
  });

  it("in the JSON protocol's object ends at its limit with what there is", async () => {
    const open = `{"action": "final_answer", "action_input": "${first}`;
    using models = scriptedModel([cut(open), cut(second), cut(" four")]);
    const result = await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);
    expect(result).toMatchObject({ outcome: { status: "limit", limit: "outputTokens" } });
    expect(result.answer).toBe("Boil the water, then pour it on the leaves, wait four");
  });

  it.each([
    { name: "a call", text: '{"action": "price", "action_input": {"item": "te' },
    { name: "a thought", text: '{"thought": "The answer is' },
    { name: "an answer that has not begun", text: '{"action": "final_answer", "action_input": "' },
    { name: "an answer that is no text", text: '{"answer": {"minutes": 4, "how": "Boil' },
  ])("in the JSON protocol's object is asked for again where it is $name", async ({ text }) => {
    using models = scriptedModel([
      cut(text),
      '{"action": "final_answer", "action_input": "Four."}',
    ]);
    const result = await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);
    expect(result).toMatchObject({ answer: "Four.", observations: [], usage: { modelCalls: 2 } });
    expect(models.calls[1]?.messages.at(-1)?.text).toMatch(
      /stops early|could not be read|empty|form/,
    );
  });

  it.each([
    {
      name: "a joiner's",
      create: () => createLlmCompilerGraph,
      before: [planned],
      text: finishWith(whole).slice(0, -30),
    },
    {
      name: "a replanner's",
      create: () => createPlanExecuteGraph,
      before: [taskPlanText({ task: "Price tea." }), "Tea costs 3."],
      text: respondWith(whole).slice(0, -30),
    },
    {
      name: "a joiner's text",
      create: () => createLlmCompilerGraph,
      before: [planned],
      text: `Action: Finish(${first}`,
    },
  ])(
    "in an object is asked for again, and never taken as it is ($name)",
    async ({ create, before, text }) => {
      using models = scriptedModel([...before, cut(text), cut(text), cut(text)]);
      const result = await create()({ models, tools }).invoke(ask);
      expect(result).toMatchObject({ outcome: { status: "limit", limit: "outputTokens" } });
      expect(result.usage.modelCalls).toBe(3 + before.length);
    },
  );

  it("in an object is told as far as it came", async () => {
    const text = finishWith('He said "hi". That is all of it.').slice(0, -12);
    using models = scriptedModel([planned, cut(text), cut(text), cut(text)]);
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);
    expect(result.answer).toMatch(/^He said "hi"\. That/);
  });

  it("is no structured response, and a whole one after it is", async () => {
    const responseFormat = z.object({ minutes: z.number(), how: z.string() });
    const half = cut('{"minutes": 4, "how": "Boil');
    using models = scriptedModel([whole, half, '{"minutes": 4, "how": "Boil it."}']);
    const good = await createReactGraph({ models, responseFormat }).invoke(ask);
    expect(good).toMatchObject({ structuredResponse: { minutes: 4, how: "Boil it." } });
    using others = scriptedModel([whole, half, half, half]);
    const bad = await createReactGraph({ models: others, responseFormat }).invoke(ask);
    expect(bad).toMatchObject({
      outcome: { status: "limit", limit: "outputTokens" },
      answer: whole,
    });
    expect(bad.structuredResponse).toBeUndefined();
  });
});

describe("an answer that was declined", () => {
  const filtered: ScriptedReply = { text: "Take the", finishReason: "content_filter" };
  const refused: ScriptedReply = { refusal: "I can not help with tea." };
  const nothing: ScriptedReply = { finishReason: "content_filter" };
  const declining = [
    { name: "filtered", reply: filtered, cause: "filtered", words: "Take the" },
    { name: "filtered with no text", reply: nothing, cause: "filtered", words: "content filter" },
    { name: "refused", reply: refused, cause: "refused", words: "I can not help with tea." },
  ] as const;

  it.each(
    graphs.flatMap((graph) => declining.map((each) => ({ ...graph, ...each, graph: graph.name }))),
  )(
    "fails the run at once, with its words ($graph, $name)",
    async ({ create, before, reply, cause, words }) => {
      using models = scriptedModel([...before, reply]);
      const result = await create()({ models, tools }).invoke(ask);
      expect(result).toMatchObject({ outcome: { status: "failed", cause } });
      expect(result.answer).toContain(words);
      expect(result.usage.modelCalls).toBe(1 + before.length);
    },
  );

  it.each(declining)(
    "keeps a refusal's own words in the reason ($name)",
    async ({ reply, words }) => {
      using models = scriptedModel([reply]);
      const { outcome } = await createReactGraph({ models }).invoke(ask);
      const isRefusal = outcome?.cause === "refused";
      expect(outcome?.reason?.includes(words)).toBe(isRefusal || words === "content filter");
    },
  );

  it.each(
    [
      { graph: "rewoo's planner", create: () => createRewooGraph, before: [] },
      { graph: "llm-compiler's planner", create: () => createLlmCompilerGraph, before: [] },
      { graph: "plan-execute's planner", create: () => createPlanExecuteGraph, before: [] },
      { graph: "the joiner", create: () => createLlmCompilerGraph, before: [planned] },
      {
        graph: "the replanner",
        create: () => createPlanExecuteGraph,
        before: [taskPlanText({ task: "Price tea." }), "Tea costs 3."],
      },
    ].flatMap((graph) => declining.map((each) => ({ ...graph, ...each }))),
  )(
    "fails the run where it was to be $graph's object ($name)",
    async ({ create, before, reply, cause }) => {
      using models = scriptedModel([...before, reply]);
      const result = await create()({ models, tools }).invoke(ask);
      expect(result).toMatchObject({ outcome: { status: "failed", cause } });
    },
  );

  it.each(declining)("is a failure for those who take over ($name)", async ({ reply, cause }) => {
    using models = scriptedModel([reply]);
    const graph = createReactGraph({ models, tools: [handOff] });
    expect(await graph.invoke(ask)).toMatchObject({ outcome: { status: "handed_off", cause } });
    using others = scriptedModel([reply]);
    const alone = createReactGraph({ models: others, tools: [handOff], handOffOn: ["no_tool"] });
    expect(await alone.invoke(ask)).toMatchObject({ outcome: { status: "failed", cause } });
  });
});
