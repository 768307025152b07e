import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseExact } from "../../src/json/exact-json.js";
import { findJson } from "../../src/json/find-json.js";

const values = (text: string) => findJson(text).found.map(({ value }) => value);

/** Words without anything that opens or closes JSON. */
const prose = fc.string({ unit: fc.constantFrom(...Array.from("abc .,:!?\n*_-#01")) });

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("findJson", () => {
  it.each([
    { name: "nothing in prose", text: "It is 42.", found: [] },
    { name: "nothing in no text", text: "", found: [] },
    { name: "an object", text: '{"a":1}', found: [{ a: 1 }] },
    { name: "a list", text: "[1, 2]", found: [[1, 2]] },
    { name: "one between words", text: 'So: {"a":1}. Right?', found: [{ a: 1 }] },
    {
      name: "several in their order",
      text: '{"a":1} {"b":2}\n[3]',
      found: [{ a: 1 }, { b: 2 }, [3]],
    },
    { name: "no part of another", text: '{"a":{"b":[1]}}', found: [{ a: { b: [1] } }] },
    { name: "one in a fence", text: '```json\n{"a":1}\n```', found: [{ a: 1 }] },
    { name: "one in tags", text: '<call>{"a":1}</call>', found: [{ a: 1 }] },
    { name: "brackets within a text", text: '{"a":"}{ ]["}', found: [{ a: "}{ ][" }] },
    {
      name: "quotes within a text",
      text: String.raw`{"a":"say \"}\""}`,
      found: [{ a: 'say "}"' }],
    },
    { name: "single quotes", text: "it's {'a': 'b'}", found: [{ a: "b" }] },
    { name: "full-width signs", text: "好：｛“a”：“b”｝", found: [{ a: "b" }] },
    { name: "what follows braces that are none", text: 'Use {x}: {"a":1}', found: [{ a: 1 }] },
    { name: "one whose last bracket is missing", text: '{"a":{"b":1}', found: [{ a: { b: 1 } }] },
    { name: "the same in a fence", text: '```json\n{"a":["b"\n```', found: [{ a: ["b"] }] },
    { name: "the same before prose", text: '{"a":{"b":1} and so on', found: [{ a: { b: 1 } }] },
    { name: "one that lacks brackets behind a word", text: '{"a": true', found: [{ a: true }] },
    { name: "the same of Python", text: "{'a': None", found: [{ a: null }] },
    { name: "one with brackets in a comment", text: '{ // }"{\n"a":1}', found: [{ a: 1 }] },
  ])("finds $name", ({ text, found }) => {
    expect(values(text)).toEqual(found);
  });

  it.each([
    { name: "inside a text", text: '{"a":"b' },
    { name: "inside a number", text: '{"a":12' },
    { name: "inside a number before blanks", text: '{"a":12  \n' },
    { name: "inside a word", text: '{"a":tru' },
    { name: "inside a word without quotes", text: '{"a":fal' },
    { name: "behind a key", text: '{"a":"b","c"' },
    { name: "behind a colon", text: '{"a":"b","c":' },
    { name: "behind a comma", text: '{"a":"b",' },
    { name: "before a member that follows an inner one", text: '{"a":{"b":"c"},' },
  ])("does not complete what stops $name", ({ text }) => {
    expect(findJson(text)).toMatchObject({
      problem: expect.stringMatching(/^the JSON stops early/),
    });
    expect(values(text)).not.toContainEqual(expect.objectContaining({ a: expect.anything() }));
  });

  it("tells where each stands, and how many brackets it lacked", () => {
    const text = 'So {"a":1} and {"b":2';
    expect(findJson(`${text}"`).found).toEqual([
      { start: 3, end: 10, value: { a: 1 }, missing: 0, place: "alone" },
    ]);
    expect(findJson('So [1] and {"b":"2"').found).toEqual([
      { start: 3, end: 6, value: [1], missing: 0, place: "alone" },
      { start: 11, end: 19, value: { b: "2" }, missing: 1, place: "alone" },
    ]);
  });

  it("tells what stands inside something that could not be read, and what was wrong with that", () => {
    expect(findJson('{"a":{"b":1},"c":} {"d":2}')).toEqual({
      found: [
        expect.objectContaining({ value: { b: 1 }, place: "member" }),
        expect.objectContaining({ value: { d: 2 }, place: "alone" }),
      ],
      problem: expect.stringMatching(/leaves a value out.*"c":\}/),
    });
  });

  it.each([
    { name: "alone", text: 'So: {"a":1}, "or" not', place: "alone" },
    { name: "behind a key", text: 'n": "x", "input": {"a":1}', place: "member" },
    { name: "before more members", text: '{"a":1}}, "b": 2}', place: "member" },
    { name: "before more in Chinese signs", text: "{“a”：1}，“b”：2}", place: "member" },
    { name: "before more behind a quote", text: "{“a”：1}”，“b”：2}", place: "member" },
    { name: "behind half a key", text: '{"b:{"a":1},"c":}', place: "member" },
    { name: "in a list that breaks off", text: '[{"a":1},{"b":', place: "element" },
    { name: "in a brace too many", text: '{{"a":1}}', place: "element" },
  ])("tells that an object stands $name", ({ text, place }) => {
    expect(findJson(text).found).toEqual([expect.objectContaining({ value: { a: 1 }, place })]);
  });

  it("says what is wrong where a part stands alone", () => {
    expect(findJson('n": {"a":1}').problem).toMatch(/do not match: "n": \{"a":1\}"$/);
  });

  it("keeps what is wrong with the first of several", () => {
    expect(findJson('{"a":} {"b":').problem).toContain('{"a":}');
  });

  it("finds any object that stands between two pieces of prose", () => {
    fc.assert(
      fc.property(
        prose,
        fc.dictionary(fc.string(), fc.jsonValue()),
        prose,
        (before, value, after) => {
          const json = JSON.stringify(value);
          const { found, problem } = findJson(`${before}${json}${after}`);
          const { start, end } = { start: before.length, end: before.length + json.length };
          expect(problem).toBe(undefined);
          expect(found).toEqual([
            { start, end, value: parseExact(json), missing: 0, place: "alone" },
          ]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("never throws, and tells places that are there", () => {
    const unit = fc.constantFrom(...Array.from("{}[]:,\"'“”｛】\\.… a1\n`"));
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        for (const { start, end } of findJson(text).found) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("does not read what is nested deeper than anybody means", () => {
    expect(findJson(nested(200)).problem).toBe(undefined);
    expect(findJson(nested(20_000)).problem).toBe("the JSON is nested too deeply");
  });

  it("reads past words in braces, and says what is wrong with the first", () => {
    const { found, problem } = findJson('Send {{E1}} and {E2}, { "a" } and then {"b":1}.');
    expect(found.map(({ value }) => value)).toEqual([{ b: 1 }]);
    expect(problem).toContain("{{E1}}");
  });

  // Quadratic time would run into the test's time-out.
  it.each([
    { name: "an open brace before blank lines", text: `{${"\n".repeat(200_000)}x` },
    { name: "an open fence before blank lines", text: `\`\`\`json\n{${" ".repeat(200_000)}x` },
    { name: "many open brackets", text: "[".repeat(200_000) },
    { name: "many open braces in prose", text: "{ x ".repeat(100_000) },
    { name: "many objects behind a broken one", text: `{"a":}${'{"a":1}} '.repeat(100_000)}` },
    { name: "a long cut text", text: `{"a":"${"x".repeat(3_000_000)}` },
  ])("is quick about $name", ({ text }) => {
    expect(findJson(text)).toHaveProperty("problem");
  });
});
