import { HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { createReactGraph, createRewooGraph, type ReactOptions } from "../../src/index.js";
import { fault, type ServerAnswer } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planText, stepOf } from "../support/plans.js";
import { serve } from "../testing/client.js";

const responseFormat = z.object({ price: z.number() });
const question = { messages: [new HumanMessage("What does tea cost?")] };
const priceCall: ServerAnswer = { toolCalls: [{ name: "price", args: { item: "tea" } }] };

afterEach(() => vi.unstubAllEnvs());

/** A model of OpenAI's by name and address; its requests go to a scripted server. */
async function openAI(replies: readonly ServerAnswer[], model = "gpt-4o", baseURL?: string) {
  const server = await serve({ replies });
  const { tools, runs } = countingTools("price");
  const send: typeof fetch = (_, init) => fetch(`${server.url}/chat/completions`, init);
  const configuration = { fetch: send, ...(baseURL === undefined ? {} : { baseURL }) };
  const models = new ChatOpenAI({ model, apiKey: "key", maxRetries: 0, configuration });
  const formats = () =>
    server.requests.map(({ text, body }) => [
      text.includes('"json_schema":{"name":"response"') ? "form" : "prose",
      (body?.tools ?? []).length,
    ]);
  const run = (options: ReactOptions = {}) =>
    createReactGraph({ models, tools, responseFormat, ...options }).invoke(question);
  return { run, runs, formats, models, tools, server };
}

describe("an answer in the form of responseFormat", () => {
  it("comes in the agent's own call, and needs no further request", async () => {
    const { run, runs, formats } = await openAI([priceCall, '{"price": 3}']);
    const { answer, structuredResponse, outcome, usage } = await run();
    expect({ answer, structuredResponse, outcome }).toEqual({
      answer: '{"price": 3}',
      structuredResponse: { price: 3 },
      outcome: { status: "answered" },
    });
    expect([usage.modelCalls, runs]).toEqual([2, ["price tea"]]);
    expect(formats()).toEqual([
      ["form", 1],
      ["form", 1],
    ]);
  });

  it("comes from the solver of a plan", async () => {
    const { models, tools, formats } = await openAI([
      planText(stepOf("price", "tea")),
      '{"price":3}',
    ]);
    const { structuredResponse, usage } = await createRewooGraph({
      models,
      tools,
      responseFormat,
    }).invoke(question);
    expect([structuredResponse, usage.modelCalls]).toEqual([{ price: 3 }, 2]);
    expect(formats().at(-1)).toEqual(["form", 0]);
  });

  it.each([
    { name: "is prose", answer: "3 euros." },
    { name: "does not fit", answer: '{"price": "three"}' },
    { name: "says more than the schema", answer: '{"price": 3, "currency": "euro"}' },
    { name: "is prose with an object", answer: 'It is {"price": 3}.' },
    { name: "is not closed", answer: '{"price": 3' },
  ])("is asked for by itself when the answer $name", async ({ answer }) => {
    const { run, formats } = await openAI([answer, '{"price": 4}']);
    const result = await run();
    expect(result.structuredResponse).toEqual({ price: 4 });
    expect(result.answer).toBe(answer);
    expect(formats()).toEqual([
      ["form", 1],
      ["form", 0],
    ]);
  });

  it("is asked for by itself where the server refuses a form beside tools, which it is told once", async () => {
    const message = "Invalid tools: they do not go with response_format.";
    const { run, formats } = await openAI([
      fault.status(400, { message }),
      priceCall,
      "3 euros.",
      '{"price": 3}',
    ]);
    const { structuredResponse, outcome } = await run();
    expect([structuredResponse, outcome]).toEqual([{ price: 3 }, { status: "answered" }]);
    expect(formats()).toEqual([
      ["form", 1],
      ["prose", 1],
      ["prose", 1],
      ["form", 0],
    ]);
  });

  it("is not asked for beside tools without responseFormat", async () => {
    const { models, tools, formats } = await openAI(["3 euros."]);
    await createReactGraph({ models, tools }).invoke(question);
    expect(formats()).toEqual([["prose", 1]]);
  });

  // llama.cpp and others hold the whole reply to the schema: their model would never call a tool.
  it.each([
    { name: "another server", model: "gpt-4o", url: "http://127.0.0.1:1/v1" },
    { name: "a host that ends alike", model: "gpt-4o", url: "https://notopenai.com/v1" },
    { name: "a path that says so", model: "gpt-4o", url: "https://a.org/openai.com/v1" },
    { name: "a model without known forms", model: "gpt-3.5-turbo", url: undefined },
    { name: "an unknown model", model: "any", url: undefined },
  ])("is never asked for beside tools of $name", async ({ model, url }) => {
    const { run, formats } = await openAI([priceCall, "3 euros.", '{"price": 3}'], model, url);
    const { structuredResponse } = await run();
    expect(structuredResponse).toEqual({ price: 3 });
    expect(formats().slice(0, 2).flat()).not.toContain("form");
  });

  it.each([
    { name: "protocol json", options: { protocol: "json" as const } },
    { name: "a list as form", options: { responseFormat: z.array(z.number()) } },
  ])("is never asked for beside tools with $name", async ({ options }) => {
    const { run, formats } = await openAI([
      '{"thought":"x","action":"final_answer","action_input":"3 euros."}',
      "[3]",
      "[3]",
      "[3]",
      "[3]",
    ]);
    await run(options);
    expect(formats()[0]?.[0]).not.toBe("form");
  });

  it("takes the environment's address into account", async () => {
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
    const { run, formats } = await openAI(["3 euros.", '{"price": 3}']);
    await run();
    expect(formats()[0]).toEqual(["prose", 1]);
  });
});
