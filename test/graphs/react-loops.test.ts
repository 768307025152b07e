import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createReactGraph,
  type ReactOptions,
  type ToolPolicy,
  withPolicy,
} from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const question = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const asks = (item: string | undefined): ModelAnswer => ({
  toolCalls: [{ name: "price", args: { item } }],
});
const lastText = (messages: readonly BaseMessage[]) => messages.at(-1)?.text ?? "";
const finish = '{"thought": "It is there.", "action": "finish", "answer": "Tea costs 3."}';
const replan = '{"thought": "No.", "action": "replan", "feedback": "The price is missing."}';

/** A model that asks for these items over and over; without tools it says what is known, or decides like this. */
function circling(items: readonly string[], decision = replan) {
  let at = 0;
  return scriptedModel((messages, { tools }): ModelAnswer => {
    if (tools.length > 0) return asks(items[at++ % items.length]);
    return lastText(messages).includes('"finish"') ? decision : "What I know.";
  });
}

/** A tool that answers everything alike. */
function alike(policy: ToolPolicy<{ item: string }>, answer: () => string) {
  const runs: string[] = [];
  const schema = z.object({ item: z.string() });
  const price = tool(
    ({ item }) => {
      runs.push(item);
      return answer();
    },
    { name: "price", description: "Gives a price.", schema },
  );
  return { runs, tools: [withPolicy(price, policy)] };
}

const many = Array.from({ length: 50 }, (_, at) => `tea in other words, ${at}`);
const failing = () => {
  throw new Error("No evidence found.");
};

