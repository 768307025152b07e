import { expect, it } from "vitest";

import type { Step } from "../../src/plan/step.js";
import { openLines } from "../../src/prompts/results.js";
import type { Observation } from "../../src/state/observation.js";
import { observation } from "../support/observations.js";

const look: Step = { kind: "tool", id: "E1", tool: "search", args: { query: "tea" } };
const work: Step = { kind: "task", id: "S1", task: "Find the price." };
const failed = { ok: false, error: { kind: "rejected", message: "no" } } as const;

it.each<{ name: string; seen: readonly Observation[]; lines: readonly string[] }>([
  {
    name: "steps that were not reached",
    seen: [],
    lines: ['- search({"query":"tea"})', "- Find the price."],
  },
  {
    name: "none that was carried out",
    seen: [observation({ callId: "E1" })],
    lines: ["- Find the price."],
  },
  {
    name: "none that was tried and failed: that is told as a failure",
    seen: [observation({ callId: "E1", ...failed, attempts: 1 })],
    lines: ["- Find the price."],
  },
  {
    name: "one that was left out",
    seen: [observation({ callId: "E1", ...failed, attempts: 0 }), observation({ callId: "S1" })],
    lines: ['- search({"query":"tea"})'],
  },
])("tells $name", ({ seen, lines }) => {
  expect(openLines([look, work], seen)).toEqual(lines);
});
