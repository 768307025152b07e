import { describe, expect, it } from "vitest";

import type { ErrorKind, Observation } from "../../src/state/observation.js";
import { judgeRepetition, type RepetitionPolicy } from "../../src/tools/repetition.js";
import { observation } from "../support/observations.js";

const policies: { readonly [tool: string]: RepetitionPolicy } = {
  A: { effect: "read" },
  B: { effect: "read" },
  dice: { effect: "read", volatile: true },
  order: { effect: "write" },
  put: { effect: "idempotent" },
  plain: {},
};
const policyOf = (tool: string) => policies[tool] ?? {};

/** A call that ran, and brought its tool's name unless said otherwise. */
const ran = (tool: string, given: Partial<Observation> = {}) =>
  observation({ tool, args: {}, content: `result of ${tool}`, ...given });

const recalled = (tool: string) => ran(tool, { attempts: 0, content: "from memory" });
const failed = (tool: string, kind: ErrorKind, attempts = 1) =>
  ran(tool, { ok: false, attempts, content: `Error (${kind})`, error: { kind, message: "no" } });
const refused = (tool: string) => failed(tool, "repeated", 0);

function judge(
  tool: string,
  seen: readonly Observation[],
  tolerated: number | null = 3,
  args: unknown = {},
) {
  return judgeRepetition({ tool, args }, seen, policyOf, tolerated).action;
}

