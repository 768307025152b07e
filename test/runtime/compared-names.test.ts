import { expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import { compared, found, tools } from "../support/look-ups.js";

const inns = ["Falbo Inn", "Renn Inn", "Tarn Inn"];
const question = "Which has the most rooms, the Falbo Inn, the Renn Inn or the Tarn Inn?";
const openAfter = (...names: readonly string[]) =>
  openPoint({ question, turns: [[...inns.map((name) => found(name)), compared(...names)]] }, tools);

it.each([
  { names: ["Falbo Inn", "Renn Inn"], left: '"Tarn Inn"' },
  { names: ["Tarn Inn"], left: '"Falbo Inn" and "Renn Inn"' },
])("names of a list that were not compared are told: all but $names", ({ names, left }) => {
  expect(openAfter(...names)).toEqual({
    told: `The question asks about "Falbo Inn" and "Renn Inn" and "Tarn Inn", and ${left} was not compared. Compare all of them.`,
    of: ["compare"],
  });
});

it.each([
  { name: "all were compared", names: inns },
  { name: "others were compared", names: ["its rooms", "those of others"] },
])("nothing is told where $name", ({ names }) => {
  expect(openAfter(...names)).toBeUndefined();
});

it.each([
  "Which has more rooms in Ossel, the Falbo Inn or the Renn Inn?",
  "Does the Falbo Inn or the Renn Inn have more rooms than the average of Ossel?",
])("a name outside the list is not compared: %s", (other) => {
  const looked = ["Ossel", "Falbo Inn", "Renn Inn"].map((name) => found(name));
  const turns = [[...looked, compared("Falbo Inn", "Renn Inn")]];
  const told = openPoint({ question: other, turns }, tools)?.told ?? "";
  expect(told).not.toContain("was not compared");
});
