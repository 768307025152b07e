import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parsePlan } from "../../src/plan/parse/parse-plan.js";
import { canonicalPlan } from "../../src/plan/print-plan.js";
import { continueIds } from "../../src/plan/step.js";
import { validPlans } from "./plan-arbitrary.js";

function canonical(text: string): string {
  return canonicalPlan(parsePlan(text).steps);
}

function tasks(ids: readonly [string, string], after: string): string {
  return canonicalPlan([
    { kind: "task", id: ids[0], task: "find" },
    { kind: "task", id: ids[1], task: "halve", after: [after] },
  ]);
}

const plan =
  '[{"id":"E1","tool":"t","args":{"a":1,"b":2}},{"id":"E2","tool":"u","args":{"c":"{{E1.x}} y"}}]';

describe("canonicalPlan", () => {
  it.each([
    { name: "ids", other: plan.replaceAll("E1", "E7").replaceAll("E2", "E9") },
    { name: "thoughts", other: plan.replace('"tool":"t"', '"thought":"why","tool":"t"') },
    { name: "the order of keys", other: plan.replace('"a":1,"b":2', '"b":2,"a":1') },
    { name: "blanks in references", other: plan.replace("{{E1.x}}", "{{ E1.x }}") },
    { name: "an order that a reference gives", other: plan.replace('y"}', 'y"},"after":["E1"]') },
  ])("is the same for plans that differ in $name", ({ other }) => {
    expect(other).not.toBe(plan);
    expect(canonical(other)).toBe(canonical(plan));
  });

  it.each([
    { name: "a tool", other: plan.replace('"tool":"t"', '"tool":"v"') },
    { name: "an argument", other: plan.replace('"a":1', '"a":3') },
    { name: "what a reference means", other: plan.replace("{{E1.x}}", "{{E1.z}}") },
    { name: "a reference to an earlier plan", other: plan.replace("{{E1.x}}", "{{E0.x}}") },
    { name: "the number of steps", other: plan.replace("}]", '},{"tool":"t","args":{}}]') },
  ])("is another for plans that differ in $name", ({ other }) => {
    expect(other).not.toBe(plan);
    expect(canonical(other)).not.toBe(canonical(plan));
  });

  it("is the same for tasks with other ids, and another in another order", () => {
    expect(tasks(["S1", "S2"], "S1")).toBe(tasks(["S5", "S6"], "S5"));
    expect(tasks(["S1", "S2"], "S1")).not.toBe(tasks(["S1", "S2"], "S0"));
  });

  it("does not change when a plan goes on with other ids", () => {
    fc.assert(
      fc.property(validPlans, (steps) => {
        const earlier = steps.map(({ id }) => id);
        expect(canonicalPlan(continueIds(steps, earlier))).toBe(canonicalPlan(steps));
      }),
    );
  });
});
