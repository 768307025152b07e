import { describe, expect, it } from "vitest";

import { createGrowingPlan } from "../../../src/plan/parse/parse-plan.js";
import type { Step } from "../../../src/plan/step.js";

const step = (id: string, input: string): Step => ({
  kind: "tool",
  id,
  tool: "t",
  args: { input },
});
const told = (steps: readonly Step[]) =>
  steps.map((each) => (each.kind === "tool" ? [each.id, each.args["input"]] : [each.id]));

describe("a plan that grows", () => {
  it("is what was read, as long as nothing else runs", () => {
    const plan = createGrowingPlan([], []);
    const steps = [step("E1", "a"), step("E2", "{{E1}}")];
    plan.begin(step("E1", "a"));
    expect(plan.with(steps)).toEqual(steps);
  });

  it("keeps what runs when its text begins anew, and knows it again", () => {
    const plan = createGrowingPlan([], []);
    plan.begin(step("E1", "a"));
    plan.restart();
    expect(told(plan.with([step("E1", "a"), step("E2", "{{E1}}")]))).toEqual([
      ["E1", "a"],
      ["E2", "{{E1}}"],
    ]);
  });

  it("knows what runs again under another id, each step once", () => {
    const plan = createGrowingPlan([], []);
    plan.begin(step("E2", "a"));
    plan.begin(step("E3", "{{E2}}"));
    plan.restart();
    const anew = [step("E1", "a"), step("E2", "{{E1}}"), step("E3", "a"), step("E4", "{{E2}}")];
    expect(told(plan.with(anew))).toEqual([
      ["E2", "a"],
      ["E3", "{{E2}}"],
      ["E4", "a"],
      ["E5", "{{E3}}"],
    ]);
  });

  it("takes the step of the same id first", () => {
    const plan = createGrowingPlan([], []);
    plan.begin(step("E1", "a"));
    plan.begin(step("E2", "a"));
    plan.restart();
    expect(told(plan.with([step("E2", "a"), step("E3", "{{E2}}")]))).toEqual([
      ["E1", "a"],
      ["E2", "a"],
      ["E3", "{{E2}}"],
    ]);
  });

  it("gives what is written anew under a known id another one, the same at every look", () => {
    const plan = createGrowingPlan([], []);
    plan.begin(step("E1", "a"));
    plan.restart();
    const first = [step("E1", "b")];
    expect(told(plan.with(first))).toEqual([
      ["E1", "a"],
      ["E2", "b"],
    ]);
    plan.begin(step("E2", "b"));
    const all = [...first, step("E2", "{{E1}}"), step("E9", "{{E2}}")];
    expect(told(plan.with(all))).toEqual([
      ["E1", "a"],
      ["E2", "b"],
      ["E3", "{{E2}}"],
      ["E9", "{{E3}}"],
    ]);
  });

  it("keeps what runs even if the whole text does not hold it", () => {
    const plan = createGrowingPlan([], []);
    plan.begin(step("E1", "a"));
    expect(told(plan.with([step("E1", "b"), step("E2", "{{E1}}")]))).toEqual([
      ["E1", "a"],
      ["E2", "b"],
      ["E3", "{{E2}}"],
    ]);
  });

  it("goes on behind earlier plans, and takes their steps that stand for what they are", () => {
    const plan = createGrowingPlan(["E1", "E2"], [step("E1", "a")]);
    const steps = [step("E1", "a"), step("E2", "b"), step("E3", "{{E1}} {{E2}}")];
    expect(told(plan.with(steps))).toEqual([
      ["E3", "b"],
      ["E4", "{{E1}} {{E3}}"],
    ]);
  });
});
