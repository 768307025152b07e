import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";

import { argumentSchema, type JsonSchema } from "../../src/tools/argument-schema.js";
import { coerceArguments } from "../../src/tools/read-arguments.js";
import { zod3 } from "../support/zod-3.js";

const field = (schema: JsonSchema, required: readonly string[] = ["x"]): JsonSchema => ({
  type: "object",
  properties: { x: schema },
  required,
});
const number = { type: "number" };
const text = { type: "string" };

describe("coerceArguments", () => {
  it.each<{ name: string; schema: JsonSchema; given: unknown; value: unknown }>([
    { name: "a number written as a text", schema: number, given: "3", value: 3 },
    { name: "a negative fraction with blanks", schema: number, given: " -2.5 ", value: -2.5 },
    { name: "a whole number written as a text", schema: { type: "integer" }, given: "3", value: 3 },
    { name: "digits in groups", schema: number, given: "1,234,567", value: 1_234_567 },
    { name: "digits in groups, a fraction", schema: number, given: "-1,234.5", value: -1234.5 },
    { name: "true as a text", schema: { type: "boolean" }, given: "True", value: true },
    { name: "false as a text", schema: { type: "boolean" }, given: "false", value: false },
    { name: "a number where a text is asked", schema: text, given: 3, value: "3" },
    { name: "a fraction where a text is asked", schema: text, given: 0.5, value: "0.5" },
    {
      name: "a number where a text or null is asked",
      schema: { type: ["string", "null"] },
      given: 3,
      value: "3",
    },
    {
      name: "a number as text where a number or null is asked",
      schema: { anyOf: [number, { type: "null" }] },
      given: "3",
      value: 3,
    },
    {
      name: "an object as a text, its case kept",
      schema: { type: "object" },
      given: '{"A":"B"}',
      value: { A: "B" },
    },
    {
      name: "a list as a text",
      schema: { type: "array", items: number },
      given: '["1",2]',
      value: [1, 2],
    },
    {
      name: "the items of a list",
      schema: { type: "array", items: number },
      given: ["1", "2"],
      value: [1, 2],
    },
    {
      name: "what lies deeper",
      schema: { type: "array", items: field(number) },
      given: [{ x: "1" }],
      value: [{ x: 1 }],
    },
    {
      name: "an object within a text within an object",
      schema: field(number),
      given: '{"x":"1"}',
      value: { x: 1 },
    },
  ])("turns $name into what is asked", ({ schema, given, value }) => {
    expect(coerceArguments({ x: given }, field(schema))).toEqual({ x: value });
  });

  it.each<{ name: string; schema: JsonSchema; given: unknown }>([
    { name: "a word where a number is asked", schema: number, given: "three" },
    { name: "a number with a unit", schema: number, given: "3 km" },
    {
      name: "a text where a text or a number is asked",
      schema: { type: ["string", "number"] },
      given: "3",
    },
    { name: "a text where anything is asked", schema: {}, given: "3" },
    { name: "yes where a boolean is asked", schema: { type: "boolean" }, given: "yes" },
    { name: "1 where a boolean is asked", schema: { type: "boolean" }, given: 1 },
    { name: "a boolean where a text is asked", schema: text, given: true },
    { name: "a text where a list is asked", schema: { type: "array" }, given: "a" },
    { name: "a list where an object is asked", schema: { type: "object" }, given: "[1]" },
    { name: "an object where a list is asked", schema: { type: "array" }, given: { a: 1 } },
    { name: "null where a number is asked", schema: number, given: null },
    {
      name: "the word null where a number is asked",
      schema: { type: ["number", "null"] },
      given: "null",
    },
    {
      name: "a number of more digits than it keeps, where a text is asked",
      schema: text,
      given: 12_345_678_901_234_567_168,
    },
    { name: "a number too large to write, where a text is asked", schema: text, given: 1e30 },
  ])("leaves $name as it is", ({ schema, given }) => {
    expect(coerceArguments({ x: given }, field(schema))).toEqual({ x: given });
  });

  it.each<{ name: string; schema: JsonSchema; required: readonly string[]; args: unknown }>([
    { name: "leaves out null for what is optional", schema: number, required: [], args: {} },
    {
      name: "leaves out null for what has a default",
      schema: { ...number, default: 5 },
      required: ["x"],
      args: {},
    },
    { name: "keeps null for what is required", schema: number, required: ["x"], args: { x: null } },
    {
      name: "keeps null where it is a value",
      schema: { type: ["number", "null"] },
      required: [],
      args: { x: null },
    },
    {
      name: "keeps null where it is one of several values",
      schema: { anyOf: [number, { type: "null" }] },
      required: [],
      args: { x: null },
    },
  ])("$name", ({ schema, required, args }) => {
    expect(coerceArguments({ x: null }, field(schema, required))).toEqual(args);
  });

  it.each([
    { name: "zod 4", schema: z.object({ x: z.number().default(5), y: z.string().optional() }) },
    {
      name: "zod 3",
      schema: zod3(z3.object({ x: z3.number().default(5), y: z3.string().optional() })),
    },
  ])("leaves out null for optional and default arguments of $name", ({ schema }) => {
    const json = argumentSchema({ schema });
    expect(coerceArguments({ x: null, y: null }, json)).toEqual({});
  });

  const shapes: JsonSchema = {
    anyOf: [
      { type: "object", properties: { kind: { const: "n" }, v: number }, required: ["kind"] },
      { type: "object", properties: { kind: { const: "t" }, v: text }, required: ["kind"] },
    ],
  };
  it.each([
    { name: "the first shape", given: { kind: "n", v: "3" }, value: { kind: "n", v: 3 } },
    { name: "the second shape", given: { kind: "t", v: 3 }, value: { kind: "t", v: "3" } },
    {
      name: "a value that fits already",
      given: { kind: "t", v: "3" },
      value: { kind: "t", v: "3" },
    },
    { name: "none of the shapes", given: { kind: "z", v: "3" }, value: { kind: "z", v: "3" } },
  ])("goes by the constant that names $name", ({ given, value }) => {
    expect(coerceArguments({ x: given }, field(shapes))).toEqual({ x: value });
  });

  it("changes nothing where several lists or shapes are allowed alike", () => {
    const lists = {
      anyOf: [
        { type: "array", items: text },
        { type: "array", items: number },
      ],
    };
    expect(coerceArguments({ x: [1, 2] }, field(lists))).toEqual({ x: [1, 2] });
    const objects = { anyOf: [field(text), field(number)] };
    expect(coerceArguments({ x: { x: 1 } }, field(objects))).toEqual({ x: { x: 1 } });
  });

  it("keeps arguments that the schema does not know, whatever their names", () => {
    const given: unknown = JSON.parse('{"x":1,"y":"2","constructor":null,"__proto__":{"z":1}}');
    expect(coerceArguments(given, field(number))).toEqual(given);
  });

  it("leaves arguments that fit as they are, and does its work in one go", () => {
    const schema = argumentSchema({
      schema: z.object({
        n: z.number().optional(),
        t: z.string().nullish(),
        l: z.array(z.object({ b: z.boolean() })).optional(),
      }),
    });
    const fitting = fc.record(
      {
        n: fc.double({ noNaN: true, noDefaultInfinity: true }),
        t: fc.option(fc.string()),
        l: fc.array(fc.record({ b: fc.boolean() })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fitting, (args) => {
        expect(coerceArguments(args, schema)).toEqual(args);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("n", "t", "l"), fc.jsonValue()), (args) => {
        const once = coerceArguments(args, schema);
        expect(coerceArguments(once, schema)).toEqual(once);
      }),
    );
  });
});
