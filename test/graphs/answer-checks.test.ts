import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  handOff,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const secret = "The code is 4711-kestrel.";
const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
const plan = planText(stepOf("price", "tea"));

/** Each graph with what its models say in a run that ends with the secret. */
const graphs = [
  { name: "react", create: createReactGraph, replies: [call, secret] },
  { name: "rewoo", create: createRewooGraph, replies: [plan, secret] },
  { name: "llm-compiler", create: createLlmCompilerGraph, replies: [plan, finishWith(secret)] },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price it." }), call, "3", respondWith(secret)],
  },
  {
    name: "plan-execute with a final task",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price it.", final: true }), call, secret],
  },
];

const nonsense = () => z.never().catch(JSON.parse("true")).parse(0);
const hide = (text: string) => text.replace("4711-kestrel", "secret");
const refuse = () => ({ refuse: "It tells a code." });

/** All that a client of these stream modes can show before the run ends, and its result. */
async function shownBy(stream: AsyncIterable<unknown>) {
  const shown: string[] = [];
  for await (const part of stream) shown.push(JSON.stringify(part));
  return shown;
}

describe.each(graphs)("checkAnswer of $name", ({ create, replies }) => {
  const { tools } = countingTools("price");

  it("lets an answer pass as it is", async () => {
    const seen: string[] = [];
    const checkAnswer = (text: string) => void seen.push(text);
    const graph = create({ models: scriptedModel(replies), tools, checkAnswer });
    const { answer, outcome, messages, draft } = await graph.invoke(question);
    expect({ answer, outcome, draft }).toEqual({
      answer: secret,
      outcome: { status: "answered" },
      draft: undefined,
    });
    expect(messages.at(-1)?.text).toBe(secret);
    expect(seen).toEqual([secret]);
  });

  it.each([
    {
      name: "changes",
      check: hide,
      ends: { answer: "The code is secret.", outcome: { status: "answered" } },
    },
    {
      name: "refuses",
      check: refuse,
      ends: {
        answer: "It tells a code.",
        outcome: { status: "refused", reason: "It tells a code." },
      },
    },
    {
      name: "refuses with other words for the user",
      check: async () => ({ refuse: "It tells a code.", answer: "I may not say." }),
      ends: {
        answer: "I may not say.",
        outcome: { status: "refused", reason: "It tells a code." },
      },
    },
    {
      name: "throws on",
      check: () => {
        throw new Error("No list of words.");
      },
      ends: {
        answer: "I could not finish: a check failed.",
        outcome: { status: "failed", reason: "checkAnswer failed: No list of words." },
      },
    },
    {
      name: "returns nonsense for",
      check: nonsense,
      ends: {
        answer: "I could not finish: a check failed.",
        outcome: {
          status: "failed",
          reason: 'checkAnswer failed: expected nothing, a text or { refuse: "why" }, got true',
        },
      },
    },
  ])("$name an answer that then is nowhere", async ({ check, ends }) => {
    const graph = create({ models: scriptedModel(replies), tools, checkAnswer: check });
    const result = await graph.invoke(question);
    expect(result).toMatchObject(ends);
    expect(JSON.stringify({ ...result, observations: [] })).not.toContain("4711-kestrel");
    expect(result.messages.at(-1)?.text).toBe(ends.answer);
  });

  it("shows a chat client nothing before it passed", async () => {
    const graph = create({ models: scriptedModel(replies), tools, checkAnswer: refuse });
    const chat = await graph.stream(question, { streamMode: "messages" });
    expect((await shownBy(chat)).join("\n")).not.toContain("4711-kestrel");
    const passing = create({ models: scriptedModel(replies), tools, checkAnswer: () => {} });
    const passed = await passing.stream(question, { streamMode: "messages" });
    expect((await shownBy(passed)).at(-1)).toContain(secret);
  });

  it("keeps an answer out of the messages in every state before it passed", async () => {
    const graph = create({ models: scriptedModel(replies), tools, checkAnswer: refuse });
    const stream = await graph.stream(question, { streamMode: "values" });
    for await (const { messages, answer } of stream) {
      expect(JSON.stringify([messages, answer])).not.toContain("4711-kestrel");
    }
  });
});

