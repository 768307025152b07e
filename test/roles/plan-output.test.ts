import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/structured-output.js";
import type { ToolForm } from "../../src/prompts/tool-protocol.js";
import { planReading, type PlanTools } from "../../src/roles/plan-reading.js";
import { planOutput } from "../../src/roles/planner.js";

const price: ToolForm = {
  name: "price",
  description: "Gives a price.",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { item: { type: "string" }, count: { type: "integer" } },
    required: ["item"],
    additionalProperties: false,
  },
};
const tools = { forms: [price], check: async () => [], acts: () => false };
const formFor = (planTools: PlanTools) => planOutput(planReading(planTools, { planSteps: 3 }));
const form = formFor(tools);
const step = (id: string, item: string) => ({ id, thought: "", tool: "price", args: { item } });

describe("the schema of a plan", () => {
  it("lets a day be a reference, or be written in words", () => {
    const day = { type: "string", format: "date" };
    const parameters = { type: "object", properties: { day } };
    const { schema } = formFor({ ...tools, forms: [{ ...price, parameters }] });
    expect(JSON.stringify(schema)).toContain(
      '"day":{"anyOf":[{"type":"string","format":"date"},{"type":"string"}]}',
    );
  });

  it("lets a figure deep inside an argument be a reference, and no name be anything but a text", () => {
    const item = {
      type: "object",
      properties: { name: { type: "string" }, figure: { type: "number" } },
    };
    const parameters = { type: "object", properties: { figures: { type: "array", items: item } } };
    const { schema } = formFor({ ...tools, forms: [{ ...price, parameters }] });
    expect(JSON.stringify(schema)).toContain(
      '"figures":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"figure":{"anyOf":[{"type":"number"},{"type":"string"}]}}}},{"type":"string"}]}',
    );
  });

  it("has a branch a tool, with its arguments, any of which may be a reference", () => {
    expect(form.schema).toMatchObject({
      properties: {
        steps: {
          maxItems: 3,
          items: {
            anyOf: [
              {
                properties: {
                  tool: { const: "price" },
                  args: {
                    properties: {
                      item: { type: "string" },
                      count: { anyOf: [{ type: "integer" }, { type: "string" }] },
                    },
                    required: ["item"],
                  },
                },
                required: ["id", "thought", "tool", "args"],
              },
            ],
          },
        },
      },
    });
    expect(JSON.stringify(form.schema)).not.toContain("$schema");
  });

  it("writes the thought before the tool: constrained decoding keeps the order", () => {
    expect(JSON.stringify(form.schema)).toMatch(/"id".*"thought".*"tool".*"args"/);
  });

  it("takes any object where the tool's schema refers to definitions", () => {
    const parameters = { type: "object", properties: { at: { $ref: "#/$defs/At" } } };
    const { schema } = formFor({ ...tools, forms: [{ ...price, parameters }] });
    expect(JSON.stringify(schema)).toContain('"args":{"type":"object"}');
  });
});

describe("reading a plan", () => {
  it.each([
    { name: "the form", value: { steps: [step("E1", "tea"), step("E2", "{{E1}}")] } },
    { name: "a list alone", value: [step("E1", "tea"), step("E2", "{{E1}}")] },
  ])("takes $name", async ({ value }) => {
    expect(await fitting(JSON.stringify(value), false, form)).toMatchObject({
      ok: true,
      value: { kind: "steps", steps: [{ id: "E1" }, { id: "E2", args: { item: "{{E1}}" } }] },
    });
  });

  it.each([
    { name: "no steps", value: { steps: [] }, problem: /at least one step/ },
    {
      name: "too many",
      value: { steps: ["a", "b", "c", "d"].map((item, at) => step(`E${at + 1}`, item)) },
      problem: /at most 3 steps, got 4/,
    },
    {
      name: "an unknown tool",
      value: { steps: [{ ...step("E1", "tea"), tool: "weight" }] },
      problem: /one of the tools price, got "weight"/,
    },
    {
      name: "a reference forwards",
      value: { steps: [step("E1", "{{E2}}"), step("E2", "tea")] },
      problem: /E1/,
    },
    { name: "tasks in words", value: ["Look up tea."], problem: /a call of a tool/ },
  ])("refuses $name, and says so to the model", async ({ value, problem }) => {
    const read = await fitting(JSON.stringify(value), false, form);
    expect(read).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it("tells what the tool says of its arguments", async () => {
    const strict = formFor({ ...tools, check: async () => ["item: too long"] });
    expect(await fitting(JSON.stringify({ steps: [step("E1", "tea")] }), false, strict)).toEqual({
      ok: false,
      problem: expect.stringContaining("E1, price: item: too long"),
    });
  });

  it("reads the paper's text", async () => {
    expect(await fitting("Plan: Look it up. #E1 = price[tea]", false, form)).toMatchObject({
      ok: true,
      value: { kind: "steps", steps: [{ tool: "price", args: { item: "tea" } }] },
    });
  });

  it("takes no plan that was cut off, however whole its steps are", async () => {
    const read = await fitting("Plan: Look it up. #E1 = price[tea]\n", true, form);
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining("cut off") });
  });

  it.each([
    { name: "in place of steps", text: '{"steps":[],"answer":"Hello!"}' },
    { name: "alone", text: '{"answer":"Hello!"}' },
    { name: "in a fence", text: '```json\n{"steps":[],"answer":"Hello!"}\n```' },
    { name: "behind prose", text: 'No tool is needed.\n{"steps":[],"answer":"Hello!"}' },
    { name: "behind thinking", text: '<think>A greeting.</think>{"answer":"Hello!"}' },
    { name: "in a call of the form", text: '{"name":"plan","arguments":{"answer":"Hello!"}}' },
  ])("takes the answer that stands $name", async ({ text }) => {
    const answer = { kind: "answer", text: "Hello!" };
    expect(await fitting(text, false, form)).toEqual({ ok: true, value: answer });
  });

  it.each([
    { name: "a thought", text: "Let me think about the plan. I need the price of tea first." },
    { name: "an intention", text: "I will use price to find the price of tea." },
    { name: "an intention in Chinese", text: "我会先用 price 查茶的价格。" },
    { name: "points", text: "Here is my plan:\n- look up tea\n- divide" },
    { name: "a plan in words", text: "Plan: use price with item = tea, store as E1" },
    { name: "figures from memory", text: "Tea costs 3 euros and coffee costs 4." },
    { name: "figures in Chinese", text: "法国有 6,800 万人口。" },
    { name: "an apology", text: "Sorry, I will correct the plan now." },
    { name: "a text in JSON", text: '"Tea costs 3."' },
    { name: "an empty answer", text: '{"steps":[],"answer":" "}' },
    { name: "no answer", text: '{"steps":[]}' },
    { name: "two answers", text: '{"answer":"3"}\n{"answer":"4"}' },
    { name: "an answer beside a call", text: '{"tool":"price","answer":"3"}' },
    { name: "another key", text: '{"response":"Tea costs 3."}' },
    { name: "a broken plan", text: '{"steps":[{"id":"E1"' },
    { name: "nothing", text: " " },
  ])("sends $name back", async ({ text }) => {
    const problem = expect.stringMatching(/./);
    expect(await fitting(text, false, form)).toEqual({ ok: false, problem });
  });

  it("says what a reply in prose lacks", async () => {
    const problem = expect.stringMatching(
      /at least one step, got only this text: "Tea costs 3\.".*"answer"/,
    );
    expect(await fitting("Tea costs 3.", false, form)).toEqual({ ok: false, problem });
  });
});
