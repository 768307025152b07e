import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createPlanExecuteGraph,
  createReactGraph,
  type ToolPolicy,
  withPolicy,
} from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { page, textOf } from "../support/long-pages.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { taskPlanText } from "../support/task-plans.js";

const ask = { messages: [new HumanMessage("Copy the page.")] };

function savingTool() {
  const saved: string[] = [];
  const save = tool(
    ({ content }) => {
      saved.push(content);
      return "saved";
    },
    { name: "save", description: "Saves.", schema: z.object({ content: z.string() }) },
  );
  return { saved, save: withPolicy(save, { effect: "write", needsApproval: false }) };
}

const plan = (content: string) =>
  JSON.stringify({
    steps: [
      { id: "E1", thought: "Read.", tool: "page", args: {} },
      { id: "E2", thought: "Save.", tool: "save", args: { content } },
    ],
  });

describe.each(planningGraphs)("a reference in a plan of $name", ({ create }) => {
  const text = textOf(28_889);
  const list = Array.from({ length: 4_000 }, (_, at) => ({ at, name: `row ${at}` }));

  it.each<{ name: string; result: unknown; policy?: ToolPolicy; content: string; sent: string }>([
    { name: "a whole text", result: text, content: "{{E1}}", sent: text },
    {
      name: "a text inside a longer one",
      result: text,
      content: "Page: {{E1}}!",
      sent: `Page: ${text}!`,
    },
    {
      name: "a text from outside, without its fence",
      result: text,
      policy: { trust: "untrusted" },
      content: "{{E1}}",
      sent: text,
    },
    {
      name: "a text of which models read little",
      result: text,
      policy: { maxResultChars: 100 },
      content: "{{E1}}",
      sent: text,
    },
    {
      name: "a part far down in data",
      result: list,
      content: "{{E1[3999].name}}",
      sent: "row 3999",
    },
    {
      name: "data inside a longer text",
      result: list,
      content: "Rows: {{E1}}",
      sent: `Rows: ${JSON.stringify(list)}`,
    },
    {
      name: "data that was written over several lines",
      result: JSON.stringify(list, null, 2),
      content: "{{E1[0].name}}",
      sent: "row 0",
    },
    {
      name: "the largest text that is kept",
      result: textOf(1_000_000),
      content: "{{E1}}",
      sent: textOf(1_000_000),
    },
  ])("passes $name", async ({ result, policy, content, sent }) => {
    const { saved, save } = savingTool();
    using models = scriptedModel([plan(content), "Saved."]);
    const ended = await create({ models, tools: [page(result, policy), save] }).invoke(ask);
    expect(saved).toEqual([sent]);
    expect(ended.outcome).toEqual({ status: "answered" });
  });

  it.each<{ name: string; result: unknown; content: string }>([
    { name: "a text", result: textOf(1_000_001), content: "{{E1}}" },
    { name: "a text inside a longer one", result: textOf(1_000_001), content: "Page: {{E1}}" },
    {
      name: "data",
      result: Array.from({ length: 100_000 }, (_, at) => ({ at })),
      content: "{{E1[0].at}}",
    },
  ])("to $name that is too large to keep fails the step openly", async ({ result, content }) => {
    const { saved, save } = savingTool();
    using models = scriptedModel([plan(content), "It was too large."]);
    const ended = await create({ models, tools: [page(result), save] }).invoke(ask);
    expect(saved).toEqual([]);
    expect(ended.observations[1]).toMatchObject({ ok: false, attempts: 0 });
    expect(ended.observations[1]?.error?.message).toMatch(
      /^the result of E1 has \d+ characters: too large to keep/,
    );
    expect(JSON.stringify(ended.observations).length).toBeLessThan(100_000);
  });

  it("lets a step that reasons read what models may read of a result", async () => {
    const steps = JSON.stringify({
      steps: [
        { id: "E1", thought: "Read.", tool: "page", args: {} },
        { id: "E2", thought: "Sum up.", tool: "llm", args: { prompt: "Sum up: {{E1}}" } },
      ],
    });
    for (const [policy, read] of [
      [{}, text],
      [{ maxResultChars: 500 }, "characters cut"],
    ] as const) {
      using models = scriptedModel([steps, "Numbers.", "Numbers."]);
      await create({ models, tools: [page(text, policy)] }).invoke(ask);
      expect(models.calls[1]?.messages.at(-1)?.text).toContain(read);
    }
  });
});

describe("what goes to the user", () => {
  const text = textOf(30_000);
  const calls: ModelAnswer = { toolCalls: [{ name: "page", args: {}, id: "c1" }] };

  it.each<{ name: string; policy?: ToolPolicy }>([
    { name: "a text" },
    { name: "a text from outside", policy: { trust: "untrusted" } },
  ])("is whole where a tool's result is the answer: $name", async ({ policy }) => {
    using models = scriptedModel([calls]);
    const direct = page(text, { returnDirect: true, ...policy });
    const { answer } = await createReactGraph({ models, tools: [direct] }).invoke(ask);
    expect(answer).toBe(text);
  });

  it("is whole where it is the answer of a graph that is a tool", async () => {
    using inner = scriptedModel([text]);
    using models = scriptedModel([{ toolCalls: [{ name: "clerk", args: { question: "?" } }] }]);
    const clerk = withPolicy(
      asTool(createReactGraph({ models: inner }), { name: "clerk", description: "Knows." }),
      { returnDirect: true },
    );
    expect((await createReactGraph({ models, tools: [clerk] }).invoke(ask)).answer).toBe(text);
  });

  it("is whole where the last step of a plan gives the answer", async () => {
    using models = scriptedModel([
      taskPlanText({ task: "Read the page." }, { task: "Say what it says.", final: true }),
      "Read.",
      text,
    ]);
    const { answer, outcome } = await createPlanExecuteGraph({ models }).invoke(ask);
    expect(outcome).toEqual({ status: "answered" });
    expect(answer).toBe(text);
  });
});

describe.each(planningGraphs)("a cut result in a plan of $name", ({ create }) => {
  it.each<{ name: string; policy: ToolPolicy }>([
    { name: "a trusted tool", policy: {} },
    { name: "an untrusted tool", policy: { trust: "untrusted" } },
  ])("names no tool to read on with, since none can be called: $name", async ({ policy }) => {
    const steps = [{ id: "E1", thought: "Read.", tool: "page", args: {} }];
    const finish = JSON.stringify({ thought: "Done.", action: "finish", answer: "It is long." });
    using models = scriptedModel([JSON.stringify({ steps }), finish]);
    const { observations } = await create({ models, tools: [page(textOf(40_000), policy)] }).invoke(
      ask,
    );
    expect(observations[0]?.cut).toBe(40_000);
    expect(models.calls).toHaveLength(2);
    expect(JSON.stringify(models.calls)).not.toContain("read_result");
  });
});
