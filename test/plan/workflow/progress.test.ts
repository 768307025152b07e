import { describe, expect, it } from "vitest";

import type { Json } from "../../../src/json/json.js";
import type { StepEnd } from "../../../src/plan/step-verdict.js";
import { workflowProgress } from "../../../src/plan/workflow/progress.js";
import type { WorkflowStep } from "../../../src/plan/workflow/steps.js";

const done = (value: Json): StepEnd => ({ kind: "done", value });
const failed: StepEnd = { kind: "failed" };
const untaken: StepEnd = { kind: "untaken" };

/** A step: what it refers to, in its argument; tools named "w…" change something. */
const step = (id: string, text: string, more: Partial<WorkflowStep> = {}): WorkflowStep => ({
  kind: "tool",
  id,
  tool: "read",
  args: { text },
  ...more,
});
const write = (id: string, text: string, more: Partial<WorkflowStep> = {}) =>
  step(id, text, { tool: "write", ...more });
const list = (id: string, of: string, max = 9) =>
  step(id, "{{item.n}}", { each: { list: of, max } });

const until = [{ value: "{{result.n}}", operator: ">=" as const, target: 3 }];
const repeated = (more: object = {}) =>
  step("r", "{{result.n}}", { repeat: { until, max: 3, start: "{{a}}", seconds: 7, ...more } });

type Row = {
  readonly is: string;
  readonly steps: readonly WorkflowStep[];
  readonly ends?: { readonly [id: string]: StepEnd };
  /** The calls that may be made, and that were made. */
  readonly open: readonly string[];
  readonly settled?: readonly unknown[];
};

const items = (...ids: readonly string[]) => done({ list: ids.map((n) => ({ n })) });

const rows: readonly Row[] = [
  {
    is: "calls that wait for calls go in one",
    steps: [step("a", "x"), step("b", "{{a}}")],
    open: ["a", "b"],
  },
  {
    is: "a list waits for its list",
    steps: [step("a", "x"), list("b", "{{a.list}}")],
    open: ["a"],
  },
  {
    is: "a list makes its calls",
    steps: [step("a", "x"), list("b", "{{a.list}}"), step("c", "{{b[0]}}")],
    ends: { a: items("1", "2") },
    open: ["a", "b-1", "b-2"],
  },
  {
    is: "a list ends with its calls, in order, and what waits for it goes on",
    steps: [step("a", "x"), list("b", "{{a.list}}"), step("c", "{{b[0]}}")],
    ends: { a: items("1", "2"), "b-2": done("two"), "b-1": done("one") },
    open: ["a", "b-1", "b-2", "c"],
    settled: [{ kind: "done", value: ["one", "two"], of: ["b-1", "b-2"] }],
  },
  {
    is: "an empty list ends at once",
    steps: [step("a", "x"), list("b", "{{a.list}}")],
    ends: { a: items() },
    open: ["a"],
    settled: [{ kind: "done", value: [], of: [] }],
  },
  {
    is: "a list with failures fails when all have ended",
    steps: [step("a", "x"), list("b", "{{a.list}}")],
    ends: { a: items("1", "2", "3"), "b-1": failed, "b-2": done(1), "b-3": failed },
    open: ["a", "b-1", "b-2", "b-3"],
    settled: [{ kind: "failed", reason: "2 of 3 failed: b-1, b-3." }],
  },
  {
    is: "a list that is too long begins nothing",
    steps: [step("a", "x"), list("b", "{{a.list}}", 1)],
    ends: { a: items("1", "2") },
    open: ["a"],
    settled: [{ kind: "failed", reason: "each: expected at most 1 items, got 2. None was begun." }],
  },
  {
    is: "what is no list fails",
    steps: [step("a", "x"), list("b", "{{a.text}}")],
    ends: { a: done({ text: "1, 2" }) },
    open: ["a"],
    settled: [{ kind: "failed", reason: "each: expected a list, got text." }],
  },
  {
    is: "a list of a failed step is skipped",
    steps: [step("a", "x"), list("b", "{{a.list}}")],
    ends: { a: failed },
    open: ["a"],
    settled: [{ kind: "skipped", waitedFor: "a" }],
  },
  {
    is: "a list of a branch that was not taken is not taken",
    steps: [step("a", "x"), list("b", "{{a.list}}")],
    ends: { a: untaken },
    open: ["a"],
    settled: [{ kind: "untaken", reason: "it needs the result of a, which did not run." }],
  },
  {
    is: "a list whose condition does not hold is not taken",
    steps: [
      step("a", "x"),
      {
        ...list("b", "{{a.list}}"),
        when: [{ value: "{{a.list[0].n}}", operator: "==", target: "2" }],
      },
    ],
    ends: { a: items("1") },
    open: ["a"],
    settled: [
      { kind: "untaken", reason: 'its condition does not hold: a.list[0].n == "2" (it is "1").' },
    ],
  },
  {
    is: "a write waits for a list before it, whatever it needs",
    steps: [step("a", "x"), list("b", "{{a.list}}"), write("c", "x"), step("d", "y")],
    open: ["a"],
  },
  {
    is: "a read goes before a list of reads",
    steps: [step("a", "x"), list("b", "{{a.list}}"), step("d", "y")],
    open: ["a", "d"],
  },
  {
    is: "nothing goes before a list of writes",
    steps: [step("a", "x"), { ...list("b", "{{a.list}}"), tool: "write" }, step("d", "y")],
    open: ["a"],
  },
  {
    is: "a repetition makes its first call",
    steps: [step("a", "x"), repeated()],
    ends: { a: done({ n: 1 }) },
    open: ["a", "r-1"],
  },
  {
    is: "a repetition makes its next call",
    steps: [step("a", "x"), repeated()],
    ends: { a: done({ n: 1 }), "r-1": done({ n: 2 }) },
    open: ["a", "r-1", "r-2"],
  },
  {
    is: "a repetition ends when it may",
    steps: [step("a", "x"), repeated()],
    ends: { a: done({ n: 1 }), "r-1": done({ n: 2 }), "r-2": done({ n: 3 }) },
    open: ["a", "r-1", "r-2"],
    settled: [{ kind: "done", value: { n: 3 }, of: ["r-2"] }],
  },
  {
    is: "a repetition fails with its call",
    steps: [step("a", "x"), repeated()],
    ends: { a: done({ n: 1 }), "r-1": failed },
    open: ["a", "r-1"],
    settled: [{ kind: "failed", reason: "r-1 failed." }],
  },
  {
    is: "a repetition fails after its last round",
    steps: [step("a", "x"), repeated({ max: 1 })],
    ends: { a: done({ n: 1 }), "r-1": done({ n: 2 }) },
    open: ["a", "r-1"],
    settled: [{ kind: "failed", reason: "what it waits for did not come: it was called once." }],
  },
  {
    is: "what has ended is not ended again",
    steps: [step("a", "x"), list("b", "{{a.list}}"), repeated()],
    ends: { a: items("1"), "b-1": done(1), b: done([1]), "r-1": failed, r: failed },
    open: ["a", "b-1", "r-1"],
  },
];

