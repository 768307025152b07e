import { expect, it } from "vitest";

import { edgesOf, type Node, placesOf } from "../../src/page/model/layers.js";

function rowsOf(nodes: readonly Node[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const { id, row, column } of placesOf(nodes)) (rows[row] ??= [])[column] = id;
  return rows;
}

const cases: readonly { name: string; nodes: Node[]; rows: string[][] }[] = [
  { name: "nothing", nodes: [], rows: [] },
  {
    name: "roots in the first row, also one that nothing waits for",
    nodes: [
      { id: "E1", needs: [] },
      { id: "E2", needs: ["E1"] },
      { id: "E3", needs: [] },
    ],
    rows: [["E1", "E3"], ["E2"]],
  },
  {
    name: "a step below the lowest that it waits for",
    nodes: [
      { id: "E1", needs: [] },
      { id: "E2", needs: ["E1"] },
      { id: "E3", needs: ["E1", "E2"] },
    ],
    rows: [["E1"], ["E2"], ["E3"]],
  },
  {
    name: "lines that would cross",
    nodes: [
      { id: "A", needs: [] },
      { id: "B", needs: [] },
      { id: "C", needs: ["B"] },
      { id: "D", needs: ["A"] },
    ],
    rows: [
      ["A", "B"],
      ["D", "C"],
    ],
  },
  {
    name: "a step that waits for one that is not there, and for itself",
    nodes: [{ id: "E1", needs: ["E0", "E1"] }],
    rows: [["E1"]],
  },
];

it.each(cases)("places $name", ({ nodes, rows }) => {
  expect(rowsOf(nodes)).toEqual(rows);
});

it("places steps that wait for one another in a circle, each once", () => {
  const circle = [
    { id: "E1", needs: ["E2"] },
    { id: "E2", needs: ["E1"] },
  ];
  expect(
    placesOf(circle)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(["E1", "E2"]);
});

it("places a thousand steps in a chain", () => {
  const chain = Array.from({ length: 1_000 }, (_, at) => {
    return { id: `E${at}`, needs: at === 0 ? [] : [`E${at - 1}`] };
  });
  expect(placesOf(chain).at(-1)).toMatchObject({ row: 999, column: 0 });
});

it("draws a line for each step that another waits for, once", () => {
  const nodes = [
    { id: "E1", needs: [] },
    { id: "E2", needs: ["E1", "E1", "E9"] },
  ];
  expect(edgesOf(nodes)).toEqual([["E1", "E2"]]);
});
