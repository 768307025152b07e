import { expect, it } from "vitest";

import { decisionsIn } from "../../src/cli/trace-decisions.js";
import type { AgentEvent } from "../../src/observe/events.js";

const origin = { runId: "r1", node: "tools" };
const due = "2026-03-01T12:00:00.000Z";
const asked: AgentEvent = {
  ...origin,
  at: 1,
  type: "input_needed",
  callIds: ["1"],
  content: {
    requests: {
      action_requests: [
        { id: "q1", name: "send", args: {}, description: "Send?", expires_at: due },
      ],
      review_configs: [],
    },
  },
};
const late = Date.parse(due) + 1;

/** An answer to the request, or to another one. */
const decided = (more: object): AgentEvent => ({
  ...origin,
  at: Date.parse(due),
  type: "decided",
  requestId: "q1",
  decision: "approve",
  ms: 5,
  ...more,
});

it.each([
  { is: "an approval in time", event: {}, decision: "approve" },
  { is: "an approval without content", event: { content: {} }, decision: "approve" },
  { is: "a refusal", event: { decision: "reject", content: {} }, decision: "reject" },
  {
    is: "a refusal with a reason",
    event: { decision: "reject", content: { message: "No." } },
    decision: { type: "reject", message: "No." },
  },
  {
    is: "an answer",
    event: { decision: "respond", content: { message: "Blue." } },
    decision: { type: "respond", message: "Blue." },
  },
  {
    is: "an edit",
    event: { decision: "edit", content: { edited_action: { name: "send", args: { to: "a" } } } },
    decision: { type: "edit", edited_action: { name: "send", args: { to: "a" } } },
  },
])("reads $is", ({ event, decision }) => {
  expect(decisionsIn([asked, decided(event)])).toEqual({ decisions: [decision] });
});

it.each([
  { is: "came after its time", event: { at: late }, why: "the decision on send came too late" },
  {
    is: "has no content",
    event: { decision: "reject" },
    why: "what a person said of send is not in the trace",
  },
  {
    is: "has no words",
    event: { decision: "respond", content: {} },
    why: "what a person said of send is not in the trace",
  },
  {
    is: "edits nothing",
    event: { decision: "edit", content: {} },
    why: "what a person said of send is not in the trace",
  },
  {
    is: "has masked words",
    event: { decision: "reject", content: { message: "[redacted]" }, redacted: true },
    why: "what a person said of send was redacted",
  },
  {
    is: "has masked arguments",
    event: {
      decision: "edit",
      content: { edited_action: { name: "send", args: { to: "[redacted]" } } },
      redacted: true,
    },
    why: "the arguments of send were redacted",
  },
  {
    is: "is on a request that is not there",
    event: { requestId: "q2" },
    why: "a request to a person was not kept",
  },
])("says why a decision is not known that $is", ({ event, why }) => {
  expect(decisionsIn([asked, decided(event)])).toEqual({ why });
});

it("knows no decision on a request that nobody answered", () => {
  expect(decisionsIn([asked])).toEqual({ decisions: [] });
});

it("takes the last decision on a request that was asked twice", () => {
  const events = [asked, decided({ decision: "reject", content: {} }), asked, decided({})];
  expect(decisionsIn(events)).toEqual({ decisions: ["approve"] });
});
