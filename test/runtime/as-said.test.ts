import { expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import { tools } from "../support/look-ups.js";

it.each([
  {
    name: "the noun that names share",
    question: "What do the Rill lamp and the Sebb lamp cost together?",
    names: '"Rill lamp" and "Sebb lamp"',
  },
  {
    name: "no noun of one of them",
    question: "What do the Rill lamp, the Sebb bulb and the Renn Inn cost together?",
    names: '"Rill" and "Sebb" and "Renn Inn"',
  },
  {
    name: "no noun of one without an article",
    question: "What do the Rill lamp and a Sebb lamp cost together?",
    names: '"Rill" and "Sebb"',
  },
  {
    name: "no word between names",
    question: "How many people have the Ossel and the Renn and the Tarn together?",
    names: '"Ossel" and "Renn" and "Tarn"',
  },
])("an open point says names with $name", ({ question, names }) => {
  const told = `Nothing is known yet about ${names}.`;
  expect(openPoint({ question, turns: [] }, tools)).toEqual({ told, of: ["look_up"] });
});
