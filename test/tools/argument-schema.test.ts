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
  it("gives nothing where a schema cannot be written as JSON Schema", () => {
    const schema = z.object({ at: z.date() });
    expect(argumentSchema({ schema })).toEqual({});
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
