import { describe, expect, it } from "vitest";

import { openAfterPlan, openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, call, found, tools } from "../support/look-ups.js";

const falbo = found("Falbo Inn", "Falbo Inn: 30 rooms, opened in 1926.");
const renn = found("Renn Inn", '{"name":"Renn Inn","beds":480}');
const question = "How many rooms and beds have the Falbo Inn and the Renn Inn, and 57 rooms more?";

const comparing = (...figures: readonly number[]) =>
  call("compare", { figures: figures.map((figure) => ({ name: "Inn", figure })) }, "Inn.");

const told = (calls: readonly Observation[], { said = [] as readonly string[] } = {}) =>
  openPoint({ question, turns: calls.map((each) => [each]), said }, tools);

describe("figures that nobody said", () => {
  it("are told with the look-ups and calculations that may settle them", () => {
    expect(told([falbo, renn, calculated("30 + 475 + 88")])).toEqual({
      told: "The last calculation has 475 and 88, which neither the question nor a result says. Take the figures from the results.",
      of: ["look_up", "census", "calculator", "compare"],
    });
    expect(told([falbo, renn, comparing(30, 497)])?.told).toMatch(/^The last comparison has 497,/);
  });

  it("are told of a guess, which a later look-up may prove right", () => {
    const turns = [
      [falbo],
      [found("Renn Inn", "Renn Inn: old.")],
      [calculated("30 + 480")],
      [renn],
    ];
    expect(openPoint({ question, turns: turns.slice(0, 3), said: [] }, tools)?.told).toMatch(
      /has 480,/,
    );
  });

  it("are told once, and of the last calculation alone", () => {
    const guess = calculated("30 + 475");
    expect(told([falbo, renn, guess, falbo])?.told ?? "").not.toMatch(/475/);
    expect(told([falbo, renn, guess, calculated("30 + 480")])?.told ?? "").not.toMatch(/^The last/);
  });

  it.each([
    { name: "figures of results", expression: "30 + 480" },
    { name: "figures without blanks between them", expression: "480/30" },
    { name: "thousands with commas", expression: "480 * 2 + 1,926" },
    { name: "a figure of the question", expression: "30 + 480 + 57" },
    { name: "small figures", expression: "(30 + 480) / 2 * 10" },
    { name: "powers of ten and units of time", expression: "480 / 100 + 30 * 10000 + 365" },
    { name: "a share", expression: "480 * 0.3 + 480 * 1.3 + 480 * 0.7" },
    { name: "a rounded figure", expression: "510.3 * 2", before: [calculated("x", "510.333333")] },
    {
      name: "the result of a calculation",
      expression: "510 * 2",
      before: [calculated("x", "510")],
    },
    { name: "what the model was told before", expression: "30 * 19", said: ["VAT is 19 %."] },
    { name: "what the user said before", expression: "30 * 66", said: ["It has 66 beds."] },
    {
      name: "a figure in words",
      expression: "30 * 20 + 15",
      said: ["Twenty nights and fifteen more."],
    },
    { name: "a percentage in words", expression: "30 * 0.85", said: ["Fifteen percent off."] },
    { name: "a Chinese figure", expression: "30 * 25", said: ["住二十五晚。"] },
    { name: "a figure with its scale", expression: "30 * 2500", said: ["2.5 thousand each."] },
    { name: "a reference", expression: "{{E1}} + {{E22}}" },
  ])("are none: $name", ({ expression, before = [], said = [] }) => {
    const calls = [falbo, renn, ...before, calculated(expression)];
    expect(told(calls, { said })?.told ?? "").not.toMatch(/^The last/);
  });

  it("are not told where nobody knows what the model was given", () => {
    const turns = [falbo, renn, calculated("30 + 475")].map((each) => [each]);
    expect(openPoint({ question, turns }, tools)?.told ?? "").not.toMatch(/475/);
    const steps = [{ id: "E1", args: { expression: "30 + 475" } }];
    const calls = [falbo, renn, { ...calculated("30 + 475"), callId: "E1" }];
    expect(openAfterPlan({ question, steps, calls }, tools, [])?.told ?? "").not.toMatch(/475/);
  });
});
