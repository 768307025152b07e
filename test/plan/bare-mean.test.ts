import { expect, it } from "vitest";

import { meanInBrackets } from "../../src/plan/bare-mean.js";

const asked = "How many workers do the mills have on average?";

it.each([
  { expression: "{{E1}} + {{E2}} + {{E3}} / 3", meant: "({{E1}} + {{E2}} + {{E3}}) / 3" },
  { expression: "{{E1.people}}+10.5/2", meant: "({{E1.people}} + 10.5) / 2" },
])("a mean without brackets: $expression", ({ expression, meant }) => {
  expect(meanInBrackets(asked, expression)).toBe(meant);
  expect(meanInBrackets("三个磨坊平均有多少工人？", expression)).toBe(meant);
});

it.each([
  { expression: "({{E1}} + {{E2}} + {{E3}}) / 3" },
  { expression: "{{E1}} + {{E2}} / 3" },
  { expression: "{{E1}} / 1" },
  { expression: "{{E1}} + {{E2}} / 2 / 1" },
  { expression: "{{E1}} * 2 + {{E2}} / 2" },
  { expression: "{{E1}} - {{E2}} + {{E3}} / 2" },
  { expression: "{{E1}} + {{E2}}" },
  { expression: "mean({{E1}}, {{E2}})" },
  { expression: "" },
  { expression: 3 },
  { expression: undefined },
])("no other calculation: $expression", ({ expression }) => {
  expect(meanInBrackets(asked, expression)).toBeUndefined();
});

it("nothing where the question asks for no mean", () => {
  const sum = "How many workers do the mills have, with a half of the last?";
  expect(meanInBrackets(sum, "{{E1}} + {{E2}} / 2")).toBeUndefined();
});
