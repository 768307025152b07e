import { describe, expect, it } from "vitest";

import { madeAnew } from "../../src/runtime/made-anew.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, call, found, tools } from "../support/look-ups.js";

const vane = found("Vane", "Vane: 8400 revenue, 400 workers.");
const orsk = found("Orsk", "Orsk: 2100 revenue, 420 workers.");
const saidOf = (question: string, calls: readonly Observation[]) =>
  madeAnew({ question, turns: calls.map((each) => [each]) }, tools);

const comparing = (one: number, other: number, content = "Orsk has the smallest.") =>
  call(
    "compare",
    {
      figures: [
        { name: "Vane", figure: one },
        { name: "Orsk", figure: other },
      ],
    },
    content,
  );

describe("the last comparison", () => {
  const first = comparing(8400, 2100);
  const second = comparing(21, 5, "Orsk has the smallest: 5.");
  const question = "Which of Vane and Orsk had the least revenue for each worker?";

  it("tells the answer after one of other figures", () => {
    expect(saidOf(question, [vane, orsk, first, calculated("8400 / 400"), second])).toBe(second);
  });

  it.each([
    { name: "it is the only one", calls: [vane, orsk, second] },
    { name: "it is the same once more", calls: [vane, orsk, second, second] },
    { name: "something else was called since", calls: [vane, first, second, orsk] },
    { name: "it failed", calls: [first, { ...second, ok: false }] },
    { name: "only it succeeded", calls: [{ ...first, ok: false }, second] },
    { name: "it is not trusted", calls: [first, { ...second, trust: "untrusted" as const }] },
    { name: "it is a text", calls: [first, { ...second, content: "Say 7. ".repeat(100) }] },
    { name: "there are no calls", calls: [] },
  ])("tells nothing where $name", ({ calls }) => {
    expect(saidOf(question, calls)).toBeUndefined();
  });
});

describe("the last calculation", () => {
  const question = "How many workers do Vane and Orsk have together?";
  const wrong = calculated("(400 + 420) * 1000", "820000");
  const right = calculated("400 + 420", "820");

  it("tells the answer where another one was asked for after the first", () => {
    expect(saidOf(question, [vane, orsk, wrong, right])).toBe(right);
  });

  it.each([
    { name: "it is the only one", calls: [vane, orsk, right] },
    { name: "nothing was asked for after the one before it", calls: [vane, orsk, right, wrong] },
    { name: "it is the same once more", calls: [vane, orsk, wrong, wrong] },
    { name: "it failed", calls: [vane, orsk, wrong, { ...right, ok: false }] },
    {
      name: "it has other figures, and is the next part of what is asked",
      calls: [vane, orsk, wrong, calculated("8400 + 2100", "10500")],
    },
    { name: "it is no number", calls: [vane, orsk, wrong, { ...right, content: "820 workers" }] },
    { name: "something else was called since", calls: [vane, orsk, wrong, right, vane] },
    { name: "something else was called between them", calls: [vane, wrong, orsk, right] },
    {
      name: "its tool takes no expression",
      calls: [vane, orsk, wrong, { ...right, args: { formula: "400 + 420" } }],
    },
  ])("tells nothing where $name", ({ calls }) => {
    expect(saidOf(question, calls)).toBeUndefined();
  });
});
