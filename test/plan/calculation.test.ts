import { describe, expect, it } from "vitest";

import { isCalculation, withBraces } from "../../src/plan/figures.js";
import { parsePlan } from "../../src/plan/parse/parse-plan.js";

const earlier = new Set(["E1", "E2", "E12"]);

describe("withBraces", () => {
  it.each([
    { text: "E1 * 1.12", canonical: "{{E1}} * 1.12" },
    { text: "(E1 + E2) / 2", canonical: "({{E1}} + {{E2}}) / 2" },
    { text: "E12-E1", canonical: "{{E12}}-{{E1}}" },
    { text: "{{E1}} - E2", canonical: "{{E1}} - {{E2}}" },
    { text: "max(E1, {{ E2 }}, 1,000)", canonical: "max({{E1}}, {{ E2 }}, 1,000)" },
    { text: "roundTo(E1 / E2, 2) × 100", canonical: "roundTo({{E1}} / {{E2}}, 2) × 100" },
  ])("reads $text as $canonical", ({ text, canonical }) => {
    expect(withBraces(text, earlier)).toBe(canonical);
  });

  it.each([
    { name: "a text that mentions one", text: "E1 visa" },
    { name: "the id alone, which may be a text", text: "E1" },
    { name: "a list", text: "E1, E2" },
    { name: "a remark in brackets", text: "E1 (2024)" },
    { name: "a step that is not there yet", text: "E3 * 2" },
    { name: "a power of ten", text: "2E1 + 1.5E2" },
    { name: "a part of a word", text: "E1x * 2" },
    { name: "a question", text: "How much is E1 * 2?" },
    { name: "a road between others", text: "A4-E1" },
    { name: "a path", text: "E1.height * 2" },
    { name: "what is too long to be one", text: `E1${" + 1".repeat(200)}` },
  ])("leaves $name", ({ text }) => {
    expect(withBraces(text, earlier)).toBe(text);
  });
});

it.each([
  { text: "{{E1}} * 2", is: true },
  { text: "sqrt(2)", is: true },
  { text: "{{E1}}", is: false },
  { text: "{{E1}} metres", is: false },
  { text: "1.5.2 + 1", is: true },
  { text: "1,200,000.50 - 3", is: true },
  { text: "1. + 2", is: false },
  { text: ".5 + 1", is: false },
  { text: "{{E1}}.5 + 1", is: false },
  { text: "2max(1, 2)", is: true },
  { text: "abcdefghijklmnop(1)", is: true },
  { text: "abcdefghijklmnopq(1)", is: false },
  { text: "1874", is: false },
  { text: "", is: false },
])("takes $text for a calculation: $is", ({ text, is }) => {
  expect(isCalculation(text)).toBe(is);
});

// Each of these stopped the process for good while a run of digits could be cut into parts in more than one way.
it.each([
  "1200, 1350, 1400, 1500, 1650, 1800, 1950, 2100 in euros",
  "4711,4712,4713,4714,4715,4716,4717 are the orders",
  "4111 1111 1111 1111 4222 2222 2222 2222 are cards",
  `${"0".repeat(400)}&q`,
  `${"1.".repeat(200)}x`,
  `${"{{ ".repeat(160)}x`,
  `${"a   ".repeat(120)}x`,
  `f${" ".repeat(480)}x`,
])("ends on figures with words behind them: %s", (text) => {
  expect(isCalculation(text)).toBe(false);
  expect(withBraces(text, earlier)).toBe(text);
});

it("ends in a plan whose text begins with a run of digits", () => {
  const { steps } = parsePlan(`E1 = d(${"0".repeat(28)}&q`);
  expect(steps).toMatchObject([{ tool: "d", args: { input: `${"0".repeat(28)}&q` } }]);
});

const step = (id: string, text: string) => ({ id, tool: "sum", args: { text, list: [text] } });

it("is what the steps of a plan are read with", () => {
  const { steps } = parsePlan({ steps: [step("E1", "E1 + 1"), step("E2", "E1 + 1")] });
  expect(steps).toMatchObject([
    { args: { text: "E1 + 1" } },
    { args: { text: "{{E1}} + 1", list: ["{{E1}} + 1"] } },
  ]);
});
