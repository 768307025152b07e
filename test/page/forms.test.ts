import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/json/json.js";
import { fieldsOf, readForm } from "../../src/page/model/forms.js";

const cases: readonly {
  name: string;
  args: JsonObject;
  schema?: JsonObject;
  typed: Record<string, string>;
  read: JsonObject | Record<string, string>;
  ok?: false;
}[] = [
  { name: "nothing changed", args: { a: "x", n: 5 }, typed: {}, read: { a: "x", n: 5 } },
  { name: "a text", args: { a: "x" }, typed: { a: "y" }, read: { a: "y" } },
  { name: "a text of digits", args: { a: "17" }, typed: { a: "18" }, read: { a: "18" } },
  { name: "a number", args: { n: 5 }, typed: { n: "5.5" }, read: { n: 5.5 } },
  { name: "a flag", args: { f: true }, typed: { f: "false" }, read: { f: false } },
  { name: "an object", args: { o: { a: 1 } }, typed: { o: '{"a":2}' }, read: { o: { a: 2 } } },
  { name: "a text that is emptied", args: { a: "x" }, typed: { a: "" }, read: { a: "" } },
  {
    name: "words in place of a number",
    args: { n: 5 },
    typed: { n: "five" },
    read: { n: "notNumber" },
    ok: false,
  },
  { name: "no number", args: { n: 5 }, typed: { n: " " }, read: { n: "needed" }, ok: false },
  { name: "broken JSON", args: { o: [1] }, typed: { o: "[1" }, read: { o: "notJson" }, ok: false },
  {
    name: "a field of a schema that is not filled in",
    args: {},
    schema: { properties: { a: { type: "string" } }, required: ["a"] },
    typed: {},
    read: { a: "needed" },
    ok: false,
  },
  {
    name: "a field of a schema that may be left out",
    args: {},
    schema: { properties: { a: { type: "string" }, n: { type: "integer" } } },
    typed: { a: "x" },
    read: { a: "x" },
  },
  {
    name: "what was not touched as it was, whatever its schema says",
    args: { level: 2, n: 5, z: null, a: "x" },
    schema: {
      properties: { level: { enum: [1, 2] }, n: { type: ["number", "null"] }, z: {}, a: {} },
    },
    typed: { a: "y" },
    read: { level: 2, n: 5, z: null, a: "y" },
  },
  {
    name: "a choice of numbers, and a number that may be nothing",
    args: { level: 2, n: 5 },
    schema: { properties: { level: { enum: [1, 2] }, n: { type: ["number", "null"] } } },
    typed: { level: "1", n: "6" },
    read: { level: 1, n: 6 },
  },
  {
    name: "a flag that is needed and nobody set",
    args: {},
    schema: { properties: { f: { type: "boolean" } }, required: ["f"] },
    typed: {},
    read: { f: false },
  },
  {
    name: "nothing of what a call left to its tool, whatever its schema has as a default",
    args: { a: "x" },
    schema: {
      properties: { a: {}, n: { type: "integer", default: 3 }, f: { type: "boolean" } },
      required: ["a", "n"],
    },
    typed: { a: "y" },
    read: { a: "y" },
  },
  {
    name: "a choice among alternatives, one of which is nothing",
    args: { day: "today", level: 2 },
    schema: {
      properties: {
        day: { anyOf: [{ enum: ["today", "tomorrow"] }, { type: "null" }] },
        level: {
          oneOf: [
            { const: 1, title: "low" },
            { const: 2, title: "high" },
          ],
        },
      },
    },
    typed: { day: "tomorrow", level: "1" },
    read: { day: "tomorrow", level: 1 },
  },
  {
    name: "a number among alternatives, one of which is nothing",
    args: {},
    schema: { properties: { n: { anyOf: [{ type: "number" }, { type: "null" }] } } },
    typed: { n: "4" },
    read: { n: 4 },
  },
  {
    name: "a choice",
    args: {},
    schema: { properties: { c: { enum: ["s", "m"] } }, required: ["c"] },
    typed: { c: "m" },
    read: { c: "m" },
  },
];

describe("a form", () => {
  it.each(cases)("reads $name", ({ args, schema, typed, read, ok = true }) => {
    const form = readForm(fieldsOf(args, schema), new Map(Object.entries(typed)));
    expect(
      form.ok
        ? { ok: true, read: form.args }
        : { ok: false, read: Object.fromEntries(form.problems) },
    ).toEqual({ ok, read });
  });
});
