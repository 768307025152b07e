import { expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import { compared, found, tools } from "../support/look-ups.js";

const question = "Who is older, the owner of the Falbo Inn or the owner of the Renn Inn?";
const inns = [
  found("Falbo Inn", "30 rooms. Its owner is Ida Marsh."),
  found("Renn Inn", "20 rooms. Its owner is Odo Pell."),
  compared("Falbo Inn", "Renn Inn"),
];

it.each([
  {
    name: "with the years by which it is told who is older",
    owners: [
      found("Ida Marsh", "Ida Marsh, born in 1971, has written 4 books."),
      found("Odo Pell", "Odo Pell, born in 1955, has written 9 books."),
    ],
    what: '1971 about "Ida Marsh" and 1955 about "Odo Pell"',
  },
  {
    name: "by their names, where one result does not say what is asked",
    owners: [found("Ida Marsh", "Born in 1971."), found("Odo Pell", "He has written 9 books.")],
    what: 'what was found about "Ida Marsh" and what was found about "Odo Pell"',
  },
])("tells what was found after a comparison $name", ({ owners, what }) => {
  expect(openPoint({ question, turns: [inns, owners] }, tools)).toEqual({
    told: `${what} came after the last calculation, which used other figures in place of that. Compare ${what}.`,
    of: ["compare"],
    takes: [],
  });
});
