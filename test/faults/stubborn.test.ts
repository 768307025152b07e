import { describe, expect, it } from "vitest";

import { runWithFaults } from "./fault-run.js";
import { violationsOf } from "./invariants.js";
import { modelFaults } from "./model-faults.js";
import { toolFaults } from "./tool-faults.js";

describe.each([
  { name: "401", each: 1 },
  { name: "503", each: 3 },
  { name: "HTML", each: 1 },
])("a replanner that has tasks tried again whose model answers $name", ({ name, each }) => {
  it.each([
    { name: "the closing answer", fails: /^call rate/, closings: 1 },
    { name: "the fixed sentence", fails: /^(call rate|closing)/, closings: each },
  ])("ends at the limit of replans, and $name names the failure", async ({ fails, closings }) => {
    const run = await runWithFaults({
      graph: "plan-execute",
      model: modelFaults[name],
      isFaulty: (_side, place) => fails.test(place),
      isStubborn: true,
    });
    expect(run.result?.outcome).toMatchObject({ status: "limit", limit: "replans" });
    expect(violationsOf(run)).toEqual([]);
    const placed = (place: string) => run.requests.filter((made) => made.place.startsWith(place));
    expect(placed("call rate")).toHaveLength(4 * each);
    expect(placed("replan")).toHaveLength(4);
    expect(placed("closing")).toHaveLength(closings);
    expect(run.executions.toSorted()).toEqual(["price", "stock"]);
  });
});

it.each([
  { name: "the closing answer", fails: "rate" },
  { name: "the fixed sentence", fails: "closing" },
])("a joiner that replans what fails ends at its limit, and $name names it", async ({ fails }) => {
  const { result, executions, requests } = await runWithFaults({
    graph: "llm-compiler",
    model: modelFaults["401"],
    tool: toolFaults["throw"],
    isFaulty: (_side, place) => place === "rate" || place === fails,
    isStubborn: true,
  });
  expect(result?.outcome).toMatchObject({ status: "limit", limit: "replans" });
  expect(result?.answer).toMatch(/rate\(.*out of tea/);
  expect(executions.filter((name) => name === "rate")).toHaveLength(4);
  expect(requests.filter(({ place }) => place.startsWith("plan"))).toHaveLength(4);
  expect(requests.filter(({ place }) => place === "closing")).toHaveLength(1);
});
