import { describe, expect, it } from "vitest";

import { orderTasks } from "../../src/plan/plan-order.js";
import type { TaskStep } from "../../src/plan/step.js";

const step = (id: string, ...after: readonly string[]): TaskStep => ({
  kind: "task",
  id,
  task: `task ${id}`,
  ...(after.length === 0 ? {} : { after }),
});
const chain = [step("S1"), step("S2", "S1"), step("S3", "S2")];

describe("orderTasks", () => {
  it.each<{ name: string; steps: TaskStep[]; expected: TaskStep[]; earlier?: string[] }>([
    { name: "leaves nothing alone", steps: [], expected: [] },
    {
      name: "leaves an order alone that can be",
      steps: [step("S1"), step("S2"), step("S3", "S1", "S2")],
      expected: [step("S1"), step("S2"), step("S3", "S1", "S2")],
    },
    {
      name: "leaves what waits for an earlier plan's step alone",
      steps: [step("S4", "S1"), step("S5", "S4")],
      expected: [step("S4", "S1"), step("S5", "S4")],
      earlier: ["S1"],
    },
    {
      name: "puts a step behind the later ones that it waits for",
      steps: [step("S1", "S3"), step("S2"), step("S3", "S2"), step("S4")],
      expected: [step("S2"), step("S3", "S2"), step("S1", "S3"), step("S4")],
    },
    {
      name: "makes a row of steps of which one waits for itself",
      steps: [step("S1"), step("S2"), step("S3", "S2", "S3")],
      expected: chain,
    },
    {
      name: "makes a row of steps that wait for one another",
      steps: [step("S1", "S2"), step("S2", "S1"), step("S3")],
      expected: chain,
    },
    {
      name: "makes a row of steps of which each says what comes after it, up to the answer",
      steps: [step("S1", "S2"), step("S2", "S3"), { ...step("S3"), final: true }],
      expected: [...chain.slice(0, 2), { ...step("S3", "S2"), final: true }],
    },
    {
      name: "puts an answer that is listed first behind what it waits for",
      steps: [{ ...step("S1", "S2", "S3"), final: true }, step("S2"), step("S3", "S2")],
      expected: [step("S2"), step("S3", "S2"), { ...step("S1", "S2", "S3"), final: true }],
    },
    {
      name: "makes a row of steps of which one waits for none that there is",
      steps: [step("S1"), step("S2", "S9"), step("S3")],
      expected: chain,
    },
  ])("$name", ({ steps, expected, earlier = [] }) => {
    expect(orderTasks(steps, new Set(earlier))).toEqual(expected);
  });
});
