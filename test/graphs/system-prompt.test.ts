import { SystemMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ReactOptions,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText, readingTools, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const rule = "Amounts in cents.";
const plan = planText(stepOf("price", "tea"));
const structured = '{"cents":300}';
const responseFormat = z.object({ cents: z.number() });

describe("the system prompt", () => {
  it.each([
    { name: "react", create: createReactGraph, replies: ["300", structured] },
    { name: "rewoo", create: createRewooGraph, replies: [plan, "300", structured] },
    {
      name: "llm-compiler",
      create: createLlmCompilerGraph,
      replies: [plan, finishWith("300"), structured],
    },
    {
      name: "plan-execute",
      create: createPlanExecuteGraph,
      replies: [taskPlanText({ task: "Price it." }), "300", respondWith("300"), structured],
    },
  ])("is first in every request of $name", async ({ create, replies }) => {
    const models = scriptedModel(replies);
    const { tools } = readingTools("price");
    const graph = create({ models, tools, systemPrompt: rule, responseFormat });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({
      outcome: { status: "answered" },
      structuredResponse: { cents: 300 },
    });
    const firsts = models.calls.map(({ messages }) => messages[0]?.text.split("\n")[0]);
    expect(firsts).toEqual(replies.map(() => rule));
  });

  it("is in the router's own request, too", async () => {
    const models = scriptedModel(['{"route":"sums","reason":"A sum."}', "42"]);
    const sums = { description: "Sums.", graph: createReactGraph({ models }) };
    const other = { description: "Other things.", graph: createReactGraph({ models }) };
    const graph = createRouterGraph({ models, routes: { sums, other }, systemPrompt: rule });
    await graph.invoke(question);
    expect(models.calls.map(({ messages }) => messages[0]?.text.startsWith(rule))).toEqual([
      true,
      false,
    ]);
  });

  it.each<{ name: string; options: ReactOptions; system: RegExp }>([
    {
      name: "alone takes the place of the default instructions",
      options: { systemPrompt: rule },
      system: /^Amounts in cents\.\n\nToday is [^\n]*$/,
    },
    {
      name: "stands before the agent's own",
      options: { systemPrompt: rule, prompts: { agent: "Be brief." } },
      system: /^Amounts in cents\.\n\nBe brief\.\n\nToday is/,
    },
    {
      name: "may be a message",
      options: { systemPrompt: new SystemMessage(rule) },
      system: /^Amounts in cents\.\n\nToday is/,
    },
    {
      name: "may be a function of state and runtime",
      options: {
        systemPrompt: async ({ messages }, { context }) =>
          `${messages.length} message for ${z.object({ user: z.string() }).parse(context).user}.`,
      },
      system: /^1 message for Ann\.\n\nToday is/,
    },
  ])("$name", async ({ options, system }) => {
    const models = scriptedModel(["300"]);
    await createReactGraph({ models, ...options }).invoke(question, { context: { user: "Ann" } });
    expect(models.calls[0]?.messages[0]?.text).toMatch(system);
    expect(models.calls[0]?.messages.filter(({ type }) => type === "system")).toHaveLength(1);
  });

  it("keeps the blocks of a message, with a provider's marks", async () => {
    const block = { type: "text", text: rule, cache_control: { type: "ephemeral" } } as const;
    const models = scriptedModel(["300"]);
    const systemPrompt = new SystemMessage({ content: [block] });
    await createReactGraph({ models, systemPrompt }).invoke(question);
    expect(models.calls[0]?.messages[0]?.content).toMatchObject([block, { type: "text" }]);
  });

  it.each([
    {
      name: "throws",
      systemPrompt: () => {
        throw new Error("no tenant");
      },
      reason: /The systemPrompt function failed: no tenant/,
    },
    {
      name: "returns something else",
      systemPrompt: () => Reflect.get({}, "nothing"),
      reason: /The systemPrompt function failed: expected a text or a SystemMessage, got undefined/,
    },
  ])("ends the run as failed where its function $name", async ({ systemPrompt, reason }) => {
    const models = scriptedModel([]);
    const { outcome, usage } = await createReactGraph({ models, systemPrompt }).invoke(question);
    expect(outcome).toMatchObject({ status: "failed", reason: expect.stringMatching(reason) });
    expect(usage.modelCalls).toBe(0);
  });

  it("is refused when the graph is made where it is something else", () => {
    expect(() => Reflect.apply(createReactGraph, undefined, [{ systemPrompt: 1 }])).toThrow(
      /systemPrompt: expected a text, a SystemMessage or a function, got 1/,
    );
  });
});