describe("judgeRepetition", () => {
  it.each<{ name: string; tool: string; seen: readonly Observation[]; action: string }>([
    { name: "the first call runs", tool: "A", seen: [], action: "run" },
    { name: "the second is answered from memory", tool: "A", seen: [ran("A")], action: "recall" },
    { name: "the third is refused", tool: "A", seen: [ran("A"), recalled("A")], action: "refuse" },
    {
      name: "the fourth ends the run",
      tool: "A",
      seen: [ran("A"), recalled("A"), refused("A")],
      action: "stop",
    },
    {
      name: "the fifth ends it still",
      tool: "A",
      seen: [ran("A"), recalled("A"), refused("A"), refused("A")],
      action: "stop",
    },
    {
      name: "another tool's new result in between counts",
      tool: "A",
      seen: [ran("A"), ran("B")],
      action: "run",
    },
    {
      name: "A-B-A-B: the second A brought nothing new, so B is answered",
      tool: "B",
      seen: [ran("A"), ran("B"), ran("A")],
      action: "recall",
    },
    {
      name: "A-B-A-B-A: A is answered too",
      tool: "A",
      seen: [ran("A"), ran("B"), ran("A"), recalled("B")],
      action: "recall",
    },
    {
      name: "A-B-A-B-A-B: B is refused",
      tool: "B",
      seen: [ran("A"), ran("B"), ran("A"), recalled("B"), recalled("A")],
      action: "refuse",
    },
    {
      name: "A-B-…: in the end the run ends",
      tool: "B",
      seen: [
        ran("A"),
        ran("B"),
        ran("A"),
        recalled("B"),
        recalled("A"),
        refused("B"),
        refused("A"),
      ],
      action: "stop",
    },
    { name: "a write in between counts", tool: "A", seen: [ran("A"), ran("order")], action: "run" },
    {
      name: "a write that brings the same again counts",
      tool: "A",
      seen: [ran("order"), ran("A"), ran("order")],
      action: "run",
    },
    {
      name: "a write that failed may have changed something",
      tool: "A",
      seen: [ran("A"), failed("order", "timeout")],
      action: "run",
    },
    {
      name: "a write that a person refused changed nothing",
      tool: "A",
      seen: [ran("A"), failed("order", "denied", 0)],
      action: "recall",
    },
    {
      name: "an idempotent call in between counts",
      tool: "A",
      seen: [ran("A"), ran("put")],
      action: "run",
    },
    {
      name: "a tool of unknown effect counts by its new result",
      tool: "A",
      seen: [ran("A"), ran("plain")],
      action: "run",
    },
    {
      name: "a tool of unknown effect without a new result does not count",
      tool: "A",
      seen: [ran("plain"), ran("A"), ran("plain")],
      action: "recall",
    },
    {
      name: "another tool's failure does not count",
      tool: "A",
      seen: [ran("A"), failed("B", "rejected")],
      action: "recall",
    },
    {
      name: "another tool's answer from memory does not count",
      tool: "A",
      seen: [ran("B"), ran("A"), recalled("B")],
      action: "recall",
    },
    {
      name: "the same tool with other arguments and a new result counts",
      tool: "A",
      seen: [ran("A"), ran("A", { args: { page: 2 }, content: "page 2" })],
      action: "run",
    },
    { name: "a write is a repetition too", tool: "order", seen: [ran("order")], action: "recall" },
    {
      name: "a reading tool with other arguments and a result that it brought before does not count",
      tool: "A",
      seen: [ran("A"), ran("A", { args: { page: 2 } })],
      action: "recall",
    },
    {
      name: "a tool of unknown effect with other arguments and the same result counts",
      tool: "plain",
      seen: [ran("plain"), ran("plain", { args: { page: 2 } })],
      action: "run",
    },
    {
      name: "a volatile tool runs again",
      tool: "dice",
      seen: [ran("dice"), ran("dice"), ran("dice"), ran("dice")],
      action: "run",
    },
    {
      name: "a volatile tool is refused the thirtieth time in a row",
      tool: "dice",
      seen: Array.from({ length: 29 }, () => ran("dice")),
      action: "refuse",
    },
    {
      name: "a volatile tool ends the run the thirty-first time",
      tool: "dice",
      seen: [...Array.from({ length: 29 }, () => ran("dice")), refused("dice")],
      action: "stop",
    },
    {
      name: "a volatile tool runs again after something else",
      tool: "dice",
      seen: [...Array.from({ length: 29 }, () => ran("dice")), recalled("A")],
      action: "run",
    },
    {
      name: "a failure that lasts is answered from memory",
      tool: "A",
      seen: [failed("A", "rejected")],
      action: "recall",
    },
    {
      name: "a call that a person refused is answered from memory",
      tool: "A",
      seen: [failed("A", "denied", 0)],
      action: "recall",
    },
    {
      name: "bad arguments are answered from memory",
      tool: "A",
      seen: [failed("A", "invalid_arguments", 0)],
      action: "recall",
    },
    {
      name: "an unknown tool is answered from memory",
      tool: "nope",
      seen: [failed("nope", "unknown_tool", 0)],
      action: "recall",
    },
    {
      name: "a call that was never made runs",
      tool: "A",
      seen: [failed("A", "cancelled", 0)],
      action: "run",
    },
    {
      name: "a time-out may be tried again",
      tool: "A",
      seen: [failed("A", "timeout")],
      action: "run",
    },
    {
      name: "a passing failure may be tried once more",
      tool: "A",
      seen: [failed("A", "unavailable"), failed("A", "rate_limited")],
      action: "run",
    },
    {
      name: "a passing failure is refused the fourth time",
      tool: "A",
      seen: [failed("A", "timeout"), failed("A", "timeout"), failed("A", "timeout")],
      action: "refuse",
    },
    {
      name: "a passing failure ends the run the fifth time",
      tool: "A",
      seen: [failed("A", "timeout"), failed("A", "timeout"), failed("A", "timeout"), refused("A")],
      action: "stop",
    },
    {
      name: "a success after a failure is what counts",
      tool: "A",
      seen: [failed("A", "timeout"), ran("A")],
      action: "refuse",
    },
  ])("$name", ({ tool, seen, action }) => {
    expect(judge(tool, seen)).toBe(action);
  });

  it.each([
    { name: "null turns the guard off", tolerated: null, action: "run" },
    { name: "with 4, the second and the third are answered", tolerated: 4, action: "recall" },
    { name: "with 2, the second is refused", tolerated: 2, action: "stop" },
    { name: "with 1, the second ends the run", tolerated: 1, action: "stop" },
  ])("$name", ({ tolerated, action }) => {
    expect(judge("A", [ran("A"), recalled("A")], tolerated)).toBe(action);
  });

  it("with 2, refuses the second call", () => {
    expect(judge("A", [ran("A")], 2)).toBe("refuse");
    expect(judge("A", [], 0)).toBe("run");
  });

  it("compares arguments by their meaning", () => {
    const seen = [ran("A", { args: { b: [1], a: { d: 2, c: 1 } } })];
    expect(judge("A", seen, 3, { a: { c: 1, d: 2 }, b: [1] })).toBe("recall");
    expect(judge("A", seen, 3, { a: { c: 1, d: 3 }, b: [1] })).toBe("run");
    expect(judge("A", seen, 3, { a: { c: 1, d: 2 }, b: ["1"] })).toBe("run");
  });

  it("does not take one tool's call for another's", () => {
    const seen = [ran("A", { args: { x: 1 } })];
    expect(judge('A {"x":1}', seen)).toBe("run");
    expect(judge("B", seen, 3, { x: 1 })).toBe("run");
  });

  it("gives the observation that answers, not the ones from memory", () => {
    const first = ran("A", { callId: "first" });
    const verdict = judgeRepetition({ tool: "A", args: {} }, [first, recalled("A")], policyOf, 3);
    expect(verdict).toEqual({ action: "refuse", earlier: first });
  });
});
