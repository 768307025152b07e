import { describe, expect, it } from "vitest";

import { spanTree, allSpans } from "../../src/observe/span-tree.js";
import { argumentStages } from "../../src/page/model/call-view.js";
import { openRequests, requestsIn, requestsOf } from "../../src/page/model/requests.js";
import { decidedFirst, decisionLine } from "../../src/page/trace/decision-text.js";
import { paidRun, plainRun } from "../support/decided-run.js";

describe("what people were asked", () => {
  it("is found by its id, with its call and what was decided", () => {
    const found = requestsIn(paidRun("approved")).map(({ callId, tool, args, decided }) => {
      return { callId, tool, args, decision: decided?.decision };
    });
    expect(found).toEqual([
      { callId: "E2", tool: "pay", args: { to: "Ann", amount: 5 }, decision: "edit" },
      { callId: "E3", tool: "pay", args: { to: "Ben", amount: 7 }, decision: "reject" },
    ]);
  });

  it("is found by its place where its content was not kept", () => {
    const found = requestsIn(plainRun()).map(({ callId, tool, decided }) => {
      return { callId, tool, decision: decided?.decision };
    });
    expect(found).toEqual([
      { callId: "E2", tool: "", decision: "approve" },
      { callId: "E3", tool: "", decision: "reject" },
    ]);
  });

  it("is one request however often it is asked", () => {
    const events = paidRun("asked");
    expect(requestsIn([...events, ...events])).toHaveLength(2);
  });

  it("stands with its call alone", () => {
    const events = paidRun("approved");
    const about = allSpans(spanTree(events)).map((span) => ({
      name: span.name,
      asked: requestsOf(span, requestsIn(events)).map(({ callId }) => callId),
    }));
    expect(about).toEqual([
      { name: "rewoo", asked: [] },
      { name: "work", asked: [] },
      { name: "pay", asked: ["E3"] },
      { name: "pay", asked: ["E2"] },
    ]);
  });
});

it.each([
  { name: "a run that waits", events: paidRun("asked"), status: "paused", open: ["E2", "E3"] },
  {
    name: "one that ended with its requests",
    events: paidRun("asked"),
    status: "needs_input",
    open: ["E2", "E3"],
  },
  { name: "one that went on", events: paidRun("approved"), status: "running", open: [] },
  {
    name: "one whose place another question took",
    events: paidRun("asked"),
    status: "cancelled",
    open: [],
  },
] as const)("$name waits for people with $open", ({ events, status, open }) => {
  const found = openRequests(requestsIn(events), status);
  expect(found.map(({ callId }) => callId)).toEqual(open);
});

it("shows the arguments of a call before a person changed them, and after", () => {
  const events = paidRun("approved");
  const call = allSpans(spanTree(events)).find(
    ({ start }) => start.type === "tool_started" && start.callId === "E2",
  );
  if (call === undefined) throw new Error("There is no such call.");
  const planned = { to: "{{E1}}", amount: 5 };
  const traced = events.map((event) => ({ event }));
  expect(argumentStages(call, planned, traced, requestsIn(events))).toEqual([
    { as: "planned", value: planned },
    { as: "filled", value: { to: "Ann", amount: 5 } },
    { as: "changed", value: { to: "Ann", amount: 6 } },
  ]);
});

describe("what was decided in a run", () => {
  const events = paidRun("approved");
  const marks = decidedFirst(spanTree(events)[0]?.marks ?? []);

  it("stands before that the run went on", () => {
    const types = ["input_needed", "decided", "decided", "run_started"];
    expect(marks.map(({ type }) => type)).toEqual(types);
  });

  it.each([
    {
      language: "en",
      lines: [
        "E2 pay: approved as changed at 12:00 by Mia · 4.0 s after it was asked",
        "E3 pay: rejected at 12:00 by Mia: On holiday · 4.0 s after it was asked",
      ],
    },
    {
      language: "zh",
      lines: [
        "E2 pay：已按修改后的内容同意，12:00，Mia · 提出后 4.0 s",
        "E3 pay：已拒绝，12:00，Mia：On holiday · 提出后 4.0 s",
      ],
    },
  ] as const)("names the call, the time and the person: $language", ({ language, lines }) => {
    const told = marks.flatMap((mark) =>
      mark.type === "decided" ? [decisionLine(mark, requestsIn(events), language)] : [],
    );
    expect(told).toEqual(lines);
  });
});
