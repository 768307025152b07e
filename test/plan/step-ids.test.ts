import { describe, expect, it } from "vitest";

import { continueIds, nextStepId, type Step } from "../../src/plan/step.js";

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
      tool("E3", "{{E2.x}}"),
      tool("E4", "{{E3.a[0]}} {{E3}}", ["E3"]),
      tool("E5", "{{E4}}"),
    ]);
  });

  it("renames tasks too", () => {
    const steps: Step[] = [
      { kind: "task", id: "S1", task: "find" },
      { kind: "task", id: "S2", task: "halve", after: ["S1"] },
    ];
    expect(continueIds(steps, ["S1"])).toEqual([
      { kind: "task", id: "S2", task: "find" },
      { kind: "task", id: "S3", task: "halve", after: ["S2"] },
    ]);
  });

  it("gives the first steps of a plan the ids that they get alone", () => {
    const steps = [tool("E1", "a"), tool("E2", "{{E1}}"), tool("E4", "b"), tool("E3", "{{E4}}")];
    const whole = continueIds(steps, ["E1"]);
    expect(whole.map(({ id }) => id)).toEqual(["E2", "E3", "E4", "E5"]);
    for (const [at] of steps.entries()) {
      expect(continueIds(steps.slice(0, at), ["E1"])).toEqual(whole.slice(0, at));
    }
  });

  it("leaves out a step that stands already, whatever it was thought for", () => {
    const standing = [tool("E1", "a"), tool("E2", "{{E1}}")];
    const steps = [
      { ...tool("E1", "a"), thought: "first" },
      tool("E2", "b"),
      tool("E3", "{{E2}}{{E1}}"),
    ];
    expect(continueIds(steps, ["E1", "E2"], standing)).toEqual([
      tool("E3", "b"),
      tool("E4", "{{E3}}{{E1}}"),
    ]);
  });

  it("takes a step for another that is written alike, but means a new one", () => {
    const standing = [tool("E1", "a"), tool("E2", "{{E1}}")];
    const steps = [tool("E1", "b"), tool("E2", "{{E1}}")];
    expect(continueIds(steps, ["E1", "E2"], standing)).toEqual([
      tool("E3", "b"),
      tool("E4", "{{E3}}"),
    ]);
  });

  it("leaves ids that are given twice given twice, for a check to find", () => {
    const steps = [tool("E1", ""), tool("E1", "")];
    expect(continueIds(steps, ["E1"]).map(({ id }) => id)).toEqual(["E2", "E2"]);
  });
});
