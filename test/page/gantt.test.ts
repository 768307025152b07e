import { describe, expect, it } from "vitest";

import { spanTree } from "../../src/observe/span-tree.js";
import type { AgentEvent } from "../../src/observe/events.js";
import { barsOf, endingOf, workedIn } from "../../src/page/model/gantt.js";
import { openRequests, requestsIn } from "../../src/page/model/requests.js";
import { paidRun } from "../support/decided-run.js";

const of = (at: number) => ({ runId: "r", node: "tools", at });
const started: readonly AgentEvent[] = [
  { ...of(1_000), type: "run_started", graph: "react" },
  { ...of(1_500), type: "tool_started", callId: "a", tool: "work" },
];

describe("bars", () => {
  it.each([
    { name: "grow with the clock", now: 3_000, left: 0.25, width: 0.75 },
    { name: "are never behind the last sign", now: 0, left: 0.999, width: 0 },
  ])("of what is under way $name", ({ now, left, width }) => {
    const [run, call] = barsOf(spanTree(started), { now });
    expect(run).toMatchObject({ left: 0, width: 1 });
    expect(call?.left).toBeCloseTo(left, 2);
    expect(call?.width).toBeCloseTo(width, 2);
  });

  it("of what has ended do not grow", () => {
    const ended: readonly AgentEvent[] = [
      ...started,
      {
        ...of(2_000),
        type: "tool_finished",
        callId: "a",
        tool: "work",
        ok: true,
        attempts: 1,
        ms: 500,
      },
      { ...of(2_000), type: "run_stopped", reason: "drained" },
    ];
    const [, call] = barsOf(spanTree(ended), { now: 9_000 });
    expect(call).toMatchObject({ left: 0.5, width: 0.5 });
  });

  it("has what is asked, before its call begins, at the end, however long it waits", () => {
    const events = paidRun("asked");
    const asked = openRequests(requestsIn(events), "paused");
    for (const now of [events[0]?.at ?? 0, Date.now() + 86_400_000]) {
      const bars = barsOf(spanTree(events), { now, asked });
      const shown = bars.map(({ span, asked: request }) => [span.name, request?.callId]);
      expect(shown).toEqual([
        ["rewoo", undefined],
        ["work", undefined],
        ["pay", "E2"],
        ["pay", "E3"],
      ]);
      expect(bars[0]?.pauses[0]?.left).toBeCloseTo(0.8);
      expect(bars[2]).toMatchObject({ depth: 1, pauses: [{ left: 0.8 }] });
    }
  });
});

it.each([
  { name: "that waited and went on", events: paidRun("approved"), now: 4_060, ms: 70 },
  { name: "that waits", events: paidRun("asked"), now: 9_000, ms: 30 },
  { name: "under way", events: started, now: 500, ms: 500 },
])("the time of a run $name is its own, without waits", ({ events, now, ms }) => {
  const [run] = spanTree(events);
  if (run === undefined) throw new Error("There is no run.");
  expect(workedIn(run, run.startedAt + now)).toBe(ms);
});

it.each([
  { error: "cancelled", ending: "stopped" },
  { error: "denied", ending: "denied" },
  { error: "timeout", ending: "failed" },
] as const)("a call that ended as $error is shown as $ending", ({ error, ending }) => {
  const end = { callId: "a", tool: "work", ok: false, attempts: 1, ms: 1, error };
  const [run] = spanTree([...started, { ...of(1_600), type: "tool_finished", ...end }]);
  const [call] = run?.children ?? [];
  expect(call && endingOf(call)).toBe(ending);
});
