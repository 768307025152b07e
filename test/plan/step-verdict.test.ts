import { describe, expect, it } from "vitest";

import { conditionText, judgeStep, type StepEnd } from "../../src/plan/step-verdict.js";

const ends = new Map<string, StepEnd>([
  ["a", { kind: "done", value: { n: 2, text: "two" } }],
  ["gone", { kind: "failed" }],
  ["left", { kind: "untaken" }],
]);

const run = { kind: "run" };
const skipped = { kind: "skipped", waitedFor: "gone" };
const notTaken = { kind: "untaken", reason: "it needs the result of left, which did not run." };
const two = (target: number) => [{ value: "{{a.n}}", operator: "==" as const, target }];

describe("the verdict on a step", () => {
  it.each([
    { is: "needs nothing", step: { args: {} }, verdict: run },
    { is: "needs a result", step: { args: { x: "{{a.n}}" } }, verdict: run },
    { is: "needs a failed step", step: { args: { x: "{{gone}}" } }, verdict: skipped },
    {
      is: "needs a branch that was not taken",
      step: { args: { x: "{{left}}" } },
      verdict: notTaken,
    },
    { is: "needs both", step: { args: { x: "{{left}} {{gone}}" } }, verdict: skipped },
    {
      is: "needs what is no step",
      step: { args: { x: "{{zz}}" } },
      verdict: { kind: "skipped", waitedFor: "zz" },
    },
    { is: "comes after a result", step: { args: {}, after: ["a"] }, verdict: run },
    { is: "comes after a failed step", step: { args: {}, after: ["gone"] }, verdict: skipped },
    {
      is: "comes after a branch that was not taken",
      step: { args: {}, after: ["left"] },
      verdict: run,
    },
    { is: "has a condition that holds", step: { args: {}, when: two(2) }, verdict: run },
    {
      is: "has one that does not",
      step: { args: {}, when: two(3) },
      verdict: { kind: "untaken", reason: "its condition does not hold: a.n == 3 (it is 2)." },
    },
    {
      is: "has two, and one does not hold",
      step: { args: {}, when: [...two(2), ...two(4)] },
      verdict: { kind: "untaken", reason: "its condition does not hold: a.n == 4 (it is 2)." },
    },
    {
      is: "has a condition that does not hold, and needs a failed step",
      step: { args: { x: "{{gone}}" }, when: two(3) },
      verdict: { kind: "untaken", reason: "its condition does not hold: a.n == 3 (it is 2)." },
    },
    {
      is: "has a condition on a failed step",
      step: { args: {}, when: [{ value: "{{gone}}", operator: "exists" as const }] },
      verdict: skipped,
    },
    {
      is: "has a condition on a branch that was not taken",
      step: { args: {}, when: [{ value: "{{left}}", operator: "exists" as const }] },
      verdict: notTaken,
    },
  ])("that $is", ({ step, verdict }) => {
    expect(judgeStep(step, ends)).toEqual(verdict);
  });

  it.each([
    { is: "a comparison", condition: two(2)[0], text: "a.n == 2" },
    {
      is: "a value of its own",
      condition: { value: 3, operator: ">" as const, target: 2 },
      text: "3 > 2",
    },
    {
      is: "existence",
      condition: { value: "{{a[0]}}", operator: "exists" as const },
      text: "a[0] exists",
    },
    {
      is: "a list",
      condition: { value: "{{a}}", operator: "in" as const, target: [1, "x"] },
      text: 'a in [1,"x"]',
    },
  ])("tells $is in words", ({ condition, text }) => {
    expect(condition === undefined ? "" : conditionText(condition)).toBe(text);
  });
});
