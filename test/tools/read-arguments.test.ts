import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseExact } from "../../src/json/exact-json.js";
import { readArguments } from "../../src/tools/read-arguments.js";

const circular: Record<string, unknown> = { a: 1 };
circular["self"] = circular;

describe("readArguments", () => {
  it.each([
    { name: "undefined", raw: undefined, args: {} },
    { name: "null", raw: null, args: {} },
    { name: "an empty text", raw: "", args: {} },
    { name: "blanks", raw: " \n", args: {} },
    { name: "the word null", raw: "null", args: {} },
    { name: "an empty object", raw: {}, args: {} },
    { name: "an object", raw: { a: [1, { b: null }] }, args: { a: [1, { b: null }] } },
    {
      name: "an object with fields that are not there",
      raw: { a: 1, b: undefined },
      args: { a: 1 },
    },
    { name: "a JSON text", raw: '{"a":1}', args: { a: 1 } },
    { name: "a JSON text within a text", raw: JSON.stringify('{"a":1}'), args: { a: 1 } },
    { name: "a fenced text", raw: '```json\n{"a":1}\n```', args: { a: 1 } },
    { name: "pairs of name and value", raw: [{ name: "a", value: 1 }], args: { a: 1 } },
    { name: "such pairs in a text", raw: '[{"name":"a","value":1}]', args: { a: 1 } },
    { name: "a text with slips", raw: "{'a': 1,}", args: { a: 1 } },
  ])("reads $name", ({ raw, args }) => {
    expect(readArguments(raw)).toEqual({ ok: true, args });
  });

  it.each([
    { name: "a list", raw: [1], problem: "expected an object of arguments, got a list ([1])" },
    {
      name: "a list in a text",
      raw: "[1]",
      problem: "expected an object of arguments, got a list ([1])",
    },
    { name: "a number", raw: 3, problem: "got a number (3)" },
    { name: "a number in a text", raw: "3", problem: "got a number (3)" },
    { name: "a word", raw: "Berlin", problem: 'got a string ("Berlin")' },
    { name: "a quoted text of nothing", raw: '""', problem: 'got a string ("")' },
    {
      name: "a text three deep",
      raw: JSON.stringify(JSON.stringify('{"a":1}')),
      problem: "got a string",
    },
    { name: "a cut text", raw: '{"a": "b', problem: "the JSON stops early" },
    { name: "a cut text within a text", raw: JSON.stringify('{"a": "b'), problem: "got a string" },
    { name: "several objects", raw: '{"a":1}\n{"b":2}', problem: "got a list" },
    { name: "a big number", raw: 5n, problem: "got a bigint (not JSON)" },
    { name: "an object that JSON cannot hold", raw: { a: 5n }, problem: "got a object (not JSON)" },
    { name: "a circular object", raw: circular, problem: "(not JSON)" },
    { name: "a date", raw: new Date(0), problem: "got a object" },
    { name: "a function", raw: () => 1, problem: "got a function" },
  ])("refuses $name", ({ raw, problem }) => {
    expect(readArguments(raw)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it("refuses an object nested deeper than can be written", () => {
    const raw = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect(readArguments(raw)).toMatchObject({ ok: false });
  });

  it("quotes at most 80 characters of what came", () => {
    const { problem } = { problem: "", ...readArguments(`"${"x".repeat(5_000)}"`) };
    expect(problem.length).toBeLessThan(200);
  });

  it("reads an object the same, given as such, as a text, and as a text within a text", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object);
        const args = parseExact(text);
        for (const raw of [args, text, JSON.stringify(text)]) {
          expect(readArguments(raw)).toEqual({ ok: true, args });
        }
      }),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (raw) => {
        expect(readArguments(raw)).toHaveProperty("ok");
      }),
    );
  });
});
