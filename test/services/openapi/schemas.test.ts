import { describe, expect, it } from "vitest";

import { sending } from "./documents.js";

/** The schema of a field of a body, as the tool has it. */
function field(schema: unknown, schemas: Readonly<Record<string, unknown>> = {}): unknown {
  const service = sending({ type: "object", properties: { field: schema } }, schemas);
  if (typeof service === "string") return service;
  const { properties, ...rest } = service.parameters ?? { type: "object" };
  return { ...rest, properties };
}

const written = (schema: unknown, definitions?: unknown) => ({
  type: "object",
  ...(definitions === undefined ? {} : { $defs: definitions }),
  properties: { field: schema },
});

const object = (properties: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "object",
  properties,
  ...more,
});

describe("a schema is written as JSON Schema", () => {
  it.each([
    {
      name: "3.0's exclusive bounds",
      given: {
        type: "number",
        minimum: 1,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: true,
      },
      becomes: { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 9 },
    },
    {
      name: "3.0's bounds that are not exclusive",
      given: { type: "number", minimum: 1, exclusiveMinimum: false },
      becomes: { type: "number", minimum: 1 },
    },
    {
      name: "3.1's exclusive bounds",
      given: { type: "number", exclusiveMinimum: 1 },
      becomes: { type: "number", exclusiveMinimum: 1 },
    },
    {
      name: "3.0's nullable",
      given: { type: "string", nullable: true },
      becomes: { type: ["string", "null"] },
    },
    {
      name: "3.1's lists of types",
      given: { type: ["string", "null"] },
      becomes: { type: ["string", "null"] },
    },
    {
      name: "nullable alternatives",
      given: { nullable: true, anyOf: [{ type: "string" }, { type: "integer" }] },
      becomes: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
    },
    {
      name: "nullable that has one of several shapes",
      given: { nullable: true, description: "d", oneOf: [{ type: "string" }] },
      becomes: { anyOf: [{ oneOf: [{ type: "string" }] }, { type: "null" }], description: "d" },
    },
    {
      name: "a list of anything",
      given: { type: "array", nullable: true },
      becomes: { type: ["array", "null"], items: {} },
    },
    { name: "nullable anything", given: { nullable: true }, becomes: {} },
    {
      name: "what is no JSON Schema, which is dropped",
      given: {
        type: "string",
        example: "x",
        xml: {},
        externalDocs: {},
        discriminator: {},
        "x-own": 1,
        format: "date",
      },
      becomes: { type: "string", format: "date" },
    },
    {
      name: "what no provider takes, which is dropped",
      given: { type: "file", enum: [], required: true, pattern: "[", minLength: "1", items: "x" },
      becomes: {},
    },
    {
      name: "false, true and everything else in the place of a schema",
      given: object({ a: false, b: true, c: 1 }, { additionalProperties: true }),
      becomes: object({ a: false, b: true, c: {} }),
    },
    {
      name: "lists, maps and conditions",
      given: {
        type: "array",
        prefixItems: [{ type: "string" }],
        items: { type: "object", additionalProperties: { type: "string" } },
        if: { minItems: 2 },
        not: { maxItems: 1 },
      },
      becomes: {
        type: "array",
        prefixItems: [{ type: "string" }],
        items: { type: "object", additionalProperties: { type: "string" } },
        if: { minItems: 2 },
        not: { maxItems: 1 },
      },
    },
  ])("$name", ({ given, becomes }) => {
    expect(field(given)).toEqual(written(becomes));
  });
});

const a = object({ a: { type: "string" } }, { required: ["a"] });
const b = object({ b: { type: "string" } }, { required: ["b"] });

