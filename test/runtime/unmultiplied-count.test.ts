import { describe, expect, it } from "vitest";

import { openAfterPlan, openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, call, form, found, lookUp, text, tools } from "../support/look-ups.js";

const corvo = found("Corvo lamp", "The Corvo lamp costs 26 crowns and weighs 1.8 kilograms.");
const rill = found("Rill lamp", "The Rill lamp costs 38 crowns and weighs 0.6 kilograms.");
const weigh = "What do 4 Corvo lamps and 3 Rill lamps weigh together?";

const told = (question: string, ...calls: readonly Observation[]) =>
  openPoint({ question, turns: calls.map((each) => [each]) }, tools)?.told;

describe("a number of things that no calculation multiplies by", () => {
  it("is told with its words, and with what lacks", () => {
    expect(told(weigh, corvo, rill)).toBe(
      'The question says "4 Corvo lamps" and "3 Rill lamps", and nothing is calculated yet. Multiply what it asks of one by 4 and by 3.',
    );
  });

  it("is told for what is left", () => {
    expect(told(weigh, corvo, rill, calculated("4 * 1.8 + 0.6"))).toMatch(
      /^The question says "3 Rill lamps", and no calculation multiplies by 3\. Multiply what it asks of one by 3\.$/,
    );
  });

  it.each([
    { expression: "(26 * 1.3) / 3", so: "a calculation divides by 3, which does not make a total" },
    { expression: "(26 * 3) / 3", so: "a calculation divides by 3, which does not make a total" },
    { expression: "26 * 1.3 + 3", so: "no calculation multiplies by 3" },
  ])("is told where it is used otherwise: $expression", ({ expression, so }) => {
    const three = "A Corvo lamp gets 30% dearer. What do 3 of them cost then?";
    expect(told(three, corvo, calculated(expression))).toBe(
      `The question says "3 of them", and ${so}. Multiply what it asks of one by 3.`,
    );
  });

  it("is told where it was only looked up", () => {
    const four = found("4 Corvo lamps", "The Corvo lamp costs 26 crowns.");
    expect(told("What do 4 Corvo lamps cost?", four)).toMatch(/Multiply what it asks of one by 4/);
  });

  it("is told after a plan, too, whose calculations have references", () => {
    const question = "What do 4 Corvo lamps cost?";
    const look = { id: "E1", args: { name: "Corvo lamp" } };
    const after = (expression: string) =>
      openAfterPlan(
        {
          question,
          steps: [look, { id: "E2", args: { expression } }],
          calls: [
            { ...corvo, callId: "E1" },
            { ...calculated(expression.replace("{{E1}}", "26")), callId: "E2" },
          ],
        },
        tools,
        [],
      )?.told;
    expect(after("{{E1}} * 1.05")).toMatch(/multiplies by 4/);
    expect(after("{{E1}} * 4")).toBeUndefined();
  });

  it.each([
    { name: "a calculation multiplies by it", calls: [corvo, rill, calculated("4*1.8 + 3*0.6")] },
    {
      name: "two calculations do",
      calls: [corvo, rill, calculated("4 * 1.8"), calculated("0.6 × 3"), calculated("7.2 + 1.8")],
    },
  ])("is not told where $name", ({ calls }) => {
    expect(told(weigh, ...calls)).toBeUndefined();
  });

  it("is not told before something is known, or where a calculator takes no expression", () => {
    expect(told("What do 4 Corvo lamps cost?")).not.toMatch(/[Mm]ultipl/);
    const failed = call("look_up", { name: "Corvo lamp" }, "Error: none.");
    expect(told("What do 4 Corvo lamps cost?", failed) ?? "").not.toMatch(/[Mm]ultipl/);
    const product = form("calculator", { of: text });
    const made = call("calculator", { of: "26 times 4" }, "104");
    const forms = [lookUp ?? product, product];
    expect(
      openPoint({ question: "What do 4 Corvo lamps cost?", turns: [[corvo], [made]] }, forms)
        ?.told ?? "",
    ).not.toMatch(/[Mm]ultipl/);
  });
});
