import { describe, expect, it } from "vitest";

import { type AgentEvent, allSpans, spanTree } from "../../src/index.js";
import type { AgentEventBody } from "../../src/observe/events.js";
import { noUsage } from "../../src/state/usage.js";
import { outline } from "../support/watching.js";

type Origin = Partial<Pick<AgentEvent, "runId" | "parent" | "role">>;

/** Events a millisecond apart. */
function timed(...bodies: readonly (AgentEventBody & Origin)[]): AgentEvent[] {
  return bodies.map((body, at) => ({ runId: "r", node: "n", ...body, at }));
}

const runStarted = { type: "run_started", graph: "rewoo" } as const;
const runFinished = {
  type: "run_finished",
  outcome: { status: "answered" },
  usage: noUsage,
  ms: 1,
} as const;
const asked = (modelCallId: string, attempt = 1, more: { readonly for?: string } = {}) =>
  ({ type: "model_started", model: "m", modelCallId, attempt, ...more }) as const;
const replied = (modelCallId: string, attempt = 1) =>
  ({
    type: "model_finished",
    model: "m",
    modelCallId,
    attempt,
    ms: 1,
    usage: noUsage,
    toolCalls: [],
  }) as const;
const failed = (modelCallId: string, attempt = 1) =>
  ({ type: "model_failed", model: "m", modelCallId, attempt, ms: 1 }) as const;
const called = (callId: string, tool = "search") =>
  ({ type: "tool_started", callId, tool }) as const;
const ended = (callId: string, ok = true, attempts = 1) =>
  ({ type: "tool_finished", callId, tool: "search", ok, attempts, ms: 1 }) as const;

describe("spanTree", () => {
  it.each<{ name: string; events: readonly AgentEvent[]; lines: readonly string[] }>([
    { name: "nothing", events: [], lines: [] },
    {
      name: "a run with a model call and a tool call",
      events: timed(runStarted, asked("a"), replied("a"), called("1"), ended("1"), runFinished),
      lines: ["run rewoo ok", "  model m ok", "  tool search ok"],
    },
    {
      name: "a run that still goes on",
      events: timed(runStarted, asked("a"), replied("a"), called("1")),
      lines: ["run rewoo running", "  model m ok", "  tool search running"],
    },
    {
      name: "model calls side by side, each in its step",
      events: timed(
        runStarted,
        called("1", "llm"),
        called("2", "llm"),
        asked("b", 1, { for: "2" }),
        asked("a", 1, { for: "1" }),
        failed("a"),
        replied("b"),
      ),
      lines: [
        "run rewoo running",
        "  tool llm running",
        "    model m failed",
        "  tool llm running",
        "    model m ok",
      ],
    },
    {
      name: "each attempt of a call",
      events: timed(runStarted, asked("a"), failed("a"), asked("a", 2), replied("a", 2)),
      lines: ["run rewoo running", "  model m failed", "  model m ok"],
    },
    {
      name: "a run inside a call, and one inside a node",
      events: timed(
        runStarted,
        called("1", "task"),
        { ...runStarted, graph: "react", runId: "s", parent: { runId: "r", callId: "1" } },
        { ...asked("a"), runId: "s" },
        { ...runFinished, runId: "s", parent: { runId: "r", callId: "1" } },
        { ...runStarted, graph: "route", runId: "t", parent: { runId: "r" } },
      ),
      lines: [
        "run rewoo running",
        "  tool task running",
        "    run react ok",
        "      model m running",
        "  run route running",
      ],
    },
    {
      name: "a run whose calling run is not known",
      events: timed({ ...runStarted, parent: { runId: "x", callId: "1" } }, asked("a")),
      lines: ["run rewoo running", "  model m running"],
    },
    {
      name: "a call that was skipped, refused, failed",
      events: timed(
        runStarted,
        called("1"),
        { ...ended("1", false, 0), error: "skipped", waitedFor: "0" },
        called("2"),
        { ...ended("2", false, 0), error: "denied" },
        called("3"),
        { ...ended("3", false), error: "cancelled" },
      ),
      lines: [
        "run rewoo running",
        "  tool search skipped",
        "  tool search failed",
        "  tool search failed",
      ],
    },
    {
      name: "a call that runs again with other arguments",
      events: timed(
        runStarted,
        called("1"),
        ended("1", false),
        { type: "arguments_repaired", callId: "1", tool: "search" },
        called("1"),
        ended("1"),
      ),
      lines: ["run rewoo running", "  tool search failed", "  tool search ok"],
    },
    {
      name: "a run that stopped, and one that failed",
      events: timed(
        runStarted,
        { type: "run_stopped", reason: "cancelled" },
        { ...runStarted, runId: "s" },
        { ...runFinished, runId: "s", outcome: { status: "failed" } },
      ),
      lines: ["run rewoo stopped", "run rewoo failed"],
    },
    {
      name: "an end without a start",
      events: timed(replied("a"), ended("1"), runFinished),
      lines: [],
    },
  ])("reads $name", ({ events, lines }) => {
    expect(outline(spanTree(events))).toEqual(lines);
  });

  it("gives a run that waited one span, which goes on", () => {
    const first = timed(
      runStarted,
      { type: "input_needed", callIds: ["1"] },
      { type: "run_stopped", reason: "paused" },
    );
    expect(spanTree(first)).toMatchObject([{ status: "stopped", startedAt: 0, endedAt: 2 }]);
    const goes = [...first, ...timed({ ...runStarted, resumed: true })];
    const [going] = spanTree(goes);
    expect(going).toMatchObject({ status: "running", startedAt: 0 });
    expect(going).not.toHaveProperty("endedAt");
    const all = spanTree([...goes, ...timed(runFinished)]);
    expect(all).toMatchObject([{ status: "ok" }]);
    expect(all[0]?.marks.map(({ type }) => type)).toEqual(["input_needed", "run_started"]);
  });

  it("keeps what happened with the span that it is about", () => {
    const corrected = { type: "model_corrected", model: "m", modelCallId: "a" } as const;
    const again = { type: "retry", attempt: 1, delayMs: 5 } as const;
    const tree = spanTree(
      timed(
        runStarted,
        asked("a"),
        replied("a"),
        corrected,
        called("1"),
        { ...again, of: "search", callId: "1" },
        { type: "limit_reached", limit: "seconds" },
        { ...again, of: "m", modelCallId: "unknown" },
      ),
    );
    const marks = allSpans(tree).map((span) => [span.kind, span.marks.map(({ type }) => type)]);
    expect(marks).toEqual([
      ["run", ["limit_reached", "retry"]],
      ["model", ["model_corrected"]],
      ["tool", ["retry"]],
    ]);
  });

  it("gives every span an id of its own", () => {
    const tree = spanTree(timed(runStarted, asked("a"), failed("a"), asked("a", 2), called("a")));
    const ids = allSpans(tree).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
