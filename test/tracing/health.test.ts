import { describe, expect, it } from "vitest";

import type { AgentEvent } from "../../src/observe/events.js";
import type { ErrorKind } from "../../src/state/observation.js";
import { healthOf, type TracedRun } from "../../src/tracing/index.js";
import { traceFolder } from "../support/trace-folder.js";

const of = (at: number) => ({ runId: "r", node: "tools", at });

function call(error?: ErrorKind, ms = 10): AgentEvent {
  const attempts = error === undefined || error === "timeout" ? 1 : 0;
  const end = { callId: "c", tool: "pay", ok: error === undefined, attempts, ms };
  return { ...of(1), type: "tool_finished", ...end, ...(error === undefined ? {} : { error }) };
}

const run = (given: Partial<TracedRun>): TracedRun => {
  return { id: "r", graph: "react", status: "answered", startedAt: 0, endedAt: 100, ...given };
};

describe("the figures of runs", () => {
  it("count what people refused, and what was not made, apart from failures", () => {
    const kinds = ["denied", "denied", "skipped", "cancelled", "timeout", undefined] as const;
    const events = kinds.map((kind) => call(kind, kind === "denied" ? 90_000 : 10));
    const { tools } = healthOf([{ run: run({}), events }]);
    expect(tools).toEqual([
      {
        name: "pay",
        calls: 6,
        failed: 1,
        refused: 2,
        skipped: 2,
        retries: 0,
        medianMs: 10,
        p95Ms: 10,
        errors: { timeout: 1 },
      },
    ]);
  });

  it("count no request that was cut off with its run as a failure of the model", () => {
    const asked = { model: "m", modelCallId: "a", attempt: 1, ms: 5 };
    const events = (["cancelled", "unavailable"] as const).map((kind): AgentEvent => {
      return { ...of(1), type: "model_failed", ...asked, kind };
    });
    const { models } = healthOf([{ run: run({}), events }]);
    expect(models).toMatchObject([{ calls: 2, failed: 1, errors: { unavailable: 1 } }]);
  });

  it.each([
    {
      name: "without waits for people",
      runs: [run({ endedAt: 60_100, waitedMs: 60_000 })],
      ms: 100,
    },
    {
      name: "of no run that still waits",
      runs: [run({}), run({ status: "paused", endedAt: 5 })],
      ms: 100,
    },
    {
      name: "of no run under way",
      runs: [{ id: "r", graph: "react", status: "running", startedAt: 0 }],
      ms: 0,
    },
  ] as const)("have times $name", ({ runs, ms }) => {
    const health = healthOf(runs.map((each) => ({ run: each, events: [] })));
    expect(health).toMatchObject({ medianMs: ms, p95Ms: ms });
  });
});

describe("a kept run", () => {
  const { open, read } = traceFolder();

  it("has its graph's name, the words of its question, and how long it waited for people in all", async () => {
    const store = await open();
    const begun = { type: "run_started", graph: "rewoo", graphId: "desk" } as const;
    const told: readonly AgentEvent[] = [
      { ...of(1_000), ...begun, content: { question: "a.txt:\nHi\nWhat?", words: "What?" } },
      { ...of(1_100), type: "run_stopped", reason: "paused" },
      { ...of(4_100), ...begun, resumed: true },
      { ...of(4_200), type: "run_stopped", reason: "drained" },
      { ...of(5_200), ...begun, resumed: true },
      { ...of(5_300), type: "run_stopped", reason: "paused" },
      { ...of(5_800), ...begun, resumed: true },
      { ...of(6_000), type: "run_stopped", reason: "cancelled" },
    ];
    for (const event of told) store.onEvent?.(event, {});
    store.close();
    const [kept] = await read((file) => file.runs());
    expect(kept).toMatchObject({
      graph: "rewoo",
      graphId: "desk",
      question: "a.txt:\nHi\nWhat?",
      words: "What?",
      waitedMs: 3_500,
      startedAt: 1_000,
      endedAt: 6_000,
    });
  });
});
