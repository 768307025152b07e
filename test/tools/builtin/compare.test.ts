import { describe, expect, it } from "vitest";

import { compare, compareFigures } from "../../../src/tools/builtin/compare.js";
import { createToolbox } from "../../../src/tools/toolbox.js";

const amble = { name: "Amble", figure: 412 };
const teyne = { name: "Teyne", figure: 378 };
const corrow = { name: "Corrow", figure: 412 };

describe("the comparison of figures", () => {
  it.each([
    {
      name: "two figures",
      figures: [teyne, amble],
      largest: "Amble",
      smallest: "Teyne",
      difference: 34,
      ratio: 1.08995,
    },
    {
      name: "equal figures, all by name",
      figures: [amble, teyne, corrow],
      largest: "Amble and Corrow",
      smallest: "Teyne",
      difference: 34,
      ratio: 1.08995,
    },
    {
      name: "no trace of binary fractions",
      figures: [
        { name: "A", figure: 0.3 },
        { name: "B", figure: 0.1 },
      ],
      largest: "A",
      smallest: "B",
      difference: 0.2,
      ratio: 3,
    },
    {
      name: "figures below zero: no ratio",
      figures: [
        { name: "Monday", figure: -3 },
        { name: "Tuesday", figure: 6 },
      ],
      largest: "Tuesday",
      smallest: "Monday",
      difference: 9,
      ratio: null,
    },
    {
      name: "a figure of 0: no ratio",
      figures: [
        { name: "A", figure: 0 },
        { name: "B", figure: 6 },
      ],
      largest: "B",
      smallest: "A",
      difference: 6,
      ratio: null,
    },
    {
      name: "units that convert, in the first one's",
      figures: [
        { name: "Amble", figure: 1.2, unit: "km" },
        { name: "Teyne", figure: 900, unit: "metres" },
      ],
      largest: "Amble",
      smallest: "Teyne",
      difference: 0.3,
      ratio: 1.33333,
    },
    {
      name: "the same unit that nobody knows",
      figures: [
        { name: "Rill", figure: 36, unit: "crowns" },
        { name: "Sebb", figure: 58, unit: " crowns" },
      ],
      largest: "Sebb",
      smallest: "Rill",
      difference: 22,
      ratio: 1.61111,
    },
  ])("has $name", ({ figures, name: _name, ...expected }) => {
    expect(compareFigures(figures)).toMatchObject(expected);
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
    expect(() => compareFigures(figures)).toThrow(
      `Amble is in ${one || "no unit"}, Teyne in ${other || "no unit"}: they cannot be compared. Give all figures in one unit.`,
    );
  });
});

describe("the tool compare", () => {
  it.each([
    {
      name: "two",
      figures: [amble, teyne],
      text: "Largest: Amble, 412. Smallest: Teyne, 378. Amble has 34 more than Teyne. Amble has 1.08995 times as much as Teyne.",
    },
    {
      name: "three, with their order",
      figures: [teyne, { name: "Lissen", figure: 596 }, amble],
      text: "Largest: Lissen, 596. Smallest: Teyne, 378. Lissen has 218 more than Teyne. Lissen has 1.57672 times as much as Teyne. From the largest to the smallest: Lissen 596, Amble 412, Teyne 378.",
    },
    { name: "equals", figures: [amble, corrow], text: "All are equal: Amble and Corrow, 412." },
  ])("says in a sentence how $name compare", async ({ figures, text }) => {
    expect(await compare.invoke({ figures })).toBe(text);
  });

  it("has its fields for later steps of a plan", async () => {
    const message: unknown = await compare.invoke({
      id: "E3",
      name: "compare",
      type: "tool_call",
      args: { figures: [teyne, amble] },
    });
    expect(message).toMatchObject({
      artifact: { largest: "Amble", smallest: "Teyne", order: [amble, teyne] },
    });
  });

  it("changes nothing", () => {
    expect(createToolbox([compare]).get("compare")?.policy.effect).toBe("read");
  });

  it.each([
    { name: "one figure", figures: [amble] },
    { name: "a text in place of a figure", figures: [amble, { name: "Teyne", figure: "long" }] },
  ])("refuses $name", async ({ figures }) => {
    const args: Record<string, unknown> = { figures };
    const called = compare.invoke({ id: "E1", name: "compare", type: "tool_call", args });
    await expect(called).rejects.toThrow("did not match expected schema");
  });
});
