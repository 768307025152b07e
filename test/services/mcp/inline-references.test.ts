import { expect, it } from "vitest";

import { inlineReferences } from "../../../src/services/mcp/inline-references.js";

const $ref = "#/$defs/Pet";
const pet = { type: "object", properties: { name: { type: "string" } } };
const tree = { type: "object", properties: { left: { $ref: "#/$defs/Tree" } } };

it.each([
  {
    name: "nothing to inline",
    schema: { $schema: "x", type: "object", $defs: { Pet: pet } },
    read: { type: "object", $defs: { Pet: pet } },
  },
  {
    name: "a definition, everywhere, with what stands beside it",
    schema: {
      type: "object",
      properties: {
        one: { $ref, description: "The one" },
        all: { type: "array", items: { $ref } },
        any: { anyOf: [{ $ref }, { type: "null" }] },
      },
      $defs: { Pet: pet },
    },
    read: {
      type: "object",
      properties: {
        one: { ...pet, description: "The one" },
        all: { type: "array", items: pet },
        any: { anyOf: [pet, { type: "null" }] },
      },
    },
  },
  {
    name: "a definition in another",
    schema: {
      properties: { box: { $ref: "#/definitions/a~1b" } },
      definitions: { "a/b": { items: { $ref: "#/definitions/Pet" } }, Pet: pet },
    },
    read: { properties: { box: { items: pet } } },
  },
  {
    name: "a definition that contains itself",
    schema: { properties: { tree: { $ref: "#/$defs/Tree" } }, $defs: { Tree: tree } },
    read: { properties: { tree: { type: "object", properties: { left: {} } } } },
  },
  {
    name: "a reference to nothing that is here",
    schema: { properties: { far: { $ref: "https://a.example/b" }, no: { $ref: "#/$defs/No" } } },
    read: { properties: { far: { $ref: "https://a.example/b" }, no: { $ref: "#/$defs/No" } } },
  },
  {
    name: "a text that only looks like a reference",
    schema: { properties: { a: { const: '"$ref"' } } },
    read: { properties: { a: { const: '"$ref"' } } },
  },
])("references are inlined: $name", ({ schema, read }) => {
  expect(inlineReferences(schema)).toEqual(read);
});

const at = (level: number) => ({ $ref: `#/$defs/L${level}` });

it("a schema that would grow without bound stays as it is", () => {
  const levels = Array.from({ length: 30 }, (_, level) => [
    `L${level}`,
    { properties: { a: at(level + 1), b: at(level + 1) } },
  ]);
  const schema = { properties: { a: at(0) }, $defs: Object.fromEntries(levels) };
  expect(inlineReferences(schema)).toEqual(schema);
});
