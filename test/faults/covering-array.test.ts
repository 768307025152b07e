import { expect, it } from "vitest";

import { allCombinations, coveringArray, pairsOf } from "./covering-array.js";

const factors = {
  graph: ["react", "rewoo", "router"],
  fault: ["throw", "reset", "stall"],
  at: ["first", "last"],
  reply: ["whole", "streamed"],
} as const;

/** No router streams. */
const rows = allCombinations(factors).filter(
  ({ graph, reply }) => graph !== "router" || reply === "whole",
);
const pairs = (from: readonly object[]) => new Set(from.flatMap(pairsOf));

it("holds each pair that there is, in fewer rows", () => {
  const few = coveringArray(rows, "seed");
  expect(pairs(few)).toEqual(pairs(rows));
  expect(pairs(few)).not.toContain("graph=router, reply=streamed");
  expect(few.length).toBeLessThan(rows.length / 2);
});

it("is the same for the same seed, and another for another", () => {
  expect(coveringArray(rows, "seed")).toEqual(coveringArray(rows, "seed"));
  expect(coveringArray(rows, "seed")).not.toEqual(coveringArray(rows, "other"));
});

it("combines every value of each factor with every other", () => {
  expect(allCombinations(factors)).toHaveLength(3 * 3 * 2 * 2);
});
