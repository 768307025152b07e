import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, createReactGraph, type PersonRequests } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };
const action = (name: string, input: unknown, thought = "Next.") =>
  JSON.stringify({ thought, action: name, action_input: input });
const price = action("price", { item: "tea" }, "I need the price.");
const final = action("final_answer", "Tea costs 3.");

const texts = (messages: readonly BaseMessage[] = []) => messages.map(({ text }) => text);

const branch = (name: string, input: object) => ({
  properties: { action: { const: name }, action_input: input },
  required: ["thought", "action", "action_input"],
});

describe("the JSON protocol", () => {
  it("acts, observes and answers in text, and leaves a conversation like any other", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([price, final]);
    const result = await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);

    expect(result).toMatchObject({ answer: "Tea costs 3.", outcome: { status: "answered" } });
    expect(runs).toEqual(["price tea"]);
    expect(result.messages.map(({ type, text }) => [type, text])).toEqual([
      ["human", "What does tea cost?"],
      ["ai", ""],
      ["tool", "price of tea"],
      ["ai", "Tea costs 3."],
    ]);
    expect(result.messages[1]).toMatchObject({
      tool_calls: [{ name: "price", args: { item: "tea" } }],
      additional_kwargs: { reasoning_content: "I need the price." },
    });
    expect(texts(models.calls[1]?.messages).slice(1)).toEqual([
      "What does tea cost?",
      price,
      expect.stringMatching(/^Observation: price of tea\nIf this answers/),
    ]);
  });

  it.each([
    { name: "an answer is read", last: final, answer: /^Tea costs 3\.$/ },
    { name: "a call is not the answer", last: price, answer: /^I had to stop.*price of tea/s },
  ])("ends at a limit as elsewhere: $name", async ({ last, answer }) => {
    const { tools } = countingTools("price");
    using models = scriptedModel([price, last]);
    const limits = { modelCalls: 1 };
    const result = await createReactGraph({ models, tools, protocol: "json", limits }).invoke(ask);
    expect(result.outcome).toEqual({ status: "limit", limit: "modelCalls" });
    expect(result.answer).toMatch(answer);
  });

  it("binds no tools, and holds the model to a schema with each tool's own arguments", async () => {
    const { tools } = countingTools("price", "stock");
    using models = scriptedModel([final]);
    await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);

    const [call] = models.calls;
    expect(call?.tools).toEqual([]);
    const { schema } = z
      .object({ json_schema: z.object({ schema: z.looseObject({}) }) })
      .parse(call?.options.response_format).json_schema;
    const item = { properties: { item: { type: "string" } }, required: ["item"] };
    expect(schema).toMatchObject({
      anyOf: [
        branch("price", item),
        branch("stock", item),
        branch("final_answer", { type: "string" }),
      ],
    });
    expect(call?.options).not.toHaveProperty("stop");
  });

  it("stops before an observation where no schema holds the model", async () => {
    const { tools } = countingTools("price");
    // A reply that is more than JSON shows that the schema was passed over; so does the next for JSON mode.
    const fenced = `\`\`\`json\n${price}\n\`\`\``;
    using models = scriptedModel([fenced, fenced, final]);
    await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);
    expect(models.calls.map(({ options }) => [options.response_format, options.stop])).toEqual([
      [expect.objectContaining({ type: "json_schema" }), undefined],
      [{ type: "json_object" }, ["\nObservation"]],
      [undefined, ["\nObservation"]],
    ]);
  });

  it("asks people and goes on in text", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([price, final]);
    const graph = createReactGraph({
      models,
      tools,
      protocol: "json",
      toolPolicies: { price: { needsApproval: true } },
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "1" } };
    const paused = await graph.invoke(ask, thread);
    expect(isInterrupted<PersonRequests>(paused)).toBe(true);
    const resume = { decisions: [{ type: "reject", message: "too dear" }] };
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(done.answer).toBe("Tea costs 3.");
    expect(runs).toEqual([]);
    expect(texts(models.calls[1]?.messages).at(-1)).toContain("They said: too dear");
  });

  it("streams nothing but the answer as chat", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([price, final]);
    const graph = createReactGraph({ models, tools, protocol: "json" });
    const shown: string[] = [];
    for await (const [message] of await graph.stream(ask, { streamMode: "messages" })) {
      if (AIMessage.isInstance(message) && message.text !== "") shown.push(message.text);
    }
    expect(shown.join("")).toBe("Tea costs 3.");
    expect(shown.length).toBeGreaterThan(1);
  });

  it("streams no JSON at a limit either", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([price, action("final_answer", "I do not know yet.")]);
    const graph = createReactGraph({ models, tools, protocol: "json", limits: { toolCalls: 0 } });
    const shown: string[] = [];
    for await (const [message] of await graph.stream(ask, { streamMode: "messages" })) {
      if (AIMessage.isInstance(message) && message.text !== "") shown.push(message.text);
    }
    expect(shown).toEqual(["I do not know yet."]);
  });

  it("sends prose back once, with the wanted form, and takes it then for the answer", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel(["Tea costs 3.", "Tea really costs 3."]);
    const result = await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);
    expect(result).toMatchObject({ answer: "Tea really costs 3.", usage: { modelCalls: 2 } });
    const correction = texts(models.calls[1]?.messages).at(-1);
    expect(correction).toContain('"action": "price" | "final_answer"');
    expect(correction).toContain("Your reply was:\nTea costs 3.");
  });

  it("never takes a broken action for an answer", async () => {
    const { tools, runs } = countingTools("price");
    const broken = '{"thought":"I need it.","action":"price","action_input":{"item":"te';
    using models = scriptedModel([broken, broken, broken]);
    const { outcome } = await createReactGraph({ models, tools, protocol: "json" }).invoke(ask);
    expect(outcome).toMatchObject({
      status: "failed",
      reason: expect.stringContaining('stops early: "{"thought":"I need it."'),
    });
    expect(runs).toEqual([]);
  });

  it("answers at a limit without the form", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([price, "I do not know yet."]);
    const limits = { toolCalls: 0 };
    const graph = createReactGraph({ models, tools, protocol: "json", limits });
    const { answer, outcome } = await graph.invoke(ask);
    expect([answer, outcome?.limit]).toEqual(["I do not know yet.", "toolCalls"]);
    expect(models.calls[1]?.options).not.toHaveProperty("response_format");
  });

  it("can be chosen for one run", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([final]);
    const context = { protocol: "json" as const };
    const graph = createReactGraph({ models, tools, protocol: "native" });
    expect((await graph.invoke(ask, { context })).answer).toBe("Tea costs 3.");
  });
});

