import { describe, expect, it } from "vitest";

import { canonicalReferences, quotedReferences } from "../../../src/plan/parse/marks.js";

const earlier = new Set(["E1", "E2", "E10"]);

describe("canonicalReferences", () => {
  it.each([
    { text: "#E1", canonical: "{{E1}}" },
    { text: "#E1 and #E10, #E1 again", canonical: "{{E1}} and {{E10}}, {{E1}} again" },
    { text: "#E11 #E100 #E3", canonical: "#E11 #E100 #E3" },
    { text: "#E1[0] #E2.rooms[0].name", canonical: "{{E1[0]}} {{E2.rooms[0].name}}" },
    { text: "the region of #E1. Its rivers", canonical: "the region of {{E1}}. Its rivers" },
    { text: "#E1的高度", canonical: "{{E1}}的高度" },
    { text: "＃E1", canonical: "{{E1}}" },
    { text: "#hashtag #E #E1ton x#E1 ##E1", canonical: "#hashtag #E #E1ton x#E1 ##E1" },
    { text: "$1 or $100", canonical: "$1 or $100" },
    { text: "{{E1}}", canonical: "{{E1}}" },
  ])("reads ReWOO's $text as $canonical", ({ text, canonical }) => {
    expect(canonicalReferences(text, "rewoo", earlier)).toBe(canonical);
  });

  it.each([
    { text: "$1 + ${2} + ${1}", canonical: "{{E1}} + {{E2}} + {{E1}}" },
    { text: "${1}+${2}", canonical: "{{E1}}+{{E2}}" },
    { text: "$10 - $1 + $100", canonical: "{{E10}} - {{E1}} + $100" },
    { text: "$1[0] ${2}.name", canonical: "{{E1[0]}} {{E2.name}}" },
    { text: "max($1,100)", canonical: "max({{E1}},100)" },
    { text: "$1.50 US$1 $$1 $1st \\$1", canonical: "$1.50 US$1 $$1 $1st \\$1" },
    { text: "$3 $& $", canonical: "$3 $& $" },
    { text: "#E1", canonical: "#E1" },
  ])("reads LLMCompiler's $text as $canonical", ({ text, canonical }) => {
    expect(canonicalReferences(text, "compiler", earlier)).toBe(canonical);
  });

  it("leaves $1 a price before there is a step 1", () => {
    expect(canonicalReferences("$1 or $100", "compiler", new Set())).toBe("$1 or $100");
  });
});

it.each([
  { text: '[$1, "$2 x"]', json: '["{{E1}}", "{{E2}} x"]' },
  { text: "{'a': $1, 'b': 'it\\'s $2'}", json: "{'a': \"{{E1}}\", 'b': 'it\\'s {{E2}}'}" },
  { text: "[{{E1}}]", json: '["{{E1}}"]' },
  { text: "[$3]", json: "[$3]" },
])("makes strings of the references in $text", ({ text, json }) => {
  expect(quotedReferences(text, "compiler", earlier)).toBe(json);
});
