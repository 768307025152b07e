import { describe, expect, it } from "vitest";

import { judgeCrashes } from "../support/crash-checks.js";
import type { CrashEntry, CrashNote, FinishedRun } from "../support/crash-log.js";

// What finds a broken promise in a log must itself find each.

const receipts = ["receipt-000000000001"];
const finishedRun: FinishedRun = {
  answer: "Done: E1, E2.",
  usage: { modelCalls: 2, toolCalls: 2 },
  doubtful: [],
  untold: [],
};

function entry(process: number, note: CrashNote): CrashEntry {
  const { kind, call = "", tool = "", key = "", receipts: given = [], finished } = note;
  return { kind, process, at: 0, thread: "", call, tool, key, receipts: given, finished };
}

const price = { call: "price E1", tool: "price", key: "1", receipts };
const order = { call: "order E2", tool: "order", key: "2", receipts: ["receipt-000000000002"] };
const priced = [
  entry(1, { kind: "call_began", ...price, receipts: [] }),
  entry(1, { kind: "call_ended", ...price }),
];
const ordering = entry(1, { kind: "call_began", ...order, receipts });
const killed = entry(1, { kind: "killed" });
const knowing = entry(2, { kind: "started", receipts });
const ordered = [
  entry(2, { kind: "call_began", ...order, receipts }),
  entry(2, { kind: "call_ended", ...order }),
];

function ended(process: number, given: Partial<FinishedRun> = {}) {
  const finished = { ...finishedRun, ...given };
  return [
    entry(process, { kind: "finished", finished }),
    entry(process, { kind: "finished_again", finished }),
  ];
}

const undisturbed = [...priced, ...ordered, ...ended(1)];
const asked = entry(2, { kind: "asked", tool: "order" });
const approved = entry(3, { kind: "approved", tool: "order" });
const orderedLater = ordered.map((each) => ({ ...each, process: 3 }));
const doubtful = ["order"];

describe("a log of crashes", () => {
  it.each([
    { name: "a run that goes on", log: [...priced, killed, knowing, ...ordered, ...ended(2)] },
    {
      name: "a call that was not on record",
      log: [...priced, killed, entry(2, { kind: "started" }), ...priced, ...ordered, ...ended(2)],
    },
    {
      name: "a write that was asked about",
      log: [
        ...priced,
        ordering,
        killed,
        knowing,
        asked,
        approved,
        ...orderedLater,
        ...ended(3, { doubtful }),
      ],
    },
  ])("with $name is right", ({ log }) => {
    expect(judgeCrashes(log, undisturbed, "approve").problems).toEqual([]);
  });

  it.each([
    {
      name: "a call on record that is made again",
      log: [...priced, killed, knowing, ...priced.slice(0, 1), ...ordered, ...ended(2)],
      problem: "price E1 was on record and was made again",
    },
    {
      name: "a result that a model was told and that is lost",
      log: [
        ...priced,
        entry(1, { kind: "model_began", receipts }),
        killed,
        entry(2, { kind: "started" }),
        ...ended(2),
      ],
      problem: "model_began  had results that are not on record",
    },
    {
      name: "a write that is run again by itself",
      log: [ordering, killed, knowing, ...ordered, ...ended(2)],
      problem: "order began 2 times, approved: 0",
    },
    {
      name: "a crash inside a write that nobody is asked about",
      log: [ordering, killed, knowing, ...ended(2)],
      problem: "a crash fell inside order, and nobody was asked",
    },
    {
      name: "a question without the mark",
      log: [ordering, killed, knowing, asked, ...ended(2)],
      problem: "order was asked about: true, marked: false",
    },
    {
      name: "another idempotency key after the crash",
      log: [
        ordering,
        killed,
        knowing,
        asked,
        approved,
        entry(3, { kind: "call_began", ...order, key: "3" }),
        ...ended(3, { doubtful }),
      ],
      problem: "1 calls have these keys: order E2 2, order E2 3",
    },
    {
      name: "another answer",
      log: [...priced, ...ended(1, { answer: "Done: E1." })],
      problem:
        "Done: E1. (2 model calls, 2 tool calls) instead of Done: E1, E2. (2 model calls, 2 tool calls)",
    },
    { name: "no end", log: priced, problem: "the run did not end" },
  ])("with $name is wrong", ({ log, problem }) => {
    expect(judgeCrashes(log, undisturbed, "approve").problems).toContain(problem);
  });

  it("with a write that had not begun, and that a person did not want, is right", () => {
    const log = [...priced, killed, knowing, asked];
    const usage = { modelCalls: 2, toolCalls: 1 };
    const last = ended(3, { doubtful, answer: "Done: E1.", usage });
    expect(judgeCrashes([...log, ...last], undisturbed, "reject").problems).toEqual([]);
  });

  it("tells where the kills fell", () => {
    const began = entry(2, { kind: "model_began" });
    const log = [
      ordering,
      killed,
      began,
      entry(2, { kind: "killed" }),
      entry(3, { kind: "killed" }),
    ];
    expect(judgeCrashes(log, undisturbed, "approve").kills).toEqual({
      write: 1,
      call: 0,
      model: 1,
      elsewhere: 1,
    });
  });
});