describe('protocol "auto"', () => {
  const fenced = '```json\n{"name":"price","arguments":{"item":"tea"}}\n```';

  const reads = { toolPolicies: { price: { effect: "read" } } } as const;

  it("runs a stated read written as text, tells of it, and asks in JSON from then on", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([fenced, final]);
    const graph = createReactGraph({ models, tools, ...reads });
    const events: AgentEvent[] = [];
    const stream = await graph.stream(ask, { streamMode: "custom" });
    for await (const event of stream) events.push(event);

    expect(runs).toEqual(["price tea"]);
    expect(models.calls.map((call) => call.tools.length)).toEqual([1, 0]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "model_adapted", capability: "json_calls" }),
    );
    expect(events.at(-1)).toMatchObject({ content: { answer: "Tea costs 3." } });
  });

  it("asks once about any other call written as text, in JSON, and then from the start", async () => {
    const { tools, runs } = countingTools("price");
    const other = action("price", { item: "milk" });
    using models = scriptedModel([fenced, price, other, final]);
    const graph = createReactGraph({ models, tools });
    const events: AgentEvent[] = [];
    const stream = await graph.stream(ask, { streamMode: "custom" });
    for await (const event of stream) events.push(event);

    expect(runs).toEqual(["price tea", "price milk"]);
    expect(models.calls.map((call) => call.tools.length)).toEqual([1, 0, 0, 0]);
    const asked = texts(models.calls[1]?.messages).at(-1);
    expect(asked).toMatch(/^No tool was run: your reply holds a call of "price" as text/);
    expect(asked).toContain(`Your reply was:\n${fenced}\n`);
    expect(asked).toContain('"action": "price" | "final_answer"');
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === "model_corrected")).toHaveLength(1);
    expect(types.filter((type) => type === "model_adapted")).toHaveLength(1);
  });

  it.each([
    { name: "in its own words", last: "That is how one asks." },
    { name: "with the call again", last: fenced },
    { name: "with the call in another form", last: "Action: price\nAction Input: tea" },
    { name: "with the protocol's own object in words", last: `As JSON: ${price}` },
  ])("takes the reply to that for the answer where the model replies $name", async ({ last }) => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([fenced, last]);
    const result = await createReactGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: last, outcome: { status: "answered" } });
    expect(runs).toEqual([]);
  });

  it("leaves a model native that only mentioned a call", async () => {
    const { tools, runs } = countingTools("price");
    const mention = `One would write\n${fenced}`;
    const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
    using models = scriptedModel([mention, action("final_answer", "So."), call, "Tea costs 3."]);
    const graph = createReactGraph({ models, tools });
    expect((await graph.invoke(ask)).answer).toBe("So.");
    expect((await graph.invoke(ask)).answer).toBe("Tea costs 3.");
    expect(models.calls.map((each) => each.tools.length)).toEqual([1, 0, 1, 1]);
    expect(runs).toEqual(["price tea"]);
  });

  it("takes a native call in the reply to that", async () => {
    const { tools, runs } = countingTools("price");
    const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
    using models = scriptedModel([`I look: ${fenced}`, call, "3."]);
    expect((await createReactGraph({ models, tools }).invoke(ask)).answer).toBe("3.");
    expect(runs).toEqual(["price tea"]);
  });

  it("holds the same rule after a native call", async () => {
    const { tools, runs } = countingTools("price", "stock");
    const call = { toolCalls: [{ name: "stock", args: { item: "tea" } }] };
    using models = scriptedModel([call, `It was ${fenced}`, `It was ${fenced}`]);
    const { answer } = await createReactGraph({ models, tools }).invoke(ask);
    expect(answer).toBe(`It was ${fenced}`);
    expect(runs).toEqual(["stock tea"]);
  });

  it("asks for nothing back where nothing goes back any more, and runs nothing", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel(["", "", fenced]);
    const { answer, outcome } = await createReactGraph({ models, tools }).invoke(ask);
    expect([answer, outcome?.status, runs]).toEqual([fenced, "answered", []]);
  });

  it("leaves an answer that shows JSON an answer", async () => {
    const { tools, runs } = countingTools("price");
    const answer = 'As JSON: {"name":"Tea","price":3}';
    using models = scriptedModel([answer]);
    expect((await createReactGraph({ models, tools }).invoke(ask)).answer).toBe(answer);
    expect(runs).toEqual([]);
  });

  it("knows a model again that was handed in before", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([fenced, final, final]);
    await createReactGraph({ models, tools, ...reads }).invoke(ask);
    await createReactGraph({ models, tools, ...reads }).invoke(ask);
    expect(models.calls.map((call) => call.tools.length)).toEqual([1, 0, 0]);
  });

  it('is not what "native" does', async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([fenced]);
    const graph = createReactGraph({ models, tools, protocol: "native" });
    expect((await graph.invoke(ask)).answer).toBe(fenced);
    expect(runs).toEqual([]);
  });
});
