import { describe, expect, it } from "vitest";

import { Checklist, rowLine } from "../../../src/cli/view/checklist.js";
import type { AgentEvent, AgentEventBody } from "../../../src/observe/events.js";
import { at, begun, done, failed, planned } from "../plan-events.js";

const bare: AgentEventBody = { type: "plan_made", steps: [{ id: "E1", tool: "nap" }] };
const bareBegun: AgentEventBody = { type: "tool_started", callId: "E1", tool: "nap" };
const over = { type: "tool_finished", callId: "E1", tool: "nap", ok: false, ms: 5 } as const;
function listAfter(events: readonly AgentEvent[]): Checklist {
  const list = new Checklist();
  for (const event of events) list.after(event);
  return list;
}

const cases: readonly {
  name: string;
  events: readonly AgentEventBody[];
  lines: readonly string[];
}[] = [
  { name: "nothing before there is a plan", events: [begun("E1"), done("E1")], lines: [] },
  {
    name: "open boxes for a plan",
    events: [planned("E1", "E2")],
    lines: ["☐ E1 nap: Nap E1.", "☐ E2 nap: Nap E2."],
  },
  { name: "an open box without words at level metadata", events: [bare], lines: ["☐ E1 nap"] },
  {
    name: "a step that runs, with its time",
    events: [planned("E1"), begun("E1")],
    lines: ['▸ E1 nap(id: "E1") 500 ms'],
  },
  {
    name: "a tick with result and time",
    events: [planned("E1"), begun("E1"), done("E1")],
    lines: ['✓ E1 nap(id: "E1") → rested E1 (5 ms)'],
  },
  {
    name: "a tick for a result from memory",
    events: [planned("E1"), begun("E1"), { ...over, ok: true, attempts: 0 }],
    lines: ['✓ E1 nap(id: "E1") →  (from memory)'],
  },
  {
    name: "a cross with why",
    events: [planned("E1"), begun("E1"), failed("E1", "timeout", 3)],
    lines: ['✗ E1 nap(id: "E1"): Error (timeout): why (3 attempts, 5 ms)'],
  },
  {
    name: "a cross at level metadata",
    events: [bare, bareBegun, { ...over, attempts: 1, error: "timeout" }],
    lines: ["✗ E1 nap(): timeout (5 ms)"],
  },
  {
    name: "a cross for a failure that names no kind",
    events: [bare, bareBegun, { ...over, attempts: 1 }],
    lines: ["✗ E1 nap(): failed (5 ms)"],
  },
  {
    name: "a cross for a step that a person refused",
    events: [planned("E1"), begun("E1"), failed("E1", "denied", 0)],
    lines: ['✗ E1 nap(id: "E1"): Error (denied): why (not run)'],
  },
  {
    name: "why a step was skipped",
    events: [planned("E1"), begun("E1"), failed("E1", "cancelled", 0, "skipped: it needs E0.")],
    lines: ["– E1 nap: skipped: it needs E0."],
  },
  {
    name: "that a step was skipped, at level metadata",
    events: [bare, bareBegun, { ...over, attempts: 0, error: "cancelled" }],
    lines: ["– E1 nap: cancelled"],
  },
  {
    name: "a step that was at work when its run was stopped",
    events: [
      { type: "run_started", graph: "rewoo" },
      planned("E1", "E2"),
      begun("E1"),
      { type: "run_stopped", reason: "cancelled" },
    ],
    lines: ['■ E1 nap(id: "E1") 0 ms', "☐ E2 nap: Nap E2."],
  },
  {
    name: "a step that is made once more with other arguments",
    events: [planned("E1"), begun("E1"), failed("E1", "invalid_arguments", 0), begun("E1")],
    lines: ['▸ E1 nap(id: "E1") 500 ms'],
  },
  {
    name: "ticks for what was done before the plan was there",
    events: [begun("E1"), done("E1"), begun("E2"), planned("E1", "E2", "E3")],
    lines: [
      '✓ E1 nap(id: "E1") → rested E1 (5 ms)',
      '▸ E2 nap(id: "E2") 500 ms',
      "☐ E3 nap: Nap E3.",
    ],
  },
  {
    name: "the steps of a further plan behind those of the first",
    events: [planned("E1"), begun("E1"), done("E1"), planned("E2")],
    lines: ['✓ E1 nap(id: "E1") → rested E1 (5 ms)', "☐ E2 nap: Nap E2."],
  },
  {
    name: "a step once that a further plan names again",
    events: [planned("E1", "E2"), planned("E2", "E3")],
    lines: ["☐ E1 nap: Nap E1.", "☐ E2 nap: Nap E2.", "☐ E3 nap: Nap E3."],
  },
  {
    name: "what comes from outside in one line without control characters",
    events: [
      planned("E1"),
      begun("E1"),
      { ...over, ok: true, attempts: 1, content: { result: "a\n\u001b[2Jb" } },
    ],
    lines: ['✓ E1 nap(id: "E1") → a [2Jb (5 ms)'],
  },
];

it.each(cases)("a checklist shows $name", ({ events, lines }) => {
  const rows = listAfter(events.map((event) => at(event))).rows();
  expect(rows.map((row) => rowLine(row, 1_500).text)).toEqual(lines);
});

it("a running row may be marked by a frame of a spinner", () => {
  const [row] = listAfter([at(planned("E1")), at(begun("E1"))]).rows();
  expect(row === undefined ? "" : rowLine(row, 1_000, "⠋").text).toBe('⠋ E1 nap(id: "E1") 0 ms');
});

describe("a plan inside a plan", () => {
  const events = [
    at(planned("E1", "E2"), 0, "outer"),
    at(begun("E1"), 0, "outer"),
    at(planned("E1"), 0, "inner"),
    at(begun("E1"), 0, "inner"),
    at(done("E1"), 0, "inner"),
  ];

  it("has rows of its own, indented", () => {
    expect(
      listAfter(events)
        .rows()
        .map((row) => rowLine(row, 0).text),
    ).toEqual([
      '▸ E1 nap(id: "E1") 0 ms',
      "☐ E2 nap: Nap E2.",
      '  ✓ E1 nap(id: "E1") → rested E1 (5 ms)',
    ]);
  });

  it("leaves calls of other runs alone that have the ids of its steps", () => {
    const list = listAfter(events);
    expect(list.after(at(done("E1"), 0, "inner"))).toEqual([]);
    expect(list.after(at(done("E1"), 0, "other"))).toHaveLength(1);
    expect(list.after(at(planned("E1"), 0, "inner"))).toEqual([]);
  });
});

it("news are the rows that are new or have ended, in plan order", () => {
  const steps = [
    planned("E1", "E2"),
    begun("E2"),
    done("E2"),
    begun("E1"),
    planned("E3"),
    done("E1"),
  ];
  const list = new Checklist();
  const told = steps.map((event) => {
    list.after(at(event));
    return list.news().map(({ id, state }) => `${id} ${state}`);
  });
  expect(told).toEqual([["E1 open", "E2 open"], [], ["E2 done"], [], ["E3 open"], ["E1 done"]]);
});

it("an event that is of no plan and no call is no news", () => {
  const list = listAfter([at(planned("E1"))]);
  expect(list.news()).toHaveLength(1);
  list.after(at({ type: "limit_reached", limit: "seconds" }));
  expect(list.news()).toEqual([]);
});
