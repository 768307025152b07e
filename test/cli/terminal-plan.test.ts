import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createPlainView } from "../../src/cli/view/plain-view.js";
import { TerminalView } from "../../src/cli/view/terminal-view.js";
import type { AgentEventBody } from "../../src/observe/events.js";
import { noUsage } from "../../src/state/usage.js";
import { at, begun, done, failed, planned } from "./plan-events.js";
import { createScreen } from "./screen.js";

beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
afterEach(() => vi.useRealTimers());

const ended: AgentEventBody = {
  type: "run_finished",
  outcome: { status: "answered" },
  usage: noUsage,
  ms: 1,
};
const solving: AgentEventBody = {
  type: "model_started",
  model: "m",
  modelCallId: "1",
  attempt: 1,
};
const tick = (id: string) => `✓ ${id} nap(id: "${id}") → rested ${id} (5 ms)`;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `E${index + 1}`);

function terminal(size: { columns?: number; rows?: number } = {}) {
  const screen = createScreen(size);
  const view = new TerminalView(screen.out, { colour: false, answers: true });
  const send = (...events: AgentEventBody[]) => {
    for (const event of events) view.event(at(event, Date.now()));
  };
  return { ...screen, view, send };
}

it("a plan's steps are ticked in their places", () => {
  const { view, send, lines } = terminal();
  send(planned("E1", "E2", "E3", "E4"), begun("E1"), begun("E2"), done("E2"), begun("E3"));
  vi.advanceTimersByTime(1_000);
  expect(lines()).toEqual([
    expect.stringMatching(/^[⠋-⣿] E1 nap\(id: "E1"\) 1\.0 s$/u),
    tick("E2"),
    expect.stringMatching(/^[⠋-⣿] E3 nap\(id: "E3"\) 1\.0 s$/u),
    "☐ E4 nap: Nap E4.",
    expect.stringMatching(/^[⠋-⣿] working$/u),
  ]);
  send(failed("E3", "timeout"), done("E1"));
  send(begun("E4"), failed("E4", "skipped", 0, "it needs E3."), solving);
  vi.advanceTimersByTime(300);
  expect(lines().at(-1)).toMatch(/^[⠋-⣿] worker \(m\) 300 ms$/u);
  view.token("1", "All ");
  view.token("1", "rested.");
  send(ended);
  view.answer("All rested.");
  view.summary({ status: "answered" }, noUsage, 20);
  expect(lines()).toEqual([
    tick("E1"),
    tick("E2"),
    '✗ E3 nap(id: "E3"): Error (timeout): why (5 ms)',
    "– E4 nap: skipped: it needs E3.",
    "All rested.",
    "answered in 20 ms · 0 model calls · 0 tool calls",
  ]);
});

it("a plan that comes after some of its steps has them ticked at once", () => {
  const { send, lines } = terminal();
  send(begun("E1"), done("E1"), begun("E2"), planned("E1", "E2", "E3"));
  expect(lines()).toMatchObject([
    'nap(id: "E1") → rested E1 (5 ms)',
    tick("E1"),
    expect.stringContaining("E2 nap("),
    "☐ E3 nap: Nap E3.",
    expect.stringContaining("working"),
  ]);
});

it("a further plan goes on below the first one", () => {
  const { send, lines } = terminal();
  send(
    planned("E1"),
    begun("E1"),
    done("E1"),
    solving,
    planned("E2"),
    begun("E2"),
    done("E2"),
    ended,
  );
  expect(lines()).toEqual([tick("E1"), tick("E2")]);
});

it("what happens besides stands above the plan", () => {
  const { send, lines } = terminal();
  send(planned("E1", "E2"), begun("E1"));
  send({ type: "retry", of: "nap", attempt: 1, delayMs: 500, reason: "503" });
  send(done("E1"), { type: "limit_reached", limit: "seconds" }, ended);
  expect(lines()).toEqual([
    "nap: trying again in 500 ms: 503",
    "limit reached: seconds",
    tick("E1"),
    "☐ E2 nap: Nap E2.",
  ]);
});

it("a pause leaves the plan as it is, and what is done after it is told below", () => {
  const { view, out, send, lines } = terminal();
  send(planned("E1", "E2", "E3"), begun("E1"), done("E1"), { type: "input_needed", callIds: [] });
  view.rest();
  out.write("Run E2? yes\n");
  const before = lines();
  vi.advanceTimersByTime(1_000);
  expect(lines()).toEqual(before);
  send(begun("E2"), done("E2"), { type: "limit_reached", limit: "seconds" }, ended);
  expect(lines()).toEqual([
    tick("E1"),
    "☐ E2 nap: Nap E2.",
    "☐ E3 nap: Nap E3.",
    "Run E2? yes",
    "limit reached: seconds",
    tick("E2"),
  ]);
});

