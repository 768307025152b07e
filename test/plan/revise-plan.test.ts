import { describe, expect, it } from "vitest";

import { removedIds, revisePlan } from "../../src/plan/revise-plan.js";
import type { TaskStep } from "../../src/plan/step.js";

const step = (id: string, task: string, ...after: readonly string[]): TaskStep => ({
  kind: "task",
  id,
  task,
  ...(after.length === 0 ? {} : { after }),
});

const steps = [
  step("S1", "Find A."),
  step("S2", "Find B.", "S1"),
  step("S3", "Add the result of S1 and S2.", "S1", "S2"),
];
const ended = new Set(["S1"]);

describe("revisePlan", () => {
  it.each<{ name: string; written: TaskStep[]; expected: TaskStep[]; repeated?: string[] }>([
    { name: "gives nothing for nothing", written: [], expected: [] },
    {
      name: "keeps open steps, which no longer wait for what has ended",
      written: steps.slice(1),
      expected: [step("S2", "Find B."), step("S3", "Add the result of S1 and S2.", "S2")],
    },
    {
      name: "knows an open step again under another id and with other blanks and capitals",
      written: [step("S1", "find  b"), step("S2", "Add the result of S1 and S2", "S1")],
      expected: [step("S2", "find  b"), step("S4", "Add the result of S2 and S2", "S2")],
    },
    {
      name: "gives a new step a new id, and what follows means it",
      written: [step("S1", "Find C."), step("S2", "Halve the result of S1.", "S1")],
      expected: [step("S4", "Find C."), step("S5", "Halve the result of S4.", "S4")],
    },
    {
      name: "leaves an id alone that was never used",
      written: [step("S7", "Find C.")],
      expected: [step("S7", "Find C.")],
    },
    {
      name: "leaves out what has ended, under another id too",
      written: [step("S5", "Find A."), step("S6", "Double the result of S5.", "S5")],
      expected: [step("S6", "Double the result of S1.")],
      repeated: ["S1"],
    },
    {
      name: "lets nothing wait for a step that was left out",
      written: [step("S3", "Add the result of S1 and S2.", "S2")],
      expected: [step("S3", "Add the result of S1 and S2.")],
    },
    {
      name: "keeps an order that is unknown, for others to judge",
      written: [step("S4", "Find C.", "S9")],
      expected: [step("S4", "Find C.", "S9")],
    },
    {
      name: "takes the new order of open steps",
      written: [step("S3", "Add the result of S1 and S2."), step("S2", "Find B.", "S3")],
      expected: [step("S3", "Add the result of S1 and S2."), step("S2", "Find B.", "S3")],
    },
    {
      name: "keeps the mark of a last step",
      written: [{ ...step("S2", "Find B."), final: true }],
      expected: [{ ...step("S2", "Find B."), final: true }],
    },
  ])("$name", ({ written, expected, repeated = [] }) => {
    expect(revisePlan({ steps, ended }, written)).toEqual({ steps: expected, repeated });
  });

  it("gives no new step the id of one that was dropped, and lets none wait for it", () => {
    const written = [step("S4", "Find C."), step("S5", "Find D.", "S4")];
    const revision = revisePlan({ steps, ended, removed: ["S4"] }, written);
    expect(revision.steps).toEqual([step("S6", "Find C."), step("S5", "Find D.", "S6")]);
  });

  it("knows what was dropped", () => {
    const left = steps.slice(0, 1);
    expect(removedIds({ steps, removed: ["S0"] }, left)).toEqual(["S0", "S2", "S3"]);
    expect(removedIds({ steps }, steps)).toEqual([]);
  });

  it("never uses an id a second time, however often a plan begins at 1", () => {
    let all: readonly TaskStep[] = [step("S1", "task 0")];
    for (let round = 1; round <= 20; round += 1) {
      const over = new Set(all.map(({ id }) => id));
      const revision = revisePlan({ steps: all, ended: over }, [
        step("S1", `task ${round}`),
        step("S2", `task ${round}b`, "S1"),
      ]);
      all = [...all, ...revision.steps];
    }
    const ids = all.map(({ id }) => id);
    expect(ids).toHaveLength(41);
    expect(new Set(ids).size).toBe(41);
  });
});
