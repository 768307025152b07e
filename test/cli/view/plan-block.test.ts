import { expect, it } from "vitest";

import { Checklist, planBlock } from "../../../src/cli/view/checklist.js";
import { at, begun, done, failed, planned } from "../plan-events.js";

/** Six steps: two ended, two run, two open. */
const events = [
  planned("E1", "E2", "E3", "E4", "E5", "E6"),
  begun("E2"),
  done("E2"),
  begun("E4"),
  failed("E4", "timeout"),
  begun("E3"),
  begun("E6"),
];
const list = new Checklist();
for (const event of events) list.after(at(event));
const rows = list.rows();

it.each([
  { height: 9, leaving: [], shown: ["E1", "E2", "E3", "E4", "E5", "E6"], hidden: 0 },
  { height: 6, leaving: [], shown: ["E1", "E2", "E3", "E4", "E5", "E6"], hidden: 0 },
  { height: 5, leaving: ["E2", "E4"], shown: ["E1", "E3", "E5", "E6"], hidden: 0 },
  { height: 4, leaving: ["E2", "E4"], shown: ["E1", "E3", "E5", "E6"], hidden: 0 },
  { height: 3, leaving: ["E2", "E4"], shown: ["E3", "E6"], hidden: 2 },
  { height: 2, leaving: ["E2", "E4"], shown: ["E3"], hidden: 3 },
  { height: 1, leaving: ["E2", "E4"], shown: [], hidden: 4 },
  { height: 0, leaving: ["E2", "E4"], shown: [], hidden: 4 },
])("of six rows in $height lines $shown are shown, and $hidden are not", (row) => {
  const { leaving, shown, hidden } = planBlock(rows, row.height);
  expect(leaving.map(({ id }) => id)).toEqual(row.leaving);
  expect(shown.map(({ id }) => id)).toEqual(row.shown);
  expect(hidden).toBe(row.hidden);
});

it("no rows take no lines", () => {
  expect(planBlock([], 0)).toEqual({ leaving: [], shown: [], hidden: 0 });
});
