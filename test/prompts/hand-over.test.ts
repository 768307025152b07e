import { expect, it } from "vitest";

import type { Step } from "../../src/index.js";
import { handOverSummary } from "../../src/prompts/endings.js";
import type { Observation } from "../../src/state/observation.js";
import { observation } from "../support/observations.js";

const plan: readonly Step[] = [
  { kind: "tool", id: "E1", tool: "search", args: { query: "a" } },
  { kind: "tool", id: "E2", tool: "order", args: { item: "{{E1}}" } },
  { kind: "tool", id: "E3", tool: "order", args: { item: "b" } },
];
const done = observation({ callId: "E1" });
const broken = observation({
  callId: "E2",
  tool: "order",
  args: { item: "a" },
  ok: false,
  content: "Error (rejected): sold out",
  error: { kind: "rejected", message: "sold out" },
});
const left = observation({
  callId: "E3",
  ok: false,
  attempts: 0,
  error: { kind: "cancelled", message: "not run" },
});
const foundLine = '- search({"query":"a"}): found a';

it.each<{
  name: string;
  observations: readonly Observation[];
  steps?: readonly Step[];
  lines: readonly string[];
}>([
  { name: "a run that had not begun", observations: [], lines: ["Done:", "- nothing yet"] },
  {
    name: "results and failures",
    observations: [done, broken],
    lines: ["Done:", foundLine, '- order({"item":"a"}) FAILED: Error (rejected): sold out'],
  },
  {
    name: "a plan, with what is open of it",
    observations: [done, left],
    steps: plan,
    lines: [
      "Done:",
      foundLine,
      "Still open:",
      '- order({"item":"{{E1}}"})',
      '- order({"item":"b"})',
    ],
  },
  {
    name: "tasks by their words",
    observations: [observation({ callId: "S1" })],
    steps: [
      { kind: "task", id: "S1", task: "Find a." },
      { kind: "task", id: "S2", task: "Order it." },
    ],
    lines: ["Done:", "- Find a.: found a", "Still open:", "- Order it."],
  },
  {
    name: "a call once that was made again and answered from memory",
    observations: [
      done,
      observation({
        callId: "E9",
        attempts: 0,
        content: "found a\n(You already made this very call.)",
      }),
    ],
    lines: ["Done:", foundLine],
  },
  {
    name: "a long result, shortened",
    observations: [observation({ content: "long\n".repeat(1_000) })],
    lines: ["Done:", `- search({"query":"a"}): ${"long ".repeat(100)}…`],
  },
])("sums up $name", ({ observations, steps = [], lines }) => {
  const told = handOverSummary({ question: "Order a.", observations, steps, reason: "It ended." });
  const around = ["Asked:", "Order a.", ...lines, "Why a person is needed:", "It ended."];
  expect(told.split("\n")).toEqual(around);
});

it("shortens a long question, and says where there is none in words", () => {
  const about = { observations: [], steps: [], reason: "r" };
  const [, long = ""] = handOverSummary({ question: "q".repeat(5_000), ...about }).split("\n");
  expect(long).toHaveLength(1_001);
  const [, none] = handOverSummary({ question: "", ...about }).split("\n");
  expect(none).toBe("(nothing in words)");
});
