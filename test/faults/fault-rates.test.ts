import { describe, expect, it } from "vitest";

import { someOf } from "../support/rows.js";
import { callsOf } from "./calls.js";
import { chance } from "./chance.js";
import { allCombinations } from "./covering-array.js";
import { type GraphName, graphs, runWithFaults } from "./fault-run.js";
import { violationsOf } from "./invariants.js";
import { modelFaults } from "./model-faults.js";
import { toolFaults } from "./tool-faults.js";

const rates = { none: 0, "20 %": 0.2, all: 1 } as const;
const names = Object.keys(graphs).filter((name): name is GraphName => name in graphs);

const combinations = allCombinations({
  share: ["none", "20 %", "all"],
  of: ["model", "tool", "model and tool"],
  fault: ["503", "401"],
} as const);

describe.each(names)("the graph %s", (graph) => {
  it.each(someOf(combinations, 3, names.indexOf(graph)))(
    "stands where $share of its $of calls answer $fault",
    async ({ share, of, fault }) => {
      const run = await runWithFaults({
        graph,
        model: modelFaults[fault],
        tool: toolFaults[fault],
        isFaulty: (side, place, attempt) =>
          of.includes(side) && chance("rates", graph, of, side, place, attempt) < rates[share],
      });
      expect(violationsOf(run)).toEqual([]);
      const hit = callsOf(run).filter(({ expected }) => expected.calls > 1 || expected.isLost);
      expect(hit.length).toBeGreaterThanOrEqual(share === "all" ? 1 : 0);
      expect(hit.length).toBeLessThanOrEqual(share === "none" ? 0 : run.requests.length);
    },
  );
});

it("a share of 20 % is about that of many calls", () => {
  const calls = Array.from({ length: 1_000 }, (_, at) => chance("rates", at));
  const hit = calls.filter((each) => each < rates["20 %"]).length;
  expect(hit).toBeGreaterThan(150);
  expect(hit).toBeLessThan(250);
});
