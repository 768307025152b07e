import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Checklist, rowLine } from "../../src/cli/view/checklist.js";
import { createPlainView } from "../../src/cli/view/plain-view.js";
import { TerminalView } from "../../src/cli/view/terminal-view.js";
import type { AgentEvent, AgentEventBody } from "../../src/observe/events.js";
import { noUsage } from "../../src/state/usage.js";
import { at, begun, done, failed } from "./plan-events.js";
import { createScreen } from "./screen.js";

beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
afterEach(() => vi.useRealTimers());

/** A plan of tasks with these ids; the one named `final` gives the answer. */
function tasks(ids: readonly string[], final = ""): AgentEventBody {
  const steps = ids.map((id) => ({ id, tool: "executor" }));
  const told = steps.map((step) => ({
    ...step,
    task: `Do ${step.id}.`,
    ...(step.id === final ? { final: true as const } : {}),
  }));
  return { type: "plan_made", steps, content: { steps: told } };
}

const changed = (...steps: readonly string[]): AgentEventBody => ({ type: "plan_changed", steps });

/** An event of the run that carries out a step of the run "r", or works for a call of another run. */
function inside(step: string, event: AgentEventBody, runId = `r-${step}`, of = "r"): AgentEvent {
  return { ...at(event, 1_000, runId), parent: { runId: of, callId: step } };
}

const ended: AgentEventBody = {
  type: "run_finished",
  outcome: { status: "answered" },
  usage: noUsage,
  ms: 1,
};

function listAfter(events: readonly AgentEvent[]): Checklist {
  const list = new Checklist();
  for (const event of events) list.after(event);
  return list;
}

const cases: readonly {
  name: string;
  events: readonly AgentEvent[];
  lines: readonly string[];
}[] = [
  {
    name: "what is to be done",
    events: [at(tasks(["S1", "S2"]))],
    lines: ["☐ S1 Do S1.", "☐ S2 Do S2."],
  },
  {
    name: "the time of a task at work",
    events: [at(tasks(["S1"])), at(begun("S1"))],
    lines: ["▸ S1 Do S1. 500 ms"],
  },
  {
    name: "what came of a task",
    events: [at(tasks(["S1"])), at(begun("S1")), at(done("S1"))],
    lines: ["✓ S1 Do S1. → rested S1 (5 ms)"],
  },
  {
    name: "no result of the task that gives the answer",
    events: [at(tasks(["S1"], "S1")), at(begun("S1")), at(done("S1"))],
    lines: ["✓ S1 Do S1. (5 ms)"],
  },
  {
    name: "why a task failed, the last one too",
    events: [at(tasks(["S1"], "S1")), at(begun("S1")), at(failed("S1", "internal"))],
    lines: ["✗ S1 Do S1. → Error (internal): why (5 ms)"],
  },
  {
    name: "why a task was not carried out",
    events: [
      at(tasks(["S1"])),
      at(begun("S1")),
      at(failed("S1", "cancelled", 0, "not run: the limit.")),
    ],
    lines: ["– S1 Do S1. → not run: the limit."],
  },
  {
    name: "the calls of tasks that run side by side below each",
    events: [
      at(tasks(["S1", "S2"], "S2")),
      at(begun("S1")),
      at(begun("S2")),
      inside("S1", begun("c")),
      inside("S2", begun("c")),
      inside("S2", done("c")),
      inside("S2", begun("d")),
      inside("S2", failed("d", "timeout")),
    ],
    lines: [
      "▸ S1 Do S1. 500 ms",
      '  ▸ S1: nap(id: "c") 500 ms',
      "▸ S2 Do S2. 500 ms",
      '  ✓ S2: nap(id: "c") → rested c (5 ms)',
      '  ✗ S2: nap(id: "d"): Error (timeout): why (5 ms)',
    ],
  },
  {
    name: "the calls of a run inside the run of a task below the task",
    events: [
      at(tasks(["S1"])),
      at(begun("S1")),
      inside("S1", begun("c"), "r-S1"),
      inside("c", begun("x"), "deeper", "r-S1"),
      inside("c", done("x"), "deeper", "r-S1"),
    ],
    lines: [
      "▸ S1 Do S1. 500 ms",
      '  ▸ S1: nap(id: "c") 500 ms',
      '  ✓ S1: nap(id: "x") → rested x (5 ms)',
    ],
  },
  {
    name: "what a change drops, before what it adds",
    events: [
      at(tasks(["S1", "S2", "S3"])),
      at(begun("S1")),
      at(done("S1")),
      at(tasks(["S4"])),
      at(changed("S1", "S3", "S4")),
    ],
    lines: ["✓ S1 Do S1. → rested S1 (5 ms)", "– S2 dropped: Do S2.", "☐ S3 Do S3.", "☐ S4 Do S4."],
  },
  {
    name: "another order, behind what has begun",
    events: [at(tasks(["S1", "S2", "S3"])), at(begun("S1")), at(changed("S3", "S2", "S1"))],
    lines: ["▸ S1 Do S1. 500 ms", "☐ S3 Do S3.", "☐ S2 Do S2."],
  },
  {
    name: "a new task under the id of one that was dropped",
    events: [at(tasks(["S1", "S2"])), at(changed("S2")), at(tasks(["S1"]))],
    lines: ["☐ S2 Do S2.", "☐ S1 Do S1."],
  },
  {
    name: "nothing of a change in another run",
    events: [at(tasks(["S1"])), at(changed(), 1_000, "other")],
    lines: ["☐ S1 Do S1."],
  },
];