describe("a run that goes round in circles", () => {
  it.each<{
    name: string;
    items: readonly string[];
    policy?: ToolPolicy<{ item: string }>;
    answer?: () => string;
    runs: number;
    refused: number;
  }>([
    { name: "the same call", items: ["tea"], runs: 1, refused: 2 },
    {
      name: "A-B-A-B",
      items: ["tea", "milk"],
      runs: 3,
      refused: 3,
    },
    {
      name: "other words for the same result",
      items: many,
      policy: { effect: "read" },
      answer: () => "Tea is sold everywhere.",
      runs: 6,
      refused: 2,
    },
    { name: "other words for the same failure", items: many, answer: failing, runs: 6, refused: 2 },
    {
      name: "a volatile call",
      items: ["tea"],
      policy: { volatile: true },
      answer: () => "again",
      runs: 29,
      refused: 2,
    },
  ])("ends with what is known: $name", async ({ items, policy, answer, runs, refused }) => {
    const given = answer === undefined ? countingTools("price") : alike(policy ?? {}, answer);
    const models = circling(items);
    const { outcome, observations, ...result } = await createReactGraph({
      models,
      tools: given.tools,
    }).invoke(question);
    expect(outcome).toEqual({ status: "limit", limit: "repeatedCalls" });
    expect(given.runs).toHaveLength(runs);
    expect(observations.filter(({ error }) => error?.kind === "repeated")).toHaveLength(refused);
    const found = observations.some(({ ok }) => ok);
    expect(result.answer).toBe("What I know.");
    // One turn a call, the decision over what was found if anything was, the closing call.
    expect(models.calls).toHaveLength(observations.length + (found ? 2 : 1));
  });

  it("of other words goes on where a tool of unknown effect does its work alike each time", async () => {
    const { runs, tools } = alike({}, () => "done");
    const models = scriptedModel([...many.slice(0, 12).map(asks), "All done."]);
    const { outcome } = await createReactGraph({ models, tools }).invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    expect(runs).toHaveLength(12);
  });

  it("may ask in other words again once something else came", async () => {
    const { tools } = alike({ effect: "read" }, () => "Nothing.");
    const { tools: others } = countingTools("stock");
    const stock: ModelAnswer = { toolCalls: [{ name: "stock", args: { item: "tea" } }] };
    const words = many.slice(0, 5).map(asks);
    const models = scriptedModel([
      ...words,
      stock,
      ...words.map((_, at) => asks(many[at + 5])),
      "No.",
    ]);
    const { observations } = await createReactGraph({
      models,
      tools: [...tools, ...others],
    }).invoke(question);
    expect(observations.every(({ ok }) => ok)).toBe(true);
  });

  it("is told how often a volatile call was made in a row", async () => {
    let thrown = 0;
    const { tools } = alike({ volatile: true }, () => `${(thrown += 1)}`);
    const models = scriptedModel([asks("tea"), asks("tea"), asks("tea"), asks("tea"), "4."]);
    const { observations } = await createReactGraph({ models, tools }).invoke(question);
    expect(observations.map(({ content }) => content)).toEqual([
      "1",
      "2",
      expect.stringMatching(/^3\n\(You have now made this very call 3 times in a row\./),
      expect.stringMatching(/^4\n\(You have now made this very call 4 times in a row\./),
    ]);
    expect(observations[3]?.value).toBe(4);
  });
});

describe("after a refused repetition", () => {
  it("the model is asked for another way, with what was tried; the conversation does not show it", async () => {
    const { runs, tools } = countingTools("price");
    using models = scriptedModel([asks("tea"), asks("tea"), asks("tea"), asks("milk"), "Both."]);
    const { outcome, messages } = await createReactGraph({ models, tools }).invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(["price tea", "price milk"]);
    const told = models.calls.map((call) => lastText(call.messages));
    expect(told[3]).toMatch(
      /^You are going round in circles\. .*\n- price\({"item":"tea"}\): price of tea\n/,
    );
    expect(told.filter((text) => text.includes("in circles"))).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain("in circles");
  });

  it.each<{ name: string; options: Partial<ReactOptions>; tools: number }>([
    { name: "by default", options: {}, tools: 4 },
    { name: "as soon as it may be refused", options: { limits: { repeatedCalls: 2 } }, tools: 3 },
  ])(
    "what was found is the answer if it answers the question, $name",
    async ({ options, tools: turns }) => {
      const { runs, tools } = countingTools("price");
      const models = circling(["tea"], finish);
      const result = await createReactGraph({ models, tools, ...options }).invoke(question);
      expect(result).toMatchObject({ outcome: { status: "answered" }, answer: "Tea costs 3." });
      expect(result.messages.at(-1)).toMatchObject({ type: "ai", text: "Tea costs 3." });
      expect(runs).toEqual(["price tea"]);
      expect(models.calls).toHaveLength(turns + 1);
      expect(result.usage.modelCalls).toBe(turns + 1);
      const asked = models.calls
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join("\n");
      expect(asked).toContain("The question: What does tea cost?");
      expect(asked).toContain('- price({"item":"tea"}): price of tea');
    },
  );

  it("the answer that was found takes the form that the caller wants", async () => {
    const { tools } = countingTools("price");
    let at = 0;
    const models = scriptedModel((messages): ModelAnswer => {
      at += 1;
      if (at <= 4) return asks("tea");
      return lastText(messages).includes('"finish"') ? finish : '{"crowns": 3}';
    });
    const responseFormat = z.object({ crowns: z.number() });
    const result = await createReactGraph({ models, tools, responseFormat }).invoke(question);
    expect(result).toMatchObject({
      outcome: { status: "answered" },
      answer: "Tea costs 3.",
      structuredResponse: { crowns: 3 },
    });
  });

  it.each([
    { name: "prose instead of a decision", decision: "Tea costs 3, I guess." },
    { name: "a decision without an answer", decision: '{"thought": "?", "action": "finish"}' },
  ])("$name is not taken for the answer", async ({ decision }) => {
    const { tools } = countingTools("price");
    const models = circling(["tea"], decision);
    const result = await createReactGraph({ models, tools }).invoke(question);
    expect(result.outcome).toEqual({ status: "limit", limit: "repeatedCalls" });
    expect(result.answer).toBe("What I know.");
    expect(models.calls).toHaveLength(6);
  });

  it("nothing is asked at the end with early stopping by force", async () => {
    const { tools } = countingTools("price");
    const models = circling(["tea"], finish);
    const result = await createReactGraph({ models, tools, earlyStopping: "force" }).invoke(
      question,
    );
    expect(result.outcome).toEqual({ status: "limit", limit: "repeatedCalls" });
    expect(models.calls).toHaveLength(4);
    expect(result.answer).toContain("price of tea");
  });

  it("no model call is left for the decision: the closing call answers", async () => {
    const { tools } = countingTools("price");
    const models = circling(["tea"], finish);
    const limits = { modelCalls: 4 };
    const result = await createReactGraph({ models, tools, limits }).invoke(question);
    expect(result.outcome).toEqual({ status: "limit", limit: "repeatedCalls" });
    expect(result.answer).toBe("What I know.");
    expect(models.calls).toHaveLength(5);
  });
});