describe("checkAnswer of an object", () => {
  const responseFormat = z.object({ code: z.string() });
  const replies = ["The code is 4711-kestrel.", '{"code":"4711-kestrel"}'];

  it("changes the answer and the object", async () => {
    const graph = createReactGraph({
      models: scriptedModel(replies),
      responseFormat,
      checkAnswer: hide,
    });
    const { answer, structuredResponse } = await graph.invoke(question);
    expect({ answer, structuredResponse }).toEqual({
      answer: "The code is secret.",
      structuredResponse: { code: "secret" },
    });
  });

  it.each([
    {
      name: "refuses the object",
      check: (text: string) => (text.startsWith("{") ? { refuse: "No." } : undefined),
      status: "refused",
    },
    {
      name: "breaks the object",
      check: (text: string) => text.replace('"code"', '"other"'),
      status: "failed",
    },
    { name: "leaves no JSON", check: (text: string) => text.replace("{", ""), status: "failed" },
  ])("$name, and neither goes out", async ({ check, status }) => {
    const graph = createReactGraph({
      models: scriptedModel(replies),
      responseFormat,
      checkAnswer: check,
    });
    const result = await graph.invoke(question);
    expect(result.outcome?.status).toBe(status);
    expect(JSON.stringify(result)).not.toContain("4711-kestrel");
  });
});

it("checks what is said at a limit and of a failure, too", async () => {
  const { tools } = countingTools("price");
  const limited = createReactGraph({
    models: scriptedModel([call, "The price is 3."]),
    tools,
    limits: { modelCalls: 1 },
    checkAnswer: (text) => text.replaceAll("price", "p…"),
  });
  const { answer, outcome } = await limited.invoke(question);
  expect({ answer, outcome }).toMatchObject({
    answer: "The p… is 3.",
    outcome: { status: "limit" },
  });
  const failing = createReactGraph({
    models: scriptedModel([call, new Error("No price today.")]),
    tools,
    checkAnswer: () => ({ refuse: "Nothing." }),
  });
  expect(await failing.invoke(question)).toMatchObject({ outcome: { status: "refused" } });
});

it.each([
  { name: "changes", check: hide, reason: "The code is secret." },
  { name: "refuses", check: refuse, reason: "It tells a code." },
])("$name the words of a handoff, which stays one", async ({ check, reason }) => {
  const models = scriptedModel([{ toolCalls: [{ name: "hand_off", args: { reason: secret } }] }]);
  const graph = createReactGraph({ models, tools: [handOff], checkAnswer: check });
  const { answer, outcome } = await graph.invoke(question);
  expect({ answer, outcome }).toMatchObject({
    answer: `A person takes over from here: ${reason}`,
    outcome: { status: "handed_off", reason },
  });
});

describe("checkAnswer behind middleware", () => {
  const redacting = createMiddleware({
    name: "redacting",
    afterModel: ({ messages }) => {
      const { id = "", text = "" } = messages.at(-1) ?? {};
      return { messages: [new AIMessage({ id, content: text.replace("4711-kestrel", "[code]") })] };
    },
  });
  const ending = createMiddleware({
    name: "ending",
    afterModel: {
      hook: () => ({ messages: [new AIMessage(secret)], jumpTo: "end" as const }),
      canJumpTo: ["end"],
    },
  });
  const asking = createMiddleware({
    name: "asking",
    afterModel: {
      hook: ({ messages }) =>
        messages.at(-1)?.text.includes("kestrel")
          ? { messages: [new HumanMessage("Without the code.")], jumpTo: "model" as const }
          : undefined,
      canJumpTo: ["model"],
    },
  });

  it("sees what a hook made of the answer", async () => {
    const seen: string[] = [];
    const models = scriptedModel([secret]);
    const checkAnswer = (text: string) => void seen.push(text);
    const { answer } = await createReactGraph({
      models,
      middleware: [redacting],
      checkAnswer,
    }).invoke(question);
    expect({ answer, seen }).toEqual({
      answer: "The code is [code].",
      seen: ["The code is [code]."],
    });
  });

  it("stops the answer with which a hook ends the run", async () => {
    const graph = createReactGraph({
      models: scriptedModel(["Hello."]),
      middleware: [ending],
      checkAnswer: refuse,
    });
    const result = await graph.invoke(question);
    expect(result.outcome?.status).toBe("refused");
    expect(JSON.stringify(result)).not.toContain("4711-kestrel");
  });

  it("checks only the answer that came after the model was asked again", async () => {
    const seen: string[] = [];
    const graph = createReactGraph({
      models: scriptedModel([secret, "I may not say."]),
      middleware: [asking],
      checkAnswer: (text) => void seen.push(text),
    });
    const { answer, messages } = await graph.invoke(question);
    expect({ answer, seen }).toEqual({ answer: "I may not say.", seen: ["I may not say."] });
    expect(messages.at(-1)?.text).toBe("I may not say.");
  });
});

it.each([
  { option: { checkAnswer: true }, problem: "checkAnswer: expected a function, got true" },
  { option: { checkInput: "no" }, problem: 'checkInput: expected a function, got "no"' },
  { option: { reviewAnswer: "yes" }, problem: "reviewAnswer: expected true, false or a function" },
])("$option is refused when the graph is made", ({ option, problem }) => {
  const options: object = option;
  expect(() => createReactGraph(options)).toThrow(problem);
});