describe("allOf", () => {
  it.each([
    {
      name: "merges objects",
      given: { allOf: [a, b], description: "Both." },
      becomes: object(
        { a: { type: "string" }, b: { type: "string" } },
        { required: ["a", "b"], description: "Both." },
      ),
    },
    {
      name: "joins a field that two parts have",
      given: { allOf: [a, object({ a: { minLength: 2, description: "Long." } })] },
      becomes: object(
        { a: { type: "string", minLength: 2, description: "Long." } },
        { required: ["a"] },
      ),
    },
    {
      name: "of one part is the part, with the words around it",
      given: { allOf: [{ type: "string", description: "Inner." }], description: "Outer." },
      becomes: { type: "string", description: "Outer." },
    },
    {
      name: "stays where a part refuses other fields",
      given: { allOf: [a, { ...b, additionalProperties: false }] },
      becomes: { allOf: [a, { ...b, additionalProperties: false }] },
    },
    {
      name: "stays where the parts contradict each other",
      given: { allOf: [{ type: "string" }, { type: ["string", "null"] }], title: "t" },
      becomes: { allOf: [{ type: "string" }, { type: ["string", "null"] }], title: "t" },
    },
  ])("$name", ({ given, becomes }) => {
    expect(field(given)).toEqual(written(becomes));
  });
});

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("a reference", () => {
  it.each([
    {
      name: "that is used once is written in its place, with the words beside it",
      given: { ...to("Name"), description: "Own." },
      schemas: { Name: { type: "string", description: "Other." } },
      becomes: written({ type: "string", description: "Own." }),
    },
    {
      name: "to a reference leads on",
      given: to("One"),
      schemas: { One: to("Two"), Two: { type: "string" } },
      becomes: written({ type: "string" }),
    },
    {
      name: "with escaped and encoded characters is read",
      given: { $ref: "#/components/schemas/a~1b%20~0c" },
      schemas: { "a/b ~c": { type: "string" } },
      becomes: written({ type: "string" }),
    },
    {
      name: "that is used twice becomes a definition, however it is written",
      given: object({ one: to("Name"), two: { $ref: "#/components/schemas/N%61me" } }),
      schemas: { Name: { type: "string" } },
      becomes: written(object({ one: { $ref: "#/$defs/Name" }, two: { $ref: "#/$defs/Name" } }), {
        Name: { type: "string" },
      }),
    },
    {
      name: "to two targets of one name makes two definitions",
      given: object({ one: to("N"), two: to("N"), three: to("n"), four: to("n") }),
      schemas: { N: { type: "string" }, n: { type: "number" } },
      becomes: written(
        object({
          one: { $ref: "#/$defs/N" },
          two: { $ref: "#/$defs/N" },
          three: { $ref: "#/$defs/n_2" },
          four: { $ref: "#/$defs/n_2" },
        }),
        { N: { type: "string" }, n_2: { type: "number" } },
      ),
    },
    {
      name: "within what it refers to becomes a definition",
      given: to("Node"),
      schemas: { Node: object({ next: { ...to("Node"), nullable: true } }) },
      becomes: written(
        { $ref: "#/$defs/Node" },
        { Node: object({ next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] } }) },
      ),
    },
    {
      name: "around a circle of two becomes one definition",
      given: to("A"),
      schemas: { A: object({ b: to("B") }), B: object({ a: to("A") }) },
      becomes: written(
        { $ref: "#/$defs/A" },
        { A: object({ b: object({ a: { $ref: "#/$defs/A" } }) }) },
      ),
    },
    {
      name: "to a field that only responses have counts for nothing",
      given: object({ id: to("Id"), name: to("Name") }, { required: ["id", "name"] }),
      schemas: { Id: { readOnly: true, type: "string" }, Name: { type: "string" } },
      becomes: written(object({ name: { type: "string" } }, { required: ["name"] })),
    },
    {
      name: "to another document",
      given: { $ref: "https://x.example/schema.json" },
      schemas: {},
      becomes: 'it refers to another document: "https://x.example/schema.json"',
    },
    {
      name: "to nothing",
      given: to("Missing"),
      schemas: {},
      becomes: 'it refers to "#/components/schemas/Missing", which is not there',
    },
    {
      name: "to what every object inherits",
      given: { $ref: "#/components/schemas/constructor/prototype" },
      schemas: {},
      becomes: 'it refers to "#/components/schemas/constructor/prototype", which is not there',
    },
  ])("$name", ({ given, schemas, becomes }) => {
    expect(field(given, schemas)).toEqual(becomes);
  });
});

describe("a body is one argument where it is", () => {
  it.each([
    { name: "a list", schema: { type: "array", items: { type: "string" } } },
    { name: "one of several shapes", schema: { oneOf: [a, b] } },
    { name: "an object of any fields", schema: { type: "object" } },
    {
      name: "an object that needs one field of two",
      schema: object({ a: {}, b: {} }, { minProperties: 1 }),
    },
    {
      name: "an object with other fields",
      schema: { ...a, additionalProperties: { type: "string" } },
    },
  ])("$name", ({ schema }) => {
    expect(sending(schema)).toMatchObject({
      parameters: { properties: { body: schema } },
      request: { in: { body: "wholeBody" } },
    });
  });
});
