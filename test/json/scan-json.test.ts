import { describe, expect, it } from "vitest";

import { scanJson, unmarked } from "../../src/json/scan-json.js";

/** What stands in the place of a string. */
const marks = (at: number) => `"\u{e000}${at}"`;

describe("scanJson", () => {
  it.each([
    { name: "nothing", text: "", ascii: "", bare: "" },
    { name: "plain JSON", text: '{"a": [1]}', ascii: '{"a": [1]}', bare: `{${marks(0)}: [1]}` },
    {
      name: "single quotes",
      text: "{'a': 'b'}",
      ascii: '{"a": "b"}',
      bare: `{${marks(0)}: ${marks(1)}}`,
    },
    {
      name: "curly quotes",
      text: "{“a”: “b”}",
      ascii: '{"a": "b"}',
      bare: `{${marks(0)}: ${marks(1)}}`,
    },
    {
      name: "a double quote in single ones",
      text: `['"']`,
      ascii: String.raw`["\""]`,
      bare: `[${marks(0)}]`,
    },
    {
      name: "an escaped single quote",
      text: String.raw`['\'']`,
      ascii: `["'"]`,
      bare: `[${marks(0)}]`,
    },
    {
      name: "an escaped double quote",
      text: String.raw`["\""]`,
      ascii: String.raw`["\""]`,
      bare: `[${marks(0)}]`,
    },
    { name: "full-width signs", text: "｛a：【1，2】｝", ascii: "{a:[1,2]}", bare: "{a:[1,2]}" },
    { name: "full-width signs in a text", text: '"：，"', ascii: '"：，"', bare: marks(0) },
    { name: "an apostrophe in a word", text: "{it's: 1}", ascii: "{it's: 1}", bare: "{it's: 1}" },
  ])("writes $name as JSON has it, with strings and without", ({ text, ascii, bare }) => {
    expect(scanJson(text)).toMatchObject({ ascii, bare, isOpen: false });
  });

  it.each([
    { name: "nothing of a whole value", text: '{"a":[1]}', missing: "", isOpen: false },
    { name: "brackets, innermost first", text: '{"a":[{', missing: "}]}", isOpen: false },
    { name: "a text's end", text: '{"a":"b', missing: "}", isOpen: true },
    { name: "a text's end behind a backslash", text: '["a\\', missing: "]", isOpen: true },
    { name: "no bracket that stands in a text", text: '["{["', missing: "]", isOpen: false },
  ])("tells what is missing: $name", ({ text, missing, isOpen }) => {
    expect(scanJson(text)).toMatchObject({ missing, isOpen, end: undefined });
  });

  it.each([
    { name: "an object", text: '{"a":1} x', end: 7 },
    { name: "a list with texts of brackets", text: '["]"] x', end: 5 },
    { name: "full-width braces", text: "｛｝x", end: 2 },
    { name: "one never closed", text: '{"a":1 x', end: undefined },
  ])("finds the end of one value: $name", ({ text, end }) => {
    expect(scanJson(text, 0, true).end).toBe(end);
    expect(scanJson(`x${text}`, 1, true).end).toBe(end === undefined ? end : end + 1);
  });

  it("puts strings back in the places of their marks", () => {
    const { ascii, bare, strings } = scanJson("{'a': [“b”, 'it\\'s']}");
    expect(strings).toEqual(['"a"', '"b"', '"it\'s"']);
    expect(unmarked(bare, strings)).toBe(ascii);
    expect(unmarked(marks(7), strings)).toBe(marks(7));
  });

  it.each([
    { name: "nothing", text: "{'a': [1, {\n}],} // b: c", is: false },
    { name: "a missing bracket", text: '[1, "b": 2}', is: true },
    { name: "a wrong bracket at the end", text: '{"a": [1}]', is: false },
    { name: "a wrong bracket in the midst", text: '{"a": [1}, "b": 1}', is: true },
    { name: "a member behind the end", text: '{"a": 1}, "b": 2', is: true },
    { name: "another object behind it", text: '{"a": 1}\n{"b": 2}', is: false },
    { name: "a quote in a text", text: '{"a": "b" c"}', is: true },
    { name: "an escape that is none", text: String.raw`["\d"]`, is: true },
    { name: "a sign that stands nowhere", text: "{a: <b>}", is: true },
    { name: "the same in a comment", text: "{a: /* <b> */ 1}", is: false },
  ])("tells whether $name tangles it: $is", ({ text, is }) => {
    expect(scanJson(text).isTangled).toBe(is);
  });

  it("counts how many brackets were open at once", () => {
    expect(scanJson('[[],{"a":[]}]').depth).toBe(3);
  });
});
