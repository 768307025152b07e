import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { calculator, createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const ask = { messages: [new HumanMessage("What share of it is orchards?")] };

const facts: { readonly [name: string]: string } = {
  fields: "Dellmoor has 2400 hectares of fields, 540 of them orchards.",
  height: "The tower is 61 m high.",
};
const search = tool(({ query }) => facts[query] ?? `Nothing found for "${query}".`, {
  name: "search",
  description: "Finds facts.",
  schema: z.object({ query: z.string() }),
});
const tools = [search, calculator];

const find = (id: string, query: string) => ({ id, thought: "", tool: "search", args: { query } });
const count = (id: string, expression: string) => ({
  id,
  thought: "",
  tool: "calculator",
  args: { expression },
});
const plan = (...steps: object[]) => JSON.stringify({ steps });

it("has the figures of a result found, with braces around its name or without", async () => {
  using models = scriptedModel([
    plan(find("E1", "height"), count("E2", "E1 * 2"), count("E3", "{{E2}} + {{E1}}")),
    '{"E1": 61}',
    '{"E1": 61}',
    "183 m.",
  ]);
  const { observations, usage } = await createRewooGraph({ models, tools }).invoke(ask);
  expect(observations.map(({ content }) => content)).toEqual([facts["height"], "122", "183"]);
  expect(observations[1]).toMatchObject({ args: { expression: "61 * 2" }, ok: true });
  expect(usage).toMatchObject({ modelCalls: 4, toolCalls: 5 });
  // Nobody is asked for a result that is a figure.
  const told = JSON.stringify(models.calls[2]?.options);
  expect(told).toContain('"enum":[61,null]');
  expect(told).not.toMatch(/"enum":\[[^\]]*122/);
});

it("asks nobody for the figure that stands beside the words of its step's purpose", async () => {
  const purpose = { thought: "The orchards of Dellmoor" };
  using models = scriptedModel([
    plan({ ...find("E1", "fields"), ...purpose }, count("E2", "{{E1}} * 2")),
    "1080 hectares.",
  ]);
  const { observations, usage } = await createRewooGraph({ models, tools }).invoke(ask);
  expect(observations[1]).toMatchObject({ args: { expression: "540 * 2" }, content: "1080" });
  expect(usage.modelCalls).toBe(2);
});

it("asks which of several figures it is, and keeps the calculation as it was planned", async () => {
  using models = scriptedModel([
    plan(find("E1", "fields"), count("E2", "({{E1}} + 60) / 2")),
    '{"E1": 540}',
    "300.",
  ]);
  const { observations, usage } = await createRewooGraph({ models, tools }).invoke(ask);
  expect(observations[1]).toMatchObject({ args: { expression: "(540 + 60) / 2" }, content: "300" });
  expect(usage.modelCalls).toBe(3);
});

it.each([
  { name: "none of them is", reply: '{"E1": null}' },
  { name: "something else comes", reply: '{"E1": "many"}' },
])("lets the step fail where the model says that $name", async ({ reply }) => {
  using models = scriptedModel([
    plan(find("E1", "fields"), count("E2", "{{E1}} * 2")),
    reply,
    "I do not know.",
  ]);
  const { observations, outcome } = await createRewooGraph({ models, tools }).invoke(ask);
  expect(observations[1]).toMatchObject({ ok: false, error: { kind: "rejected" } });
  expect(outcome).toEqual({ status: "answered" });
});

it("takes no figure out of the words of the call that found nothing", async () => {
  using models = scriptedModel([
    plan(find("E1", "Lake 7"), count("E2", "{{E1}} * 2")),
    '{"E1": null}',
    "I do not know.",
  ]);
  const { observations } = await createRewooGraph({ models, tools }).invoke(ask);
  expect(observations[1]).toMatchObject({ ok: false });
});

it("makes no second try where the results were figures already", async () => {
  using models = scriptedModel([
    plan(count("E1", "2 - 2"), count("E2", "4 / {{E1}}")),
    "Nothing can be divided by zero.",
  ]);
  const { observations, usage } = await createRewooGraph({ models, tools }).invoke(ask);
  expect(observations[1]).toMatchObject({ ok: false, args: { expression: "4 / 0" } });
  expect(usage).toMatchObject({ modelCalls: 2, toolCalls: 2 });
});
