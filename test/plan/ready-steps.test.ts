import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { readySteps, skippedSteps } from "../../src/plan/plan-order.js";
import { substituteReferences } from "../../src/plan/references.js";
import type { ToolStep } from "../../src/plan/step.js";

function step(id: string, needs: readonly string[] = [], after?: readonly string[]): ToolStep {
  const args = { input: needs.map((need) => `{{${need}}}`) };
  return { kind: "tool", id, tool: "t", args, ...(after === undefined ? {} : { after }) };
}

const diamond = [step("E1"), step("E2", ["E1"]), step("E3", [], ["E1"]), step("E4", ["E2", "E3"])];
type End = "done" | "failed";

describe("readySteps", () => {
  it.each<{ name: string; finished: [string, End][]; running: string[]; ready: string[] }>([
    { name: "the first step", finished: [], running: [], ready: ["E1"] },
    { name: "nothing while all else waits", finished: [], running: ["E1"], ready: [] },
    {
      name: "independent steps together, in order",
      finished: [["E1", "done"]],
      running: [],
      ready: ["E2", "E3"],
    },
    { name: "what is not running yet", finished: [["E1", "done"]], running: ["E2"], ready: ["E3"] },
    { name: "nothing behind a failure", finished: [["E1", "failed"]], running: [], ready: [] },
    {
      name: "the other branch beside a failure",
      finished: [
        ["E1", "done"],
        ["E2", "failed"],
      ],
      running: [],
      ready: ["E3"],
    },
    {
      name: "nothing once all is done",
      finished: [
        ["E1", "done"],
        ["E2", "done"],
        ["E3", "done"],
        ["E4", "done"],
      ],
      running: [],
      ready: [],
    },
  ])("gives $name", ({ finished, running, ready }) => {
    const steps = readySteps(diamond, new Map(finished), new Set(running));
    expect(steps.map(({ id }) => id)).toEqual(ready);
  });

  it("takes results of earlier plans", () => {
    expect(readySteps([step("E5", ["E1"])], new Map([["E1", "done"]]), new Set())).toHaveLength(1);
  });

  it.each([
    { name: "steps in a circle", steps: [step("E1", ["E2"]), step("E2", ["E1"])] },
    { name: "a step that waits for itself", steps: [step("E1", ["E1"])] },
    { name: "an unknown id", steps: [step("E1", ["E9"])] },
  ])("gives nothing for $name", ({ steps }) => {
    expect(readySteps(steps, new Map(), new Set())).toEqual([]);
  });

  it("gives no doubled id again once one of it is finished", () => {
    const twice = [step("E1"), step("E1")];
    expect(readySteps(twice, new Map([["E1", "done"]]), new Set())).toEqual([]);
  });
});

describe("skippedSteps", () => {
  it.each<{ name: string; finished: [string, End][]; skipped: [string, string][] }>([
    { name: "nothing before a failure", finished: [["E1", "done"]], skipped: [] },
    {
      name: "all that follows, each for the failed one",
      finished: [["E1", "failed"]],
      skipped: [
        ["E2", "E1"],
        ["E3", "E1"],
        ["E4", "E1"],
      ],
    },
    {
      name: "only what depends on it",
      finished: [
        ["E1", "done"],
        ["E3", "failed"],
      ],
      skipped: [["E4", "E3"]],
    },
  ])("gives $name", ({ finished, skipped }) => {
    expect([...skippedSteps(diamond, new Map(finished))]).toEqual(skipped);
  });

  it("names an id that no step has", () => {
    expect([...skippedSteps([step("E2", ["E9"]), step("E3", ["E2"])], new Map())]).toEqual([
      ["E2", "E9"],
      ["E3", "E9"],
    ]);
  });

  it("follows a failure through steps in any order", () => {
    const steps = [step("E3", ["E2"]), step("E2", ["E1"]), step("E1")];
    const skipped = skippedSteps(steps, new Map([["E1", "failed"]]));
    expect(Object.fromEntries(skipped)).toEqual({ E2: "E1", E3: "E1" });
  });
});

/** A plan whose steps need some of those before them. */
const plans = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
  .map((needs) =>
    needs.map((places, at) => {
      const ids = at === 0 ? [] : places.map((place) => `E${(place % at) + 1}`);
      const half = Math.floor(ids.length / 2);
      return step(`E${at + 1}`, ids.slice(half), ids.slice(0, half));
    }),
  );

/** Runs a plan, always going on with the step that `pick` chooses; a step fails where `fails` says so. */
function run(
  steps: readonly ToolStep[],
  pick: (count: number) => number,
  fails: ReadonlySet<number>,
) {
  const finished = new Map<string, End>();
  const bindings = new Map<string, Json>();
  const running = new Map<string, ToolStep>();
  for (;;) {
    for (const each of readySteps(steps, finished, new Set(running.keys())))
      running.set(each.id, each);
    const ids = [...running.keys()];
    const next = running.get(ids[pick(ids.length)] ?? "");
    if (next === undefined) break;
    const done = substituteReferences(next.args, bindings);
    running.delete(next.id);
    finished.set(next.id, fails.has(steps.indexOf(next)) ? "failed" : "done");
    bindings.set(next.id, { id: next.id, done: done.ok ? done.args : "problem" });
  }
  const skipped = skippedSteps(steps, finished);
  return {
    finished: Object.fromEntries(finished),
    bindings: Object.fromEntries(bindings),
    skipped,
  };
}

it("ends with the same results and the same skipped steps in any order of completion", () => {
  const orders = fc.array(fc.nat(), { minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(plans, orders, fc.array(fc.nat(9)), (steps, order, failing) => {
      const fails = new Set(failing);
      const inOrder = run(steps, () => 0, fails);
      let turn = 0;
      const shuffled = run(
        steps,
        (count) => (order[turn++ % order.length] ?? 0) % Math.max(1, count),
        fails,
      );
      expect(shuffled).toEqual(inOrder);
      expect(Object.keys(inOrder.finished).length + inOrder.skipped.size).toBe(steps.length);
    }),
  );
});
