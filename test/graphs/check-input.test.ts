import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ModelLike,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const thread = { configurable: { thread_id: "1" } };
const user = (content: string) => ({ role: "user" as const, content });
const noBombs = (text: string) =>
  text.includes("bomb")
    ? { refuse: "About bombs.", answer: "I cannot help with this." }
    : undefined;

const failing = async () => Promise.reject(new Error("No list."));
const hidePin = (text: string) => text.replace(/pin-\d{4}/u, "pin-****");

describe.each([
  { name: "react", create: createReactGraph },
  { name: "rewoo", create: createRewooGraph },
  { name: "llm-compiler", create: createLlmCompilerGraph },
  { name: "plan-execute", create: createPlanExecuteGraph },
])("checkInput of $name", ({ create }) => {
  it.each([
    { name: "the question", messages: [user("Build a bomb.")] },
    { name: "one of several questions", messages: [user("Build a bomb."), user("Hello.")] },
    {
      name: "an earlier question of the same call",
      messages: [user("A bomb?"), { role: "assistant" as const, content: "Yes." }, user("Go on.")],
    },
    {
      name: "a message of the system",
      messages: [{ role: "system" as const, content: "Build bombs." }, user("Hello.")],
    },
  ])("refuses $name before any model is asked", async ({ messages }) => {
    const models = scriptedModel([]);
    const { tools } = countingTools("price");
    const graph = create({ models, tools, checkInput: noBombs });
    const result = await graph.invoke({ messages });
    expect(result).toMatchObject({
      answer: "I cannot help with this.",
      outcome: { status: "refused", reason: "About bombs." },
    });
    expect(models.calls).toEqual([]);
  });

  it("fails closed", async () => {
    const models = scriptedModel([]);
    const { outcome } = await create({ models, checkInput: failing }).invoke({
      messages: [user("Hello.")],
    });
    expect(outcome).toEqual({ status: "failed", reason: "checkInput failed: No list." });
  });
});

const route = (models: ModelLike) => ({ description: "Tea.", graph: createReactGraph({ models }) });

describe("checkInput of a router", () => {
  it("refuses before a rule, the router's model or a route reads the question", async () => {
    const models = scriptedModel([]);
    const read: string[] = [];
    const tea = { ...route(models), when: (text: string) => read.push(text) > 0 };
    const graph = createRouterGraph({
      models,
      routes: { tea, coffee: route(models) },
      checkInput: noBombs,
    });
    const result = await graph.invoke({ messages: [user("Build a bomb.")] });
    expect(result).toMatchObject({
      answer: "I cannot help with this.",
      outcome: { status: "refused", reason: "About bombs." },
    });
    expect({ read, asked: models.calls }).toEqual({ read: [], asked: [] });
  });

  it("lets a question pass, changed", async () => {
    const models = scriptedModel(["Noted."]);
    const graph = createRouterGraph({
      models,
      routes: { tea: route(models) },
      checkInput: hidePin,
    });
    const { answer, messages } = await graph.invoke({ messages: [user("It is pin-4711.")] });
    expect({ answer, asked: messages[0]?.text }).toEqual({
      answer: "Noted.",
      asked: "It is pin-****.",
    });
  });

  it.each(["checkAnswer", "reviewAnswer"])("%s belongs to its routes", (option) => {
    const models = scriptedModel([]);
    const routes = { tea: route(models) };
    const options = { models, routes, [option]: () => {} };
    expect(() => createRouterGraph(options)).toThrow(`Give ${option} to the graphs of the routes.`);
  });
});

it("checks what comes with a decision", async () => {
  const { tools, runs } = countingTools("price");
  const models = scriptedModel([{ toolCalls: [{ name: "price", args: { item: "tea" } }] }]);
  const toolPolicies = { price: { needsApproval: true } };
  const graph = createReactGraph({ models, tools, toolPolicies, checkInput: noBombs });
  const waiting = await graph.invoke({ messages: [user("Tea?")] });
  const messages = [...waiting.messages, new HumanMessage("And a bomb.")];
  const decisions = [{ type: "approve" as const }];
  const { outcome } = await graph.invoke({ ...waiting, messages, decisions });
  expect({ outcome, runs }).toEqual({
    outcome: { status: "refused", reason: "About bombs." },
    runs: [],
  });
});

it("a changed question is all that models and the thread know", async () => {
  const models = scriptedModel(["Noted."]);
  const graph = createReactGraph({ models, checkInput: hidePin });
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const asked = new HumanMessage({ content: [{ type: "text", text: "It is pin-4711." }, image] });
  const { messages } = await graph.invoke({ messages: [asked] });
  expect(JSON.stringify([messages, models.calls])).not.toContain("pin-4711");
  expect(messages[0]?.content).toEqual([{ type: "text", text: "It is pin-****." }, image]);
});

it.each([
  {
    name: "refused",
    checkInput: (text: string) => (text.includes("bomb") ? { refuse: "Bombs." } : undefined),
  },
  {
    name: "not checked",
    checkInput: async (text: string) => (text.includes("bomb") ? failing() : undefined),
  },
])(
  "a $name question reaches no model with the next one, nor what came with it",
  async ({ checkInput }) => {
    const models = scriptedModel(["As you like."]);
    const graph = createReactGraph({ models, checkInput, checkpointer: new MemorySaver() });
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,QUFB" } };
    const drawn = new HumanMessage({ content: [{ type: "text", text: "This bomb." }, image] });
    await graph.invoke(
      { messages: [user("Hello."), drawn, user("Build it from kestrels.")] },
      thread,
    );
    const { messages } = await graph.invoke({ messages: [user("Do what I said.")] }, thread);
    expect(JSON.stringify([messages, models.calls])).not.toMatch(/bomb|kestrel|QUFB/u);
    expect(messages.map(({ text }) => text).slice(0, 3)).toEqual([
      "Hello.",
      "(This message was not let through.)",
      "(This message was not let through.)",
    ]);
  },
);

it("sees a question once, and none that the thread had before", async () => {
  const seen: string[] = [];
  const checkInput = (text: string) => void seen.push(text);
  const models = scriptedModel(["One.", "Two."]);
  const graph = createReactGraph({ models, checkInput, checkpointer: new MemorySaver() });
  await graph.invoke({ messages: [user("First?")] }, thread);
  await graph.invoke({ messages: [user("Second?")] }, thread);
  expect(seen).toEqual(["First?", "Second?"]);
});

it("runs for a new question, not for an answer to a request", async () => {
  const seen: string[] = [];
  const checkInput = (text: string) => void seen.push(text);
  const { tools, runs } = countingTools("price");
  const graph = createReactGraph({
    models: scriptedModel([{ toolCalls: [{ name: "price", args: { item: "tea" } }] }, "3."]),
    tools,
    toolPolicies: { price: { needsApproval: true } },
    checkInput,
    checkpointer: new MemorySaver(),
  });
  await graph.invoke({ messages: [user("Tea?")] }, thread);
  await graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
  expect({ seen, runs }).toEqual({ seen: ["Tea?"], runs: ["price tea"] });
});
