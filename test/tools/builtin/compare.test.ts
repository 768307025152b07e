import { describe, expect, it } from "vitest";

import { compare, compareFigures } from "../../../src/tools/builtin/compare.js";
import { createToolbox } from "../../../src/tools/toolbox.js";

const amble = { name: "Amble", figure: 412 };
const teyne = { name: "Teyne", figure: 378 };
const corrow = { name: "Corrow", figure: 412 };

const rill = { name: "Rill", figure: 36, unit: "crowns" };

describe("the comparison of figures", () => {
  it.each([
    {
      name: "the larger of two",
      figures: [teyne, amble],
      find: "largest",
      found: "Amble",
      next: teyne,
      difference: 34,
      ratio: 1.08995,
    },
    {
      name: "the smaller of two",
      figures: [teyne, amble],
      find: "smallest",
      found: "Teyne",
      next: amble,
      difference: 34,
      ratio: 1.08995,
    },
    {
      name: "equal figures, all by name",
      figures: [amble, teyne, corrow],
      find: "largest",
      found: "Amble and Corrow",
      next: teyne,
      difference: 34,
      ratio: 1.08995,
    },
    {
      name: "the next one, not the last one",
      figures: [teyne, { name: "Lissen", figure: 596 }, amble],
      find: "largest",
      found: "Lissen",
      next: amble,
      difference: 184,
      ratio: 1.4466,
    },
    {
      name: "no trace of binary fractions",
      figures: [
        { name: "A", figure: 0.3 },
        { name: "B", figure: 0.1 },
      ],
      find: "largest",
      found: "A",
      difference: 0.2,
      ratio: 3,
    },
    {
      name: "signs that differ: no ratio",
      figures: [
        { name: "Monday", figure: -3 },
        { name: "Tuesday", figure: 6 },
      ],
      find: "smallest",
      found: "Monday",
      difference: 9,
      ratio: null,
    },
    {
      name: "figures below zero",
      figures: [
        { name: "Monday", figure: -3 },
        { name: "Tuesday", figure: -6 },
      ],
      find: "largest",
      found: "Monday",
      difference: 3,
      ratio: 2,
    },
    {
      name: "a figure of 0: no ratio",
      figures: [
        { name: "A", figure: 0 },
        { name: "B", figure: 6 },
      ],
      find: "largest",
      found: "B",
      difference: 6,
      ratio: null,
    },
    {
      name: "units that convert, in the first one's",
      figures: [
        { name: "Amble", figure: 1.2, unit: "km" },
        { name: "Teyne", figure: 900, unit: "metres" },
      ],
      find: "smallest",
      found: "Teyne",
      figure: 0.9,
      difference: 0.3,
      ratio: 1.33333,
    },
    {
      name: "the same unit that nobody knows",
      figures: [rill, { name: "Sebb", figure: 58, unit: " crowns" }],
      find: "largest",
      found: "Sebb",
      difference: 22,
      ratio: 1.61111,
    },
  ] as const)("has $name", ({ figures, find, name: _name, ...expected }) => {
    expect(compareFigures(figures, find)).toMatchObject(expected);
  });

  it.each([
    { name: "units of different kinds", units: ["km", "kg"] },
    { name: "a unit and none", units: ["km", ""] },
    { name: "none and a unit", units: ["", "m"] },
    { name: "two units that nobody knows", units: ["crowns", "shillings"] },
    { name: "a known unit and one that nobody knows", units: ["km", "crowns"] },
    { name: "names that every object has", units: ["constructor", "toString"] },
  ])("refuses $name", ({ units: [one = "", other = ""] }) => {
    const figures = [
      { ...amble, unit: one },
      { ...teyne, unit: other },
    ];
    expect(() => compareFigures(figures, "largest")).toThrow(
      `Amble is in ${one || "no unit"}, Teyne in ${other || "no unit"}: they cannot be compared. Give all figures in one unit.`,
    );
  });
});

describe("the tool compare", () => {
  it.each([
    {
      name: "two",
      figures: [amble, teyne],
      find: "smallest",
      text: "Teyne has the smallest: 378. That is 34 less than Amble with 412.",
    },
    {
      name: "three, with their order",
      figures: [teyne, { name: "Lissen", figure: 596 }, amble],
      find: "largest",
      text: "Lissen has the largest: 596. That is 184 more than Amble with 412. From there: Lissen 596, Amble 412, Teyne 378.",
    },
    {
      name: "years",
      figures: [
        { name: "Ann", figure: 1976 },
        { name: "Ben", figure: 1955 },
        { name: "Cid", figure: 1976 },
      ],
      find: "smallest",
      text:
        "Ben has the smallest: 1955. That is 21 less than Ann with 1976. From there: Ben 1955, Ann 1976, Cid 1976." +
        " If these are years: Ben (1955) is the oldest, Ann and Cid (1976) the youngest.",
    },
    {
      name: "figures in the unit of a year",
      figures: [
        { name: "Ann", figure: 1976, unit: "year" },
        { name: "Ben", figure: 1955, unit: "year" },
      ],
      find: "largest",
      text:
        "Ben (1955) is the oldest, Ann (1976) the youngest. " +
        "Ann has the largest: 1976. That is 21 more than Ben with 1955.",
    },
    {
      name: "figures that may be numbers of years",
      figures: [
        { name: "Oak", figure: 1100, unit: "years" },
        { name: "Elm", figure: 1000, unit: "years" },
      ],
      find: "largest",
      text: "Oak has the largest: 1100. That is 100 more than Elm with 1000. If these are years: Elm (1000) is the oldest, Oak (1100) the youngest.",
    },
    {
      name: "a figure in years that is no year",
      figures: [
        { name: "Ann", figure: 1976, unit: "year" },
        { name: "Ben", figure: 55, unit: "year" },
      ],
      find: "largest",
      text: "Ann has the largest: 1976. That is 1921 more than Ben with 55.",
    },
    {
      name: "a year and a figure that is none",
      figures: [
        { name: "Ann", figure: 1976 },
        { name: "Ben", figure: 999 },
      ],
      find: "smallest",
      text: "Ben has the smallest: 999. That is 977 less than Ann with 1976.",
    },
    {
      name: "equals",
      figures: [amble, corrow],
      find: "largest",
      text: "They are equal: Amble and Corrow, 412.",
    },
  ] as const)("says in a sentence how $name compare", async ({ figures, find, text }) => {
    expect(await compare.invoke({ figures: [...figures], find })).toBe(text);
  });

  it("has its fields for later steps of a plan", async () => {
    const message: unknown = await compare.invoke({
      id: "E3",
      name: "compare",
      type: "tool_call",
      args: { figures: [teyne, amble], find: "largest" },
    });
    expect(message).toMatchObject({
      artifact: { found: "Amble", figure: 412, difference: 34, order: [amble, teyne] },
    });
  });

  it("changes nothing", () => {
    expect(createToolbox([compare]).get("compare")?.policy.effect).toBe("read");
  });

  it.each([
    { name: "one figure", args: { figures: [amble], find: "largest" } },
    {
      name: "a text in place of a figure",
      args: { figures: [amble, { name: "T", figure: "a" }], find: "largest" },
    },
    { name: "a comparison that it does not know", args: { figures: [amble, teyne], find: "best" } },
  ])("refuses $name", async ({ args }) => {
    const given: Record<string, unknown> = args;
    const called = compare.invoke({ id: "E1", name: "compare", type: "tool_call", args: given });
    await expect(called).rejects.toThrow("did not match expected schema");
  });
});
