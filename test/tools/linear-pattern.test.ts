import { DynamicStructuredTool, tool as toolOf } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { expect, it } from "vitest";
import { z } from "zod";

import { serviceTools } from "../../src/services/index.js";

import { checkArguments } from "../../src/tools/check-arguments.js";
import {
  linearPattern,
  uncheckedPatterns,
  uncheckedPatternsOf,
} from "../../src/tools/linear-pattern.js";

const texts = [
  ...Array.from("aZ5_-.é中٣😀 \t\n\r[]&:\\/\b\u0001\u00a0\u2028\ufeff"),
  "ab",
  "a\n",
  "E12",
  "2026-11-22",
  "[:alpha:]",
  "",
];

it.each([
  "b",
  "^a$",
  "^.$",
  "^[^]$",
  "[]",
  "^\\s$",
  "^\\S$",
  "^[\\s\\d]$",
  "^[^\\S]$",
  "^[\\S]$",
  "^\\d+$",
  "^\\w$",
  "^\\W$",
  "a\\b",
  "^[\\b]$",
  "^\\p{L}$",
  "^\\P{L}$",
  "^\\p{Lu}",
  "^\\p{Script=Han}$",
  "^\\p{gc=Lu}",
  "^\\u00e9$",
  "^\\u{1F600}$",
  "^\\uD83D\\uDE00$",
  "^\\cA$",
  "^[\\]\\[]$",
  "^[[:alph]$",
  "^[a&&b]$",
  "^[a-z&&[b]$",
  "^[\\w-]+$",
  "^\\/|\\\\$",
  "^(?:[A-Z]\\d{1,3}|\\d{4}(-\\d{2}){2})$",
  "^(?<year>\\d{4})",
])("matches %s as JavaScript does", (pattern) => {
  const own = new RegExp(pattern, "u");
  const engine = linearPattern(pattern);
  expect(texts.filter((text) => engine?.test(text))).toEqual(
    texts.filter((text) => own.test(text)),
  );
});

it.each([
  { pattern: "^(?=.*\\d)a", why: "looks ahead" },
  { pattern: "(?<!a)b", why: "looks behind" },
  { pattern: "(a)\\1", why: "refers to a group" },
  { pattern: "(?<n>a)\\k<n>", why: "refers to a named group" },
  { pattern: "^a{1,5000}$", why: "repeats too often" },
  { pattern: "a".repeat(3_000), why: "is too long" },
])("leaves a pattern that $why to the service", async ({ pattern }) => {
  expect(linearPattern(pattern)).toBeUndefined();
  const schema = { type: "object", properties: { id: { type: "string", pattern } } };
  expect(uncheckedPatterns(schema)).toEqual([pattern]);
  expect(await checked(schema, { id: "zzz" })).toBeUndefined();
});

it.each(["(", "(?i)a", "\\Aa", "[[:alpha:]]", "\\z", "a{2,1}"])("takes no %s", (pattern) => {
  expect(linearPattern(pattern)).toBeUndefined();
  expect(uncheckedPatterns({ pattern })).toEqual([]);
});

function checked(parameters: object, args: object): Promise<string | undefined> {
  const schema = toJsonSchema({ type: "object", ...parameters });
  const tool = new DynamicStructuredTool({
    name: "t",
    description: "t",
    schema,
    func: async () => "",
  });
  return checkArguments(tool, args);
}

const code = { type: "string", pattern: "^[A-Z]+$" };

it.each([
  { name: "a field", schema: { properties: { a: code } }, good: { a: "AB" }, bad: { a: "ab" } },
  {
    name: "the items of a list",
    schema: { properties: { a: { type: "array", items: code } } },
    good: { a: ["A", "B"] },
    bad: { a: ["A", "b"] },
  },
  {
    name: "a reference",
    schema: { properties: { a: { $ref: "#/$defs/pattern" } }, $defs: { pattern: code } },
    good: { a: "A" },
    bad: { a: "b" },
  },
  {
    name: "a reference to a place of its own",
    schema: {
      properties: { a: { $ref: "#/components/schemas/code" } },
      components: { schemas: { code } },
    },
    good: { a: "A" },
    bad: { a: "b" },
  },
  {
    name: "one of several",
    schema: { properties: { a: { oneOf: [code, { type: "string", pattern: "^\\d+$" }] } } },
    good: { a: "12" },
    bad: { a: "a1" },
  },
  {
    name: "what must not be",
    schema: { properties: { a: { not: code } } },
    good: { a: "a" },
    bad: { a: "A" },
  },
  {
    name: "the names of fields",
    schema: { propertyNames: { pattern: "^[a-z]+$" } },
    good: { ab: 1 },
    bad: { a1: 1 },
  },
  {
    name: "fields by their names",
    schema: { patternProperties: { "^n_": { type: "number" } }, additionalProperties: false },
    good: { "n_(a": 1 },
    bad: { "n_(a": "x" },
  },
  {
    name: "fields that no pattern names",
    schema: { patternProperties: { "^n_": { type: "number" } }, additionalProperties: false },
    good: {},
    bad: { other: 1 },
  },
  {
    name: "a field that is called pattern",
    schema: { properties: { pattern: { type: "string" } }, required: ["pattern"] },
    good: { pattern: "(" },
    bad: { pattern: 1 },
  },
  {
    name: "a value that looks like a schema",
    schema: { properties: { a: { enum: [{ pattern: "x" }] } } },
    good: { a: { pattern: "x" } },
    bad: { a: {} },
  },
])("holds $name to its pattern", async ({ schema, good, bad }) => {
  expect(await checked(schema, good)).toBeUndefined();
  expect(await checked(schema, bad)).toContain("do not fit");
});

it("says that a text does not match", async () => {
  expect(await checked({ properties: { a: code } }, { a: "ab" })).toContain(
    '- a: expected string, got "ab". String does not match pattern.',
  );
});

it.each(["^(\\w+\\s?)+$", "^(a+)+$", "^(a|aa)+$", "^(.*a){20}$"])("ends on %s", async (pattern) => {
  for (const length of [50, 10_000]) {
    const args = { a: `${"a".repeat(length)}!`, [`${"a".repeat(length)}!`]: 1 };
    const schema = { properties: { a: { type: "string", pattern } } };
    expect(await checked({ ...schema, patternProperties: { [pattern]: {} } }, args)).toContain(
      "does not match",
    );
  }
});

it("leaves a text in the format url, which the validator reads in exponential time, to the service", async () => {
  const schema = { properties: { a: { type: "string", format: "url" } } };
  expect(await checked(schema, { a: `http://${"a".repeat(60)}!` })).toBeUndefined();
});

it("tells which patterns of tools nobody checks", () => {
  const patterns = { ahead: "^(?!x)a", checked: "^a+$" };
  const tools = serviceTools([
    {
      name: "find",
      description: "Finds.",
      request: { url: "https://api.test/find" },
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(patterns).map(([name, pattern]) => [name, { type: "string", pattern }]),
        ),
      },
    },
  ]);
  const own = toolOf(() => "", {
    name: "own",
    description: "Mine.",
    schema: z.object({ item: z.string().regex(/^(?!x)a/) }),
  });
  expect(uncheckedPatternsOf([...tools, own])).toEqual([{ tool: "find", pattern: "^(?!x)a" }]);
});