describe("the progress of a workflow", () => {
  it.each(rows)("$is", ({ steps, ends = {}, open, settled = [] }) => {
    const progress = workflowProgress(
      steps,
      new Map(Object.entries(ends)),
      (tool) => tool === "write",
    );
    expect(progress.open.map(({ id }) => id)).toEqual(open);
    expect(progress.settled.map(({ end }) => end)).toEqual(settled);
  });

  it("leads an item to its place in the list, and a round to the one before", () => {
    const steps = [step("a", "x"), list("b", "{{a.list}}"), repeated()];
    const ends = new Map([
      ["a", items("1")],
      ["r-1", done({ n: 2 })],
    ] as const);
    const { open } = workflowProgress(steps, ends, () => false);
    const argsOf = (id: string) => open.find((each) => each.id === id)?.args;
    expect(argsOf("b-1")).toEqual({ text: "{{a.list[0].n}}" });
    expect(argsOf("r-1")).toEqual({ text: "{{a.n}}" });
    expect(argsOf("r-2")).toEqual({ text: "{{r-1.n}}" });
  });

  it.each([
    { is: "before the first round", ends: {}, pause: 0 },
    { is: "before the second round", ends: { "r-1": done({ n: 1 }) }, pause: 7 },
    { is: "after the last", ends: { "r-1": done({ n: 3 }) }, pause: 0 },
  ])("waits $pause seconds $is", ({ ends, pause }) => {
    const known = new Map(Object.entries({ a: done({ n: 0 }), ...ends }));
    const { pauses } = workflowProgress([step("a", "x"), repeated()], known, () => false);
    expect([...pauses.values()]).toEqual(pause === 0 ? [] : [pause]);
  });
});
