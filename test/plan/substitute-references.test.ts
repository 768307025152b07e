import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { substituteReferences } from "../../src/plan/references.js";

function bound(results: { readonly [id: string]: Json }) {
  return new Map(Object.entries(results));
}

describe("substituteReferences", () => {
  const results = bound({
    E1: 42,
    E2: "two",
    E10: { items: [{ name: "ten", "a b": true }], none: null },
  });

  it.each([
    { name: "the type of a result", arg: "{{E1}}", value: 42 },
    { name: "the type of a part", arg: "{{E10.items[0]}}", value: { name: "ten", "a b": true } },
    { name: "a result that is null", arg: "{{E10.none}}", value: null },
    { name: "a quoted key", arg: '{{E10.items[0]["a b"]}}', value: true },
    { name: "texts in a text as they are", arg: "{{E2}} times {{E1}}", value: "two times 42" },
    {
      name: "other values in a text as JSON",
      arg: "is {{E10.items}}",
      value: 'is [{"name":"ten","a b":true}]',
    },
    { name: "every occurrence", arg: "{{E1}}+{{E1}}+{{E1}}", value: "42+42+42" },
    {
      name: "the longer id beside the shorter",
      arg: "{{E1}}{{E10.items[0].name}}",
      value: "42ten",
    },
    { name: "objects and lists", arg: [{ a: "{{E1}}" }, ["{{E2}}"]], value: [{ a: 42 }, ["two"]] },
    { name: "texts without references", arg: "#E1 for $1 or $100", value: "#E1 for $1 or $100" },
    { name: "values that are no text", arg: { a: [1, true, null] }, value: { a: [1, true, null] } },
  ])("gives $name", ({ arg, value }) => {
    expect(substituteReferences({ arg }, results)).toEqual({ ok: true, args: { arg: value } });
  });

  it.each(["$&", "$$", "$1", "$`", "#E2", "{{E2}}", "{{E1}}", String.raw`\1`])(
    "puts evidence in that says %s as it is",
    (evidence) => {
      const done = substituteReferences(
        { a: "<{{E1}}>", b: "{{E1}}" },
        bound({ E1: evidence, E2: "x" }),
      );
      expect(done).toEqual({ ok: true, args: { a: `<${evidence}>`, b: evidence } });
    },
  );

  it.each([
    { name: "a step without a result", arg: "{{E9}}", problem: "{{E9}}: there is no result of E9" },
    {
      name: "a missing field",
      arg: "{{E10.rows}}",
      problem: '{{E10.rows}}: E10 is an object with "items", "none"',
    },
    {
      name: "a place behind the end",
      arg: "x {{E10.items[3]}}",
      problem: "{{E10.items[3]}}: E10.items is a list of 1, from [0]",
    },
    {
      name: "a field of a list",
      arg: "{{E10.items.name}}",
      problem: "{{E10.items.name}}: E10.items is a list of 1, from [0]",
    },
    { name: "a part of a text", arg: "{{E2[0]}}", problem: '{{E2[0]}}: E2 is the text "two"' },
    { name: "a part of a number", arg: "{{E1.x}}", problem: "{{E1.x}}: E1 is the number 42" },
    { name: "a part of null", arg: "{{E10.none.x}}", problem: "{{E10.none.x}}: E10.none is null" },
    {
      name: "an inherited field",
      arg: "{{E10.constructor}}",
      problem: '{{E10.constructor}}: E10 is an object with "items", "none"',
    },
  ])("tells of $name and what there is", ({ arg, problem }) => {
    expect(substituteReferences({ a: { b: [arg] } }, results)).toEqual({
      ok: false,
      problems: [problem],
    });
  });

  it.each([
    { value: [], is: "an empty list" },
    { value: {}, is: "an empty object" },
    { value: Object.fromEntries("abcdefghij".split("").map((key) => [key, 1])), is: '"g", "h", …' },
    { value: "long ".repeat(100), is: "long long" },
  ])("tells briefly of $is", ({ value, is }) => {
    const done = substituteReferences({ a: "{{E1.x}}" }, bound({ E1: value }));
    expect(done).toEqual({ ok: false, problems: [expect.stringContaining(is)] });
    expect(JSON.stringify(done).length).toBeLessThan(300);
  });

  it("keeps a key named __proto__ a key", () => {
    const args: { readonly [key: string]: Json } = JSON.parse('{"__proto__":"{{E1}}"}');
    const done = substituteReferences(args, results);
    expect(JSON.stringify(done)).toBe('{"ok":true,"args":{"__proto__":42}}');
  });

  it("never reads inserted text again, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("{{E1}}", "{{E2}}", "$&", "#E1"), (noise, mark) => {
        const evidence = `${noise}${mark}${noise}`;
        const done = substituteReferences({ a: "[{{E1}}]" }, bound({ E1: evidence, E2: "wrong" }));
        expect(done).toEqual({ ok: true, args: { a: `[${evidence}]` } });
      }),
    );
  });
});
