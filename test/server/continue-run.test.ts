import { describe, expect, it } from "vitest";

import { continueRun } from "../../src/server/continue-run.js";

const input = { messages: [{ role: "user", content: "2 tea" }] };
const command = { resume: { decisions: [{ type: "approve", id: "req_1" }] } };
const config = { configurable: { thread_id: "t", checkpoint_id: "c1", checkpoint_map: {} } };

describe("what an attempt of a run is given", () => {
  it.each([
    { name: "the first on a new thread", mark: "", markNow: "" },
    { name: "one after a crash before the first record", mark: "", markNow: "" },
    { name: "one whose thread is what it was", mark: "c1 ", markNow: "c1 " },
  ])("is all that was asked for: $name", ({ mark, markNow }) => {
    for (const kwargs of [{ input, config }, { command, config }, { input: null }, {}]) {
      expect(continueRun({ kwargs, mark, markNow })).toBe(kwargs);
    }
  });

  it.each([
    { name: "a first checkpoint", mark: "", markNow: "c1 " },
    { name: "a newer checkpoint", mark: "c1 ", markNow: "c2 " },
    { name: "an answer at the same checkpoint", mark: "c1 ", markNow: "c1 5d41" },
    { name: "another answer at the same checkpoint", mark: "c1 5d41", markNow: "c1 7d79" },
    { name: "nothing, where there was a checkpoint", mark: "c1 ", markNow: "" },
  ])("is the record alone, after $name", ({ mark, markNow }) => {
    const given = { input, command, config, subgraphs: true };
    expect(continueRun({ kwargs: given, mark, markNow })).toEqual({
      input: null,
      subgraphs: true,
      config: { configurable: { thread_id: "t" } },
    });
    expect(continueRun({ kwargs: { command }, mark, markNow })).toEqual({ input: null });
  });

  it("stays as the run's row has it", () => {
    const kwargs = { input, command, config };
    const before = structuredClone(kwargs);
    continueRun({ kwargs, mark: "", markNow: "c1 " });
    expect(kwargs).toEqual(before);
  });
});
