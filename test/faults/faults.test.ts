import { beforeEach, describe, expect, it, vi } from "vitest";

import { coveringArray } from "./covering-array.js";
import { runWithFaults } from "./fault-run.js";
import { groupBy } from "./group-by.js";
import { violationsOf } from "./invariants.js";
import { reachViolations } from "./reach.js";
import { allRows, nameOf, setupOf } from "./rows.js";

// The OpenAI client prints a streamed event that it cannot parse, LangChain advice when it cannot read a call.
beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  return () => vi.restoreAllMocks();
});

/** Rows in which this suite has found faults of ours. */
const found = [
  "llm-compiler: model: broken stream, good, at the first step (whole, one)",
  "llm-compiler: model: cut arguments, good, at the first step (streamed, one)",
  "plan-execute: model: cut arguments, one attempt, at the first step (whole, one)",
  "rewoo: tool: 404, good, at the middle step (effect unknown, whole, one)",
];

const rows = new Set([
  ...coveringArray(allRows, "faults"),
  ...allRows.filter((row) => found.includes(`${row.graph}: ${nameOf(row)}`)),
]);

describe.each([...groupBy([...rows], ({ graph }) => graph)])("the graph %s", (_, ofGraph) => {
  it.each(ofGraph.map((row) => [nameOf(row), row] as const))("stands %s", async (_name, row) => {
    const run = await runWithFaults(setupOf(row));
    expect([...violationsOf(run), ...reachViolations(row, run)]).toEqual([]);
  });
});
