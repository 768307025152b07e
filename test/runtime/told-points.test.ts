import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, found, tools } from "../support/look-ups.js";

const failed = () => [calculated("S1 + S2", "Error: S1 is no figure.")];

describe("how often what is open is told", () => {
  it("is once more where calls fail, and no third time", () => {
    const question = "How many rooms have the Falbo Inn and the Renn Inn together?";
    const looked = [found("Falbo Inn"), found("Renn Inn")];
    const after = (times: number) =>
      openPoint({ question, turns: [looked, ...Array.from({ length: times }, failed)] }, tools);
    expect(after(1)).toBeDefined();
    expect(after(2)).toBeUndefined();
    expect(after(9)).toBeUndefined();
  });

  it.each([
    { what: "question", namesAll: false, times: 15 },
    { what: "task of a plan", namesAll: true, times: 6 },
  ])("comes to an end with a $what about very many things", ({ namesAll, times }) => {
    const names = Array.from({ length: 20 }, (_, at) => `Inn${at}`);
    const question = `Which has most rooms, ${names.map((name) => `the ${name}`).join(", ")}?`;
    const turns: Observation[][] = [];
    const told: string[] = [];
    for (const name of names) {
      turns.push([found(name)]);
      const open = openPoint({ question, turns, namesAll }, tools);
      if (open === undefined) break;
      told.push(open.told);
    }
    expect(told).toHaveLength(times);
    expect(new Set(told).size).toBe(times);
  });
});
