import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  argumentSchema,
  type JsonSchema,
  propertiesOf,
  requiredOf,
  schemaAt,
  typesOf,
} from "../../src/tools/argument-schema.js";

describe("argumentSchema", () => {
  it.each([
    { name: "a date", schema: z.object({ at: z.date() }), error: /^property "at": Date cannot/ },
    {
      name: "a whole number of any size",
      schema: z.object({ id: z.bigint() }),
      error: /"id": BigInt/,
    },
    {
      name: "a value in an object in an object",
      schema: z.object({ ok: z.string(), trip: z.object({ days: z.map(z.string(), z.date()) }) }),
      error: /property "trip\.days": Map cannot/,
    },
    {
      name: "a transform before the check",
      schema: z.object({ at: z.preprocess(String, z.string()) }),
      error: /"at": Transforms cannot/,
    },
    {
      name: "a JSON Schema with a BigInt",
      schema: { type: "object", default: 1n },
      error: /BigInt/,
    },
    { name: "a list", schema: [], error: /it is a list/ },
  ])("refuses $name, and says where", ({ schema, error }) => {
    expect(() => Reflect.apply(argumentSchema, undefined, [{ schema }])).toThrow(error);
  });

  it("takes a text that is changed after its check: the model sends the text", () => {
    const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
    expect(propertiesOf(argumentSchema({ schema }))).toEqual({ at: { type: "string" } });
  });

  it("gives a JSON Schema as it is", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } } as const;
    expect(argumentSchema({ schema })).toEqual(schema);
  });
});

describe("what is read from a schema", () => {
  const schema: JsonSchema = {
    properties: {
      list: { type: "array", items: { properties: { x: { type: "number" } } } },
      either: { anyOf: [{ type: "null" }, { properties: { y: { type: "string" } } }] },
      broken: true,
    },
    required: ["list", 3],
  };

  it.each<{ name: string; path: readonly PropertyKey[]; at: JsonSchema }>([
    { name: "the schema itself", path: [], at: schema },
    { name: "what lies in a list", path: ["list", 4, "x"], at: { type: "number" } },
    { name: "what lies in an alternative", path: ["either", "y"], at: { type: "string" } },
    { name: "nothing of an unknown path", path: ["list", "nope", 0], at: {} },
    { name: "nothing of what is no schema", path: ["broken"], at: {} },
  ])("is $name", ({ path, at }) => {
    expect(schemaAt(schema, path)).toEqual(at);
  });

  it.each<{ schema: JsonSchema; types: readonly string[] }>([
    { schema: { type: "string" }, types: ["string"] },
    { schema: { type: ["string", "null", 3] }, types: ["string", "null"] },
    {
      schema: { oneOf: [{ type: "string" }, { anyOf: [{ type: "number" }] }] },
      types: ["string", "number"],
    },
    { schema: { anyOf: "no" }, types: [] },
    { schema: {}, types: [] },
  ])("are the types $types", ({ schema: given, types }) => {
    expect(typesOf(given)).toEqual(types);
  });

  it("are the properties that have a schema, and the names that are required", () => {
    expect(Object.keys(propertiesOf(schema))).toEqual(["list", "either"]);
    expect(propertiesOf({})).toEqual({});
    expect(requiredOf(schema)).toEqual(["list"]);
    expect(requiredOf({ required: "list" })).toEqual([]);
  });
});
