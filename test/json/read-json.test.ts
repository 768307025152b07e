import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseExact } from "../../src/json/exact-json.js";
import { readJson } from "../../src/json/read-json.js";

const fullWidth: { readonly [char: string]: string } = {
  "{": "｛",
  "}": "｝",
  ":": "：",
  ",": "，",
  "[": "【",
  "]": "】",
};

const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });

describe("readJson", () => {
  it("reads every JSON text without repair", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ ok: true, value: parseExact(text), repaired: false });
      }),
    );
  });

  it.each([
    { name: "a fence", text: '```json\n{"a": 1}\n```', value: { a: 1 } },
    { name: "a fence without a language", text: '```\n{"a": 1}```', value: { a: 1 } },
    { name: "a fence around a slip", text: "```json\n{'a': 1,}\n```", value: { a: 1 } },
    {
      name: "back-ticks within a text",
      text: '{"a": "```js\\nx\\n```"}',
      value: { a: "```js\nx\n```" },
    },
    { name: "single quotes", text: "{'a': 'b'}", value: { a: "b" } },
    {
      name: "a double quote in single ones",
      text: `{'a': 'it is "b"'}`,
      value: { a: 'it is "b"' },
    },
    { name: "an escaped single quote", text: "{'a': 'it\\'s'}", value: { a: "it's" } },
    { name: "an apostrophe in double quotes", text: `{"a": "it's",}`, value: { a: "it's" } },
    { name: "curly quotes", text: "{“a”: “b”}", value: { a: "b" } },
    { name: "single curly quotes", text: "{‘a’: ‘b’}", value: { a: "b" } },
    { name: "trailing commas", text: '{"a": [1, 2,],}', value: { a: [1, 2] } },
    { name: "keys without quotes", text: "{a: 1}", value: { a: 1 } },
    {
      name: "Python's words",
      text: "{'a': True, 'b': False, 'c': None}",
      value: { a: true, b: false, c: null },
    },
    { name: "a line break within a text", text: '{"a": "x\ny"}', value: { a: "x\ny" } },
    { name: "a comment", text: '{"a": 1 /* one */}', value: { a: 1 } },
    {
      name: "comments with quotes and brackets",
      text: "{ // it's {\n'a': 1 /* \"}\" */}",
      value: { a: 1 },
    },
    { name: "an address in a text", text: "{'a': 'https://x.org'}", value: { a: "https://x.org" } },
    { name: "back-ticks for quotes", text: '{"a": `b`}', value: { a: "b" } },
    {
      name: "a backslash before a sign",
      text: String.raw`{"a": "\(x\)"}`,
      value: { a: String.raw`\(x\)` },
    },
    { name: "a no-break space", text: '{"a":\u00a0"b" }', value: { a: "b" } },
    {
      name: "lines without commas",
      text: '{"a": 1\n"b": ["x"\n"/* y */"]}',
      value: { a: 1, b: ["x", "/* y */"] },
    },
    {
      name: "members without commas",
      text: '{"a": "x" "b": 1 "c": [2] "d": {} “e”: "y"}',
      value: { a: "x", b: 1, c: [2], d: {}, e: "y" },
    },
    {
      name: "hash comments",
      text: '{ # as asked\n"a": "x", # it\'s "x"\n"b": [1] # one\n}',
      value: { a: "x", b: [1] },
    },
    { name: "brackets of the other kind at the end", text: '{"a": [1}]', value: { a: [1] } },
    { name: "one brace too many", text: '{"a": 1}}', value: { a: 1 } },
    {
      name: "Chinese punctuation",
      text: "｛“城市”：“北京”，“天数”：3｝",
      value: { 城市: "北京", 天数: 3 },
    },
    {
      name: "Chinese punctuation within texts, which stays",
      text: '{"q": "他说“好，行：走”",}',
      value: { q: "他说“好，行：走”" },
    },
    { name: "Chinese brackets", text: "【1，2】", value: [1, 2] },
  ])("reads $name", ({ text, value }) => {
    const read = readJson(text);
    expect(read).toMatchObject({ ok: true });
    expect(read).toHaveProperty("value", value);
  });

  it.each([
    { name: "nothing", text: "" },
    { name: "blanks", text: " \n " },
    { name: "a brace", text: "{" },
    { name: "an open text", text: '{"a": "b' },
    { name: "an open text that ends in braces", text: '{"a": "b}}' },
    { name: "an open text behind escaped quotes", text: String.raw`{"a": "say \"b}` },
    { name: "an open text that ends in a backslash", text: '{"a": "b\\' },
    { name: "an open list", text: '{"a": [1, 2}' },
    { name: "an open text in single quotes", text: "{'a': 'b}" },
    { name: "an open text in curly quotes", text: "{“a”: “b}" },
    { name: "an open Chinese brace", text: '｛"a"：1' },
    { name: "a cut text in an open fence", text: '```json\n{"a": 1' },
    { name: "a missing value", text: '{"a": }' },
    { name: "a missing value amid others", text: '{"a": , "b": 1}' },
    { name: "an ellipsis for values", text: '{"a": [1, 2, ...]}' },
    { name: "an ellipsis character for values", text: '{"a": [1, …]}' },
    { name: "a missing element", text: '{"a": [, 1]}' },
    { name: "a missing bracket amid others", text: '{"a": ["x", "b": 1}' },
    { name: "a bracket of the other kind amid others", text: '{"a": [1}, "b": 1}' },
    { name: "a bracket too many amid others", text: '{"a": {}}, "b": 1}' },
    { name: "quotes within a text", text: '{"a": "say "go", then"}' },
    { name: "quotes of which one is missing", text: '{"a: "b", "c": "d"}' },
    { name: "apostrophes in single quotes", text: "{'a': 'it's'}" },
    { name: "Chinese quotes within a text", text: "{“a”: “他说“好”，走”}" },
    { name: "a path with single backslashes", text: String.raw`{"a": "C:\data\new"}` },
    { name: "texts without a comma", text: '{"a": ["x" "y"]}' },
    { name: "a key without a colon", text: '{"a" "b": 1}' },
    { name: "a text with quotes that is no member", text: '{"a": "x" "b c?": 1}' },
    { name: "texts without blanks between them", text: '{"a": "x""b": 1}' },
    { name: "words behind a hash", text: '{"a": [\n#tea,\n#oats\n]}' },
    { name: "a hash within a text without quotes", text: '{"a": tea # 3\n}' },
    { name: "texts that are added", text: '{"a": "x" + "y"}' },
    { name: "escaped quotes around all", text: String.raw`{\"a\": 1}` },
    { name: "a fence that was never opened", text: '{"a": ["["]}\n```' },
    { name: "an open comment", text: '{"a": 1 /* b }' },
    { name: "two objects", text: '{"a":1}{"b":2}' },
    { name: "prose before", text: 'Sure: {"a":1}' },
    { name: "prose behind", text: '{"a":1} as you asked' },
    { name: "sums", text: '{"a": 2+3}' },
  ])("does not guess: $name", ({ text }) => {
    expect(readJson(text)).toMatchObject({ ok: false });
  });

  it.each([
    { name: "stops early", text: '{"a": "b', problem: 'the JSON stops early: "{"a": "b"' },
    {
      name: "leaves a value out",
      text: '{"a": }',
      problem: 'the JSON leaves a value out: "{"a": }"',
    },
    {
      name: "stops early, of a long text the end",
      text: `{"a": "${"x".repeat(500)}`,
      problem: `stops early: "…${"x".repeat(120)}"`,
    },
    { name: "is something else", text: 'Sure: {"a":1}', problem: 'the text was "Sure: {"a":1}"' },
  ])("says that the text $name", ({ text, problem }) => {
    expect(readJson(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it("quotes a long text around the place where it broke", () => {
    const text = `{"a": "${"x".repeat(500)}", "b": 2+3, "c": "${"y".repeat(500)}"}`;
    const read = readJson(text);
    expect(read).toMatchObject({ ok: false });
    expect(read).toHaveProperty("problem", expect.stringMatching(/it breaks at character 51\d/));
    expect(read).toHaveProperty(
      "problem",
      expect.stringMatching(/in the middle of "…x+", "b": 2\+3.*y…"$/),
    );
  });

  it("never repairs an object that stops in the middle", () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.constantFrom(undefined, 2), (value, cut, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(readJson(text.slice(0, cut % text.length))).toMatchObject({ ok: false });
      }),
      { numRuns: 2_000 },
    );
  });

  it("never repairs one that stops in the middle and has slips of form besides", () => {
    const slips = fc.constantFrom<(text: string) => string>(
      (text) => text.replaceAll("'", "").replaceAll('"', "'"),
      (text) => text.replaceAll(/[{}:,[\]]/g, (char) => fullWidth[char] ?? char),
      (text) => text.replaceAll(/}$/g, ",}"),
      (text) => text.replaceAll(/"([a-z]*)"/g, "“$1”"),
    );
    const plain = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), fc.nat(), fc.array(fc.boolean())),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(plain, slips, fc.nat(), (value, slip, cut) => {
        const text = slip(JSON.stringify(value));
        expect(readJson(text)).toMatchObject({ ok: true, value });
        expect(readJson(text.slice(0, cut % text.length))).toMatchObject({ ok: false });
      }),
      { numRuns: 2_000 },
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("{}[]:,\"'“”\\.… a1\n`")) }),
        (text) => {
          expect(readJson(text)).toHaveProperty("ok");
        },
      ),
      { numRuns: 2_000 },
    );
  });

  // Quadratic time would run into the test's time-out.
  it.each([
    {
      name: "a long cut text of escaped quotes",
      text: `{"a":"${String.raw`\"xy`.repeat(300_000)}`,
    },
    { name: "a very long cut text", text: `{"a":"${"x".repeat(5_000_000)}` },
    { name: "many open brackets", text: "[".repeat(200_000) },
    { name: "lines of prose", text: "Action: search\n".repeat(50_000) },
    { name: "lines in brackets", text: `{${"a\n".repeat(200_000)}}` },
    { name: "an open fence before blank lines", text: `\`\`\`json${"\n".repeat(200_000)}{"a"` },
  ])("is quick about $name", ({ text }) => {
    expect(readJson(text)).toMatchObject({ ok: false });
  });
});
