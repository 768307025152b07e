import { expect, it } from "vitest";

import { meanInBrackets, unaskedMean } from "../../src/plan/bare-mean.js";

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

const total = "How many people lived in Ossel, Renn and Falbo together in 2020?";

it.each([
  { expression: "(900 + 800 + 700) / 3", count: 3 },
  { expression: " ( 900+800.5 ) ÷ 2", count: 2 },
  { expression: "({{E1}} + {{E2.people}} + 5) / 3", count: 3 },
])("a mean that the question does not ask for: $expression", ({ expression, count }) => {
  expect(unaskedMean(total, expression)).toBe(count);
  expect(unaskedMean("三个区一共有多少人？", expression)).toBe(count);
});

it.each([
  { expression: "900 + 800 + 700" },
  { expression: "(900 + 800 + 700) / 4" },
  { expression: "(900 + 800 + 700) * 3" },
  { expression: "(900) / 1" },
  { expression: "(900 + 800 * 2) / 2" },
  { expression: "(900 + 800) / 2 + 700" },
  { expression: "((900 + 800) / 2)" },
  { expression: "" },
])("no mean: $expression", ({ expression }) => {
  expect(unaskedMean(total, expression)).toBeUndefined();
});

it.each([
  "How many people live in Ossel and Renn on average?",
  "What is the mean of Ossel and Renn?",
  "How many people for each of the two?",
  "What do they have per district?",
  "How many kilometres an hour is that?",
  "Ossel and Renn share their pupils. How many has either?",
  "The people of Ossel and Renn are split among 2 schools.",
  "The people of Ossel and Renn go to 2 schools.",
  "奥塞尔和雷恩平均有多少人？",
])("a mean that may be asked for: %s", (question) => {
  expect(unaskedMean(question, "(900 + 800) / 2")).toBeUndefined();
});
