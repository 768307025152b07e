import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { providerToolSearchMiddleware } from "langchain";
import { expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type ReactOptions, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const question = { messages: [{ role: "user" as const, content: "Do alpha." }] };

const named = (name: string) =>
  withPolicy(
    tool(() => `result of ${name}`, {
      name,
      description: `Does ${name}.`,
      schema: z.object({ q: z.string() }),
    }),
    { effect: "read" },
  );

/** More than a server takes in one request. */
const many = ["alpha", ...Array.from({ length: 299 }, (_, at) => `tool_${at}`)].map(named);

const found = {
  type: "function",
  name: "alpha",
  defer_loading: true,
  description: "",
  parameters: {},
};
const search = { execution: "server", call_id: null, status: "completed" };
const answers = [
  [
    { ...search, type: "tool_search_call", id: "s1", arguments: { paths: ["alpha"] } },
    { ...search, type: "tool_search_output", id: "o1", tools: [found] },
    { type: "function_call", id: "f1", call_id: "c1", name: "alpha", arguments: '{"q":"x"}' },
  ],
  [
    {
      type: "message",
      id: "m1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Done.", annotations: [] }],
    },
  ],
];

type Sent = {
  readonly tools: readonly { readonly type: string; readonly defer_loading?: boolean }[];
  readonly input: readonly { readonly type: string }[];
};

/** A model of OpenAI's whose Responses API answers from a script. */
function openAi() {
  const sent: Sent[] = [];
  const answer = async (_url: unknown, { body }: { readonly body?: unknown } = {}) => {
    const read: Sent = JSON.parse(String(body));
    sent.push(read);
    const output = answers[(sent.length - 1) % answers.length];
    const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
    const reply = { id: "r", object: "response", status: "completed", model: "m", output, usage };
    return Response.json(reply);
  };
  const models = new ChatOpenAI({
    model: "gpt-5.4",
    apiKey: "any",
    maxRetries: 0,
    configuration: { fetch: answer },
  });
  return { sent, models };
}

it("the provider finds tools by itself: more than it would take, with LangChain's middleware", async () => {
  const { sent, models } = openAi();
  const graph = createReactGraph({
    models,
    tools: [named("always"), ...many],
    middleware: [providerToolSearchMiddleware({ searchableTools: many })],
  });
  const { answer, outcome, observations } = await graph.invoke(question);
  expect({ answer, outcome }).toEqual({ answer: "Done.", outcome: { status: "answered" } });
  expect(observations).toMatchObject([{ tool: "alpha", ok: true, content: "result of alpha" }]);
  expect(sent).toHaveLength(2);
  for (const { tools } of sent) {
    expect(tools.filter(({ defer_loading: isHidden }) => isHidden === true)).toHaveLength(300);
    expect(tools.filter(({ type }) => type === "tool_search")).toHaveLength(1);
    expect(tools).toHaveLength(302);
  }
  // What it found goes back with the result.
  expect(sent[1]?.input.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["tool_search_call", "tool_search_output", "function_call_output"]),
  );
});

it("without it so many tools are refused before the model is asked", async () => {
  const { sent, models } = openAi();
  const graph = createReactGraph({ models, tools: many });
  const { outcome } = await graph.invoke(question);
  expect(outcome?.reason).toMatch(/300 tools.*at most 128/);
  expect(sent).toEqual([]);
});

it.each([
  {
    name: "a description of a tool that nobody knows",
    added: { name: "other", description: "x", schema: {} },
  },
  {
    name: "a function that nobody runs",
    added: { type: "function", function: { name: "other", description: "x", parameters: {} } },
  },
  { name: "something else", added: "alpha" },
])("a hook still cannot add $name", async ({ added }) => {
  const options: ReactOptions = {
    models: scriptedModel(["Never asked."]),
    tools: [named("alpha")],
    wrapModelCall: async (request, handler) => {
      const tools = [...request.tools];
      Reflect.apply(tools.push, tools, [added]);
      return handler({ ...request, tools });
    },
  };
  const { outcome } = await createReactGraph(options).invoke(question);
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("no LangChain tool"),
  });
});
