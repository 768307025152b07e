import { describe, expect, it } from "vitest";

import type { Step } from "../../src/plan/step.js";
import { continueIds, nextStepId } from "../../src/plan/step-ids.js";

function tool(id: string, input: string, after?: string[]): Step {
  const order = after === undefined ? {} : { after };
  return { kind: "tool", id, tool: "t", args: { input, list: [{ input }] }, ...order };
}

describe("nextStepId", () => {
  it.each([
    { ids: [], kind: "tool", next: "E1" },
    { ids: [], kind: "task", next: "S1" },
    { ids: ["E1", "E10", "E9"], kind: "tool", next: "E11" },
    { ids: ["S2", "E7"], kind: "task", next: "S8" },
    { ids: ["first"], kind: "tool", next: "E1" },
  ] as const)("is $next behind $ids", ({ ids, kind, next }) => {
    expect(nextStepId(ids, kind)).toBe(next);
  });
});

describe("continueIds", () => {
  it("leaves a plan alone that uses ids of its own", () => {
    const steps = [tool("E3", "{{E1}}"), tool("E4", "{{E3}}", ["E2"])];
    expect(continueIds(steps, ["E1", "E2"])).toEqual(steps);
  });

  it("counts on where a plan began at 1 again, and what follows means the new steps", () => {
    const steps = [
      tool("E1", "{{E2.x}}"),
      tool("E2", "{{E1.a[0]}} {{E1}}", ["E1"]),
      tool("E5", "{{E2}}"),
    ];
    expect(continueIds(steps, ["E1", "E2"])).toEqual([
      tool("E6", "{{E2.x}}"),
      tool("E7", "{{E6.a[0]}} {{E6}}", ["E6"]),
      tool("E5", "{{E7}}"),
    ]);
  });

  it("renames tasks too", () => {
    const steps: Step[] = [
      { kind: "task", id: "S1", task: "find" },
      { kind: "task", id: "S2", task: "halve", after: ["S1"] },
    ];
    expect(continueIds(steps, ["S1"])).toEqual([
      { kind: "task", id: "S3", task: "find" },
      { kind: "task", id: "S2", task: "halve", after: ["S3"] },
    ]);
  });

  it("leaves ids that are given twice given twice, for a check to find", () => {
    const steps = [tool("E1", ""), tool("E1", "")];
    expect(continueIds(steps, ["E1"]).map(({ id }) => id)).toEqual(["E2", "E2"]);
  });
});
