import { expect, it } from "vitest";

import { createReplay, readResult } from "../../src/cli/run-session.js";
import type { AgentEvent } from "../../src/observe/events.js";
import { observation } from "../support/observations.js";
import { at, begun, done } from "./plan-events.js";

const steps = [
  { kind: "tool", id: "E1", tool: "nap", thought: "Nap.", args: { id: "E1" } },
  { kind: "task", id: "S1", task: "Rest." },
];
const run = { id: "r", activeMs: 1, startedAt: 0 };
const tired = { ok: false, error: { kind: "timeout" as const, message: "tired" } };

function replay(isResumed = true) {
  const shown: AgentEvent[] = [];
  return { shown, ...createReplay({ event: (event) => void shown.push(event) }, isResumed) };
}

it("tells of a state's plan, and of what came of its steps", () => {
  const { shown, state } = replay();
  const observations = [observation({ callId: "E1", tool: "nap", ...tired })];
  state(readResult({ run, steps, observations }));
  expect(shown).toMatchObject([
    {
      type: "plan_made",
      runId: "r",
      content: {
        steps: [
          { id: "E1", tool: "nap", thought: "Nap." },
          { id: "S1", task: "Rest." },
        ],
      },
    },
    { type: "tool_started", callId: "E1", at: 1_000, content: { args: { query: "a" } } },
    { type: "tool_finished", callId: "E1", ok: false, error: "timeout" },
  ]);
});

it("tells of no call that an event has told of, nor twice of another", () => {
  const { shown, event, state } = replay();
  event(at(begun("E1")));
  event(at(done("E1")));
  const observations = ["E1", "E2"].map((callId) => observation({ callId }));
  state(readResult({ run, steps, observations }));
  state(readResult({ run, steps, observations }));
  const ends = shown.flatMap((each) => (each.type === "tool_finished" ? [each.callId] : []));
  expect(ends).toEqual(["E1", "E2"]);
});

it("tells of a plan as its own run did, where that worked for another", () => {
  const { shown, event, state } = replay();
  event(at(done("E1")));
  const observations = [observation({ callId: "E1" })];
  const routing = { runId: "r" };
  state(readResult({ run: { ...run, id: "router" }, routing, steps, observations }));
  expect(shown.map(({ type, runId }) => [type, runId])).toEqual([
    ["tool_finished", "r"],
    ["plan_made", "r"],
  ]);
});

it.each([
  { name: "a run without a plan", values: { run, observations: [observation()] } },
  { name: "a thread without a run", values: { steps } },
])("tells nothing of $name", ({ values }) => {
  const { shown, state } = replay();
  state(readResult(values));
  expect(shown).toEqual([]);
});

it("tells nothing of the state of a new run", () => {
  const { shown, state } = replay(false);
  state(readResult({ run, steps, observations: [observation()] }));
  expect(shown).toEqual([]);
});
