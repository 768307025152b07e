import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { argumentForm } from "../../src/prompts/tool-protocol.js";

const text = { type: "string" };

/** The schema of an object with these fields, of which the first is wanted. */
const objectOf = (properties: Readonly<Record<string, object>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties).slice(0, 1),
});

describe("argumentForm", () => {
  it.each([
    { name: "no arguments", schema: objectOf({}), form: "{}" },
    { name: "an object of anything", schema: { type: "object" }, form: "{}" },
    { name: "a text", schema: objectOf({ query: text }), form: '{"query": string}' },
    {
      name: "a field that may be missing",
      schema: objectOf({ a: text, b: { type: "number" } }),
      form: '{"a": string, "b"?: number}',
    },
    {
      name: "whole numbers and yes or no",
      schema: objectOf({ a: { type: "integer" }, b: { type: "boolean" } }),
      form: '{"a": whole number, "b"?: boolean}',
    },
    {
      name: "what a field means",
      schema: objectOf({ a: { ...text, description: "ISO 8601" } }),
      form: '{"a": string (ISO 8601)}',
    },
    {
      name: "one of several words",
      schema: objectOf({ a: { enum: ["x", 1] } }),
      form: '{"a": "x" | 1}',
    },
    { name: "one word", schema: objectOf({ a: { const: "x" } }), form: '{"a": "x"}' },
    {
      name: "a list",
      schema: objectOf({ a: { type: "array", items: text } }),
      form: '{"a": [string, …]}',
    },
    {
      name: "a list of anything",
      schema: objectOf({ a: { type: "array" } }),
      form: '{"a": [any, …]}',
    },
    {
      name: "an object in an object",
      schema: objectOf({ a: objectOf({ b: text }) }),
      form: '{"a": {"b": string}}',
    },
    { name: "anything", schema: objectOf({ a: {} }), form: '{"a": any}' },
    {
      name: "several types, as their schema",
      schema: objectOf({ a: { type: ["string", "null"] } }),
      form: '{"a": {"type":["string","null"]}}',
    },
    {
      name: "a reference, as it is",
      schema: objectOf({ a: { $ref: "#/$defs/a" } }),
      form: '{"a": {"$ref":"#/$defs/a"}}',
    },
    {
      name: "a name with quotes",
      schema: objectOf({ 'a"b': text }),
      form: String.raw`{"a\"b": string}`,
    },
    { name: "no schema", schema: undefined, form: "any" },
  ])("tells $name", ({ schema, form }) => {
    expect(argumentForm(schema)).toBe(form);
  });

  it("leaves the tool's own description to the tool", () => {
    expect(argumentForm({ ...objectOf({}), description: "Searches." })).toBe("{}");
  });

  it("gives what is nested deeper than three as its schema", () => {
    const deep = objectOf({ d: text });
    const schema = objectOf({ a: objectOf({ b: objectOf({ c: deep }) }) });
    expect(argumentForm(schema)).toBe(`{"a": {"b": {"c": ${JSON.stringify(deep)}}}}`);
  });

  it("takes any schema", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        expect(argumentForm(schema)).toBeTypeOf("string");
      }),
    );
  });
});