it.each(cases)("a checklist of tasks shows $name", ({ events, lines }) => {
  expect(
    listAfter(events)
      .rows()
      .map((row) => rowLine(row, 1_500).text),
  ).toEqual(lines);
});

it("what happens in a step says in which", () => {
  const list = listAfter([at(tasks(["S1"])), at(begun("S1")), inside("S1", begun("c"))]);
  const limit: AgentEventBody = { type: "limit_reached", limit: "modelCalls" };
  const told = (event: AgentEvent) => list.after(event).map(({ text }) => text);
  expect(told(inside("S1", limit))).toEqual(["  S1: limit reached: modelCalls"]);
  expect(told(at(limit))).toEqual(["limit reached: modelCalls"]);
  expect(told(inside("S1", done("c")))).toEqual([]);
});

it("runs that claim to be inside one another are inside none", () => {
  const list = listAfter([
    at(tasks(["S1"])),
    inside("c", begun("x"), "a", "b"),
    inside("x", begun("c"), "b", "a"),
  ]);
  expect(list.rows().map(({ id }) => id)).toEqual(["S1"]);
});

const course: readonly AgentEvent[] = [
  at(tasks(["S1", "S2", "S3"], "S3")),
  at(begun("S1")),
  inside("S1", begun("c")),
  inside("S1", done("c")),
  inside("S1", ended),
  at(done("S1")),
  at(tasks(["S4"], "S4")),
  at(changed("S1", "S4")),
  at(begun("S4")),
  inside("S4", ended),
  at(done("S4")),
  at(ended),
];

it("where the output is no terminal, a call is told when it ends, and a task when it is dropped", () => {
  let text = "";
  const view = createPlainView({
    progress: { write: (more: string) => (text += more) },
    answer: undefined,
  });
  for (const event of course) view.event(event);
  expect(text.trimEnd().split("\n")).toEqual([
    "☐ S1 Do S1.",
    "☐ S2 Do S2.",
    "☐ S3 Do S3.",
    '  ✓ S1: nap(id: "c") → rested c (5 ms)',
    "✓ S1 Do S1. → rested S1 (5 ms)",
    "☐ S4 Do S4.",
    "– S2 dropped: Do S2.",
    "– S3 dropped: Do S3.",
    "✓ S4 Do S4. (5 ms)",
  ]);
});

it("on a terminal the tasks fill in, and no box is left open when one of their runs ends", () => {
  const screen = createScreen();
  const view = new TerminalView(screen.out, { colour: false, answers: true });
  for (const event of course.slice(0, 5)) view.event(event);
  vi.advanceTimersByTime(200);
  expect(screen.lines()).toEqual([
    expect.stringMatching(/^[⠋-⣿] S1 Do S1\. 200 ms$/u),
    '  ✓ S1: nap(id: "c") → rested c (5 ms)',
    "☐ S2 Do S2.",
    "☐ S3 Do S3.",
    expect.stringMatching(/^[⠋-⣿] working$/u),
  ]);
  for (const event of course.slice(5)) view.event(event);
  view.answer("rested S4");
  expect(screen.lines()).toEqual([
    "✓ S1 Do S1. → rested S1 (5 ms)",
    '  ✓ S1: nap(id: "c") → rested c (5 ms)',
    "– S2 dropped: Do S2.",
    "– S3 dropped: Do S3.",
    "✓ S4 Do S4. (5 ms)",
    "rested S4",
  ]);
});

it("a box that was left open for a question is told of again when it is dropped", () => {
  const screen = createScreen();
  const view = new TerminalView(screen.out, { colour: false, answers: true });
  view.event(at(tasks(["S1", "S2"])));
  view.event(at({ type: "input_needed", callIds: [] }));
  screen.out.write("Carry out this plan? drop S2\n");
  view.event(at(changed("S1")));
  view.event(at(begun("S1")));
  view.event(at(done("S1")));
  view.event(at(ended));
  expect(screen.lines()).toEqual([
    "☐ S1 Do S1.",
    "☐ S2 Do S2.",
    "Carry out this plan? drop S2",
    "– S2 dropped: Do S2.",
    "✓ S1 Do S1. → rested S1 (5 ms)",
  ]);
});