it("rows are cut to the terminal's width while they may change, and are whole when they stay", () => {
  const { send, lines } = terminal({ columns: 20 });
  send(planned("E1", "E2"), begun("E1"), done("E1"));
  vi.advanceTimersByTime(500);
  expect(lines().slice(0, 2)).toEqual(['✓ E1 nap(id: "E1")…', "☐ E2 nap: Nap E2."]);
  send(begun("E2"), done("E2"), ended);
  expect(lines().join("")).toBe(`${tick("E1")}${tick("E2")}`);
});

it("a plan longer than the screen shows what runs, and leaves what is done", () => {
  const { send, lines, height } = terminal({ rows: 8 });
  send(planned(...ids(40)), ...["E1", "E2", "E30"].map(begun), done("E2"));
  expect(lines()).toEqual([
    tick("E2"),
    expect.stringContaining("E1 nap("),
    "☐ E3 nap: Nap E3.",
    "☐ E4 nap: Nap E4.",
    "☐ E5 nap: Nap E5.",
    expect.stringContaining("E30 nap("),
    "… and 34 more",
    expect.stringContaining("working"),
  ]);
  expect(height()).toBeLessThanOrEqual(8);
  const others = ids(40).filter((id) => id !== "E2");
  for (const id of others) send(begun(id), done(id));
  send(ended);
  expect(lines().toSorted()).toEqual(ids(40).map(tick).toSorted());
});

/** Steps of a plan that start and end in any order, sometimes with a pause between. */
const courses = fc
  .record({
    count: fc.integer({ min: 1, max: 30 }),
    rows: fc.integer({ min: 4, max: 20 }),
    order: fc.array(fc.nat(), { maxLength: 90 }),
    pauseAt: fc.nat(120),
  })
  .map(({ count, rows, order, pauseAt }) => {
    const open = ids(count).flatMap((id) => [begun(id), done(id)]);
    const started = new Set<string>();
    const events = [...order, ...Array.from({ length: 200 }, () => 0)].flatMap((pick) => {
      const left = open.filter((event) => {
        if (event.type === "tool_started") return true;
        return event.type === "tool_finished" && started.has(event.callId);
      });
      const next = left[pick % Math.max(1, left.length)];
      if (next === undefined) return [];
      if (next.type === "tool_started") started.add(next.callId);
      open.splice(open.indexOf(next), 1);
      return [next];
    });
    return { count, rows, events, pauseAt };
  });

describe("whatever a plan's course", () => {
  it("every step is ticked once, and nothing else is left behind", () => {
    fc.assert(
      fc.property(courses, ({ count, rows, events, pauseAt }) => {
        const { send, lines, height } = terminal({ rows, columns: 60 });
        send(planned(...ids(count)));
        for (const [place, event] of events.entries()) {
          if (place === pauseAt) send({ type: "input_needed", callIds: [] });
          send(event);
          expect(height()).toBeLessThanOrEqual(rows);
        }
        send(ended);
        const ticked = lines().filter((line) => line.startsWith("✓"));
        expect(ticked.toSorted()).toEqual(ids(count).map(tick).toSorted());
        const others = lines().filter((line) => !/^(✓|☐|▸|… and \d+ more$)/u.test(line));
        expect(others).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

it("where the output is no terminal, the plan is listed once and each step told as it ends", () => {
  let text = "";
  const progress = { write: (more: string) => (text += more) };
  const view = createPlainView({ progress, answer: undefined });
  const course = [
    begun("E1"),
    done("E1"),
    planned("E1", "E2", "E3"),
    begun("E2"),
    begun("E3"),
    failed("E3", "timeout"),
    done("E2"),
    planned("E4"),
    begun("E4"),
    failed("E4", "skipped", 0, "it needs E3."),
    ended,
  ];
  for (const event of course) view.event(at(event));
  expect(text.trimEnd().split("\n")).toEqual([
    'nap(id: "E1") → rested E1 (5 ms)',
    tick("E1"),
    "☐ E2 nap: Nap E2.",
    "☐ E3 nap: Nap E3.",
    '✗ E3 nap(id: "E3"): Error (timeout): why (5 ms)',
    tick("E2"),
    "☐ E4 nap: Nap E4.",
    "– E4 nap: skipped: it needs E3.",
  ]);
});
