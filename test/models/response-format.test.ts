import { providerStrategy, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createPlanExecuteGraph, createReactGraph, type ResponseFormat } from "../../src/index.js";
import { zodOutput } from "../../src/models/response-format.js";
import { scriptedModel } from "../../src/testing/index.js";
import { question } from "../support/middleware.js";

const Price = z.object({ cents: z.int().min(1) });
const Unknown = z.object({ why: z.string() });
const priceSchema = {
  type: "object" as const,
  properties: { cents: { type: "integer", minimum: 1, description: "In euro cents." } },
  required: ["cents"],
  additionalProperties: false,
};

describe("responseFormat as", () => {
  it.each<{ name: string; format: ResponseFormat }>([
    { name: "a zod schema", format: Price },
    { name: "a JSON schema", format: priceSchema },
    { name: "toolStrategy of zod", format: toolStrategy(Price) },
    { name: "providerStrategy of zod", format: providerStrategy(Price) },
    { name: "providerStrategy of JSON", format: providerStrategy(priceSchema) },
    { name: "a list of one", format: [Price] },
    { name: "a list of alternatives", format: [Unknown, Price] },
    { name: "toolStrategy of alternatives", format: toolStrategy([Unknown, Price]) },
  ])("$name: what fits comes back, what does not is refused", async ({ format }) => {
    const { read } = zodOutput("response", format);
    expect(await read({ cents: 300 })).toEqual({ ok: true, value: { cents: 300 } });
    for (const wrong of [{ cents: 0 }, { cents: "300" }, {}, "300", null]) {
      expect(await read(wrong)).toMatchObject({ ok: false });
    }
  });

  it("alternatives takes each of them", async () => {
    const { read } = zodOutput("response", toolStrategy([Unknown, Price]));
    expect(await read({ why: "Nobody knows." })).toMatchObject({ ok: true });
  });

  it("a JSON schema keeps its descriptions for the model", () => {
    const { schema } = zodOutput("response", priceSchema);
    expect(schema).toMatchObject({ properties: { cents: { description: "In euro cents." } } });
  });

  it.each([
    { format: [], got: "a list" },
    { format: {}, got: "an object without keys" },
    { format: { cents: "number" }, got: "an object with the keys cents" },
    { format: "json", got: '"json"' },
    { format: () => Price, got: "a function" },
    { format: null, got: "null" },
    { format: { type: "nothing" }, got: "nothing" },
  ])("$got is refused when the graph is made", ({ format, got }) => {
    const make = () => Reflect.apply(createReactGraph, undefined, [{ responseFormat: format }]);
    expect(make).toThrow("responseFormat cannot be told to a model");
    expect(make).toThrow(got);
  });
});

describe("the options of createAgent", () => {
  it("model, name and toolStrategy work here", async () => {
    const model = scriptedModel(["3 euros.", '{"cents":300}']);
    const graph = createReactGraph({ model, name: "prices", responseFormat: toolStrategy(Price) });
    const { structuredResponse, run } = await graph.invoke(question);
    expect(graph.getName()).toBe("prices");
    expect([structuredResponse?.cents, run?.graph]).toEqual([300, "prices"]);
  });

  it.each([
    {
      options: { model: "offline", models: "offline" },
      error: "expected model or models, got both",
    },
    { options: { model: 3 }, error: "expected a LangChain chat model" },
    { options: { name: "" }, error: 'name: expected a text, got ""' },
    { options: { name: 3 }, error: "name: expected a text, got 3" },
  ])("$error", ({ options, error }) => {
    for (const create of [createReactGraph, createPlanExecuteGraph]) {
      expect(() => Reflect.apply(create, undefined, [options])).toThrow(error);
    }
  });
});
