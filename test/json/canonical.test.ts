import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { canonicalJson } from "../../src/json/json.js";

/** The same value with the keys of all its objects the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toReversed();
  return Object.fromEntries(fields.map(([key, field]) => [key, reversed(field)]));
}

describe("canonicalJson", () => {
  it("gives equal texts for values that differ in the order of keys only", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it("loses nothing, so that different values give different texts", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    { name: "nested keys", value: { b: { d: 1, c: 2 }, a: 0 }, text: '{"a":0,"b":{"c":2,"d":1}}' },
    { name: "lists as they are", value: [2, 1, { b: 1, a: 2 }], text: '[2,1,{"a":2,"b":1}]' },
    { name: "fields that are not there", value: { a: undefined }, text: "{}" },
    { name: "nothing", value: undefined, text: "null" },
    {
      name: "a key named __proto__",
      value: JSON.parse('{"__proto__":1,"a":2}'),
      text: '{"__proto__":1,"a":2}',
    },
  ])("writes $name", ({ value, text }) => {
    expect(canonicalJson(value)).toBe(text);
  });
});
