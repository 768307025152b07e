import { describe, expect, it } from "vitest";

import { isCalculation, withBraces } from "../../src/plan/calculation.js";
import { parsePlan } from "../../src/plan/parse-plan.js";

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
  { text: "1874", is: false },
  { text: "", is: false },
])("takes $text for a calculation: $is", ({ text, is }) => {
  expect(isCalculation(text)).toBe(is);
});

const step = (id: string, text: string) => ({ id, tool: "sum", args: { text, list: [text] } });

it("is what the steps of a plan are read with", () => {
  const { steps } = parsePlan({ steps: [step("E1", "E1 + 1"), step("E2", "E1 + 1")] });
  expect(steps).toMatchObject([
    { args: { text: "E1 + 1" } },
    { args: { text: "{{E1}} + 1", list: ["{{E1}} + 1"] } },
  ]);
});
