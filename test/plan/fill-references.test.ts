import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { fillReferences, referenceName } from "../../src/plan/references.js";
import { referencesIn } from "../../src/plan/step.js";

describe("fillReferences", () => {
  const values = new Map<string, Json>([
    ["E1", 12],
    ["E2.items[0]", "$& {{E1}}"],
    ["E3", null],
  ]);

  it.each([
    { name: "the type of a whole argument", args: { a: "{{E1}}" }, filled: { a: 12 } },
    { name: "a value in a text", args: { a: "{{E1}} * 2" }, filled: { a: "12 * 2" } },
    { name: "a value of a part", args: { a: "{{E2.items[0]}}" }, filled: { a: "$& {{E1}}" } },
    { name: "lists and objects", args: { a: [{ b: "{{ E1 }}" }] }, filled: { a: [{ b: 12 }] } },
    {
      name: "what was put in, unread",
      args: { a: "<{{E2.items[0]}}>" },
      filled: { a: "<$& {{E1}}>" },
    },
    {
      name: "references without a value",
      args: { a: "{{E2}} {{E3}}" },
      filled: { a: "{{E2}} {{E3}}" },
    },
  ])("keeps $name", ({ args, filled }) => {
    expect(fillReferences(args, values)).toEqual(filled);
  });

  it("names a reference as it stands between its braces", () => {
    const names = referencesIn("{{E1}} {{ E2.items[0] }}").map((found) => referenceName(found));
    expect(names).toEqual(["E1", "E2.items[0]"]);
  });
});
