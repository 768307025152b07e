import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { found, tools } from "../support/look-ups.js";

const glass = found("Tarn Glass", "Tarn Glass was founded in 1795.");
const stone = found("Orsk Stone", "Orsk Stone was founded in 1771.");
const toldOf = (question: string, ...calls: readonly Observation[]) =>
  openPoint({ question, turns: calls.map((each) => [each]) }, tools)?.told;

describe("what a sum is made of, which no result tells", () => {
  it.each([
    "What was the revenue of Tarn Glass and Orsk Stone together?",
    "What were the total sales of Tarn Glass and Orsk Stone on average?",
  ])("is looked up with the other tool: %s", (question) => {
    expect(toldOf(question, glass, stone)).toMatch(
      /^census was not called about "Tarn Glass" and "Orsk Stone" yet, and no result tells the (?:revenue|sales)\.$/,
    );
  });

  it.each([
    { name: "which a result tells", question: "What was the founding of both together?" },
    { name: "which is a sum", question: "What is the sum of Tarn Glass and Orsk Stone together?" },
    { name: "where nothing is calculated", question: "What is the age of Tarn Glass?" },
  ])("is nothing $name", ({ question }) => {
    expect(toldOf(question, glass, stone) ?? "").not.toContain("no result tells");
  });
});
