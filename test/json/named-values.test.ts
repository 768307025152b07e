import { describe, expect, it } from "vitest";

import { namedValues } from "../../src/json/json.js";

describe("namedValues", () => {
  it.each([
    { name: "one pair", value: [{ name: "query", value: "x" }], args: { query: "x" } },
    {
      name: "several pairs of any type",
      value: [
        { name: "people", value: 6 },
        { name: "notes", value: null },
        { name: "tags", value: ["a"], type: "array" },
      ],
      args: { people: 6, notes: null, tags: ["a"] },
    },
  ])("reads $name", ({ value, args }) => {
    expect(namedValues(value)).toEqual(args);
  });

  it.each([
    { name: "an empty list", value: [] },
    { name: "an object", value: { name: "query", value: "x" } },
    { name: "a list of texts", value: ["query"] },
    { name: "a pair without a value", value: [{ name: "query" }] },
    { name: "a pair without a name", value: [{ value: "x" }] },
    { name: "a name that is no text", value: [{ name: 1, value: "x" }] },
    { name: "one pair among other things", value: [{ name: "query", value: "x" }, "y"] },
    { name: "a text", value: '[{"name":"query","value":"x"}]' },
    { name: "nothing", value: undefined },
  ])("finds none in $name", ({ value }) => {
    expect(namedValues(value)).toBeUndefined();
  });

  it("keeps a name that objects have of their own", () => {
    expect(Object.keys(namedValues([{ name: "__proto__", value: 1 }]) ?? {})).toEqual([
      "__proto__",
    ]);
  });
});
