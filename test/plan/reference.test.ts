import { describe, expect, it } from "vitest";

import {
  printReference,
  referencesIn,
  replaceReferences,
  unreadableReferencesIn,
  wholeReference,
} from "../../src/plan/step.js";

describe("referencesIn", () => {
  it.each([
    { name: "a bare one", text: "{{E1}}", id: "E1", path: [] },
    { name: "blanks inside the braces", text: "{{ E1 }}", id: "E1", path: [] },
    {
      name: "fields and places",
      text: "{{E1.items[0].name}}",
      id: "E1",
      path: ["items", 0, "name"],
    },
    { name: "a quoted key", text: '{{E1["first name"]}}', id: "E1", path: ["first name"] },
    {
      name: "a quoted key with a quote",
      text: String.raw`{{E1["a\"b"]}}`,
      id: "E1",
      path: ['a"b'],
    },
    { name: "a key in single quotes", text: "{{E1['a.b']}}", id: "E1", path: ["a.b"] },
    { name: "a key with a hyphen", text: "{{E1.last-name}}", id: "E1", path: ["last-name"] },
    { name: "an id of words", text: "{{步骤_1}}", id: "步骤_1", path: [] },
  ])("reads $name", ({ text, id, path }) => {
    expect(referencesIn({ a: text })).toEqual([{ text, id, path }]);
    expect(wholeReference(text)).toEqual({ text, id, path });
  });

  it.each([
    "{{}}",
    "{{1}}",
    "{{E1",
    "{E1}",
    "{{E1.}}",
    "{{E1[x]}}",
    "{{today() - 7}}",
    "#E1",
    "$1",
  ])("reads none in %s", (text) => {
    expect(referencesIn([text])).toEqual([]);
    expect(wholeReference(text)).toBeUndefined();
  });

  it("finds them in texts, objects and lists, in order and as often as they stand there", () => {
    const args = { a: "{{E2}} and {{E1}}", b: [{ c: "{{E10.x}}" }, 3, null, ["{{E1}}"]] };
    expect(referencesIn(args).map(({ id }) => id)).toEqual(["E2", "E1", "E10", "E1"]);
  });

  it("reads no keys", () => {
    expect(referencesIn({ "{{E1}}": "x" })).toEqual([]);
  });
});

describe("unreadableReferencesIn", () => {
  it.each([
    { text: "{{today() - 7}}", found: ["{{today() - 7}}"] },
    { text: "from {{E1}} to {{E1..x}}", found: ["{{E1..x}}"] },
    { text: "{{E1}} {a} }} {{", found: [] },
  ])("finds what is between braces and no reference in $text", ({ text, found }) => {
    expect(unreadableReferencesIn({ a: [text] })).toEqual(found);
  });
});

describe("printReference", () => {
  it.each([
    { reference: { id: "E1", path: [] }, text: "{{E1}}" },
    { reference: { id: "E1", path: ["items", 0, "name"] }, text: "{{E1.items[0].name}}" },
    { reference: { id: "E1", path: ["a b", "0"] }, text: '{{E1["a b"]["0"]}}' },
  ])("writes $text, which reads the same again", ({ reference, text }) => {
    expect(printReference(reference)).toBe(text);
    expect(wholeReference(text)).toEqual({ ...reference, text });
  });
});

it("replaces every reference once and reads nothing that is put in", () => {
  const replaced = replaceReferences("{{E1}}, {{E2}}, {{E1}}", ({ id }) => `$& {{E2}} ${id}`);
  expect(replaced).toBe("$& {{E2}} E1, $& {{E2}} E2, $& {{E2}} E1");
});
