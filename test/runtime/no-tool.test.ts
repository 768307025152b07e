import { describe, expect, it } from "vitest";

import { hasNoTool } from "../../src/runtime/hand-off-ends.js";
import type { ErrorKind, Observation } from "../../src/state/observation.js";
import { observation } from "../support/observations.js";

const failed = (kind: ErrorKind, attempts = 0) =>
  observation({ ok: false, attempts, error: { kind, message: "no" } });
const unknown = failed("unknown_tool");
const runOf = (...observations: readonly Observation[]) =>
  observation({ run: { outcome: { status: "limit" }, observations } });

describe("hasNoTool", () => {
  it.each([
    { name: "a tool that does not exist, asked for again", calls: [unknown, unknown], is: true },
    { name: "the same one again and again", calls: [unknown, failed("repeated")], is: true },
    { name: "a run of its own with nothing else", calls: [runOf(unknown, unknown)], is: true },
    { name: "nothing that was asked for", calls: [], is: false },
    { name: "a result", calls: [unknown, observation()], is: false },
    { name: "a tool that failed", calls: [unknown, failed("unavailable", 3)], is: false },
    { name: "arguments that did not fit", calls: [failed("invalid_arguments")], is: false },
    { name: "a call that a person refused", calls: [failed("denied"), unknown], is: false },
    { name: "a run of its own with a result", calls: [runOf(unknown, observation())], is: false },
    { name: "a run of its own without calls", calls: [runOf()], is: false },
  ])("of a model that was told says $is for $name", ({ calls, is }) => {
    expect(hasNoTool(calls, true)).toBe(is);
  });

  it("says no as long as the model has not been told which tools there are", () => {
    expect(hasNoTool([unknown], false)).toBe(false);
  });
});
