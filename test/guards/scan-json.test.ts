import { describe, expect, it } from "vitest";

import { scanJson } from "../../src/guards/scan-json.js";

describe("scanJson", () => {
  it.each([
    { name: "nothing", text: "", ascii: "", bare: "" },
    { name: "plain JSON", text: '{"a": [1]}', ascii: '{"a": [1]}', bare: '{": [1]}' },
    { name: "single quotes", text: "{'a': 'b'}", ascii: '{"a": "b"}', bare: "{': '}" },
    { name: "curly quotes", text: "{“a”: “b”}", ascii: '{"a": "b"}', bare: "{“: “}" },
    {
      name: "a double quote in single ones",
      text: `['"']`,
      ascii: String.raw`["\""]`,
      bare: "[']",
    },
    { name: "an escaped single quote", text: String.raw`['\'']`, ascii: `["'"]`, bare: "[']" },
    {
      name: "an escaped double quote",
      text: String.raw`["\""]`,
      ascii: String.raw`["\""]`,
      bare: '["]',
    },
    { name: "full-width signs", text: "｛a：【1，2】｝", ascii: "{a:[1,2]}", bare: "{a:[1,2]}" },
    { name: "full-width signs in a text", text: '"：，"', ascii: '"：，"', bare: '"' },
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

  it("counts how many brackets were open at once", () => {
    expect(scanJson('[[],{"a":[]}]').depth).toBe(3);
  });
});
