import { describe, expect, it } from "vitest";

import { personRequests, readDecisions } from "../../src/tools/human-input.js";
import type { PersonRequest } from "../../src/tools/tool-call.js";
import { approval, askedUser } from "../support/person-requests.js";

const edited = { name: "order", args: { item: "milk", sizes: [1, null] } };

describe("personRequests", () => {
  it("puts actions and what may be answered at the same positions", () => {
    expect(personRequests([approval("a"), askedUser], () => 0)).toEqual({
      action_requests: [
        { ...approval("a").action, call_id: "a" },
        { ...askedUser.action, call_id: "q" },
      ],
      review_configs: [
        { action_name: "order", allowed_decisions: ["approve", "edit", "reject", "respond"] },
        { action_name: "ask_user", allowed_decisions: ["respond", "edit", "reject"] },
      ],
    });
    expect(personRequests([askedUser], () => 0, "wrong")).toHaveProperty("error", "wrong");
  });
});

describe("readDecisions", () => {
  it.each<{ name: string; answer: unknown; decision: unknown }>([
    {
      name: "an approval",
      answer: { decisions: [{ type: "approve" }] },
      decision: { type: "approve" },
    },
    { name: "the list itself", answer: [{ type: "approve" }], decision: { type: "approve" } },
    { name: "one decision itself", answer: { type: "approve" }, decision: { type: "approve" } },
    { name: "a rejection", answer: [{ type: "reject" }], decision: { type: "reject" } },
    {
      name: "a rejection with a reason",
      answer: [{ type: "reject", message: "no" }],
      decision: { type: "reject", message: "no" },
    },
    {
      name: "an edit in snake_case",
      answer: [{ type: "edit", edited_action: edited }],
      decision: { type: "edit", edited_action: edited },
    },
    {
      name: "an edit in camelCase",
      answer: [{ type: "edit", editedAction: edited }],
      decision: { type: "edit", edited_action: edited },
    },
    {
      name: "an edit in both spellings",
      answer: [{ type: "edit", edited_action: edited, editedAction: edited }],
      decision: { type: "edit", edited_action: edited },
    },
    {
      name: "a rejection with an undefined reason",
      answer: [{ type: "reject", message: undefined }],
      decision: { type: "reject" },
    },
    {
      name: "an approval as Agent Inbox writes it",
      answer: { decisions: [{ type: "approve", args: { action: "order", args: edited.args } }] },
      decision: { type: "approve" },
    },
    {
      name: "an edit as Agent Inbox writes it",
      answer: { decisions: [{ type: "edit", args: { action: "order", args: edited.args } }] },
      decision: { type: "edit", edited_action: edited },
    },
    {
      name: "a rejection as Agent Inbox writes it",
      answer: { decisions: [{ type: "reject", args: "no" }] },
      decision: { type: "reject", message: "no" },
    },
    {
      name: "a result in the tool's place",
      answer: { decisions: [{ type: "respond", message: "sold out" }] },
      decision: { type: "respond", message: "sold out" },
    },
    {
      name: "what Agent Inbox ignores, as a rejection",
      answer: { decisions: [{ type: "ignore", args: null }] },
      decision: { type: "reject" },
    },
    {
      name: "a decision with fields of its own",
      answer: [{ type: "approve", mood: "good" }],
      decision: { type: "approve" },
    },
    {
      name: "a decision that says who took it",
      answer: [{ type: "approve", by: "Ann" }],
      decision: { type: "approve", by: "Ann" },
    },
    {
      name: "what Agent Inbox sends for a refusal, with the id of its request",
      answer: [{ type: "ignore", id: "request-a" }],
      decision: { type: "reject", id: "request-a" },
    },
  ])("reads $name", ({ answer, decision }) => {
    expect(readDecisions(answer, [approval("a")])).toEqual({ ok: true, decisions: [decision] });
  });

  it.each<{ name: string; answer: unknown }>([
    { name: "a text", answer: "the red one" },
    { name: "a text in the list", answer: ["the red one"] },
    { name: "a text among decisions", answer: { decisions: ["the red one"] } },
    { name: "a response", answer: { decisions: [{ type: "respond", message: "the red one" }] } },
    {
      name: "what Agent Inbox sends for a response",
      answer: { decisions: [{ type: "reject", args: "the red one" }] },
    },
  ])("reads the answer to a question from $name", ({ answer }) => {
    const decisions = [{ type: "respond", message: "the red one" }];
    expect(readDecisions(answer, [askedUser])).toEqual({ ok: true, decisions });
  });

  it("matches decisions to requests by position", () => {
    const answer = { decisions: ["red", { type: "reject" }, { type: "approve" }] };
    expect(readDecisions(answer, [askedUser, approval("a"), approval("b")])).toEqual({
      ok: true,
      decisions: [{ type: "respond", message: "red" }, { type: "reject" }, { type: "approve" }],
    });
  });

  it.each<{ name: string; answer: unknown; requests: readonly PersonRequest[]; problem: string }>([
    {
      name: "nothing",
      answer: undefined,
      requests: [askedUser],
      problem: "expected { decisions: [ … ] } with 1 decision, got undefined.",
    },
    { name: "null", answer: null, requests: [askedUser], problem: "got null." },
    {
      name: "true",
      answer: true,
      requests: [approval("a"), askedUser],
      problem: "with 2 decisions, got true.",
    },
    {
      name: "an object of another kind",
      answer: { ok: 1 },
      requests: [askedUser],
      problem: 'got {"ok":1}.',
    },
    {
      name: "decisions that are no list",
      answer: { decisions: "approve" },
      requests: [approval("a")],
      problem: "with 1 decision",
    },
    {
      name: "too few",
      answer: [{ type: "approve" }],
      requests: [approval("a"), approval("b")],
      problem: "expected 2 decisions, one for each request in order, got 1.",
    },
    {
      name: "too many",
      answer: [{ type: "approve" }, { type: "approve" }],
      requests: [approval("a")],
      problem: "expected 1 decision, one for each request in order, got 2.",
    },
    {
      name: "one text for several",
      answer: "yes",
      requests: [askedUser, askedUser],
      problem: "expected 2 decisions",
    },
    { name: "none", answer: [], requests: [approval("a")], problem: "got 0" },
    {
      name: "an unknown decision",
      answer: [{ type: "accept" }],
      requests: [approval("a")],
      problem:
        'decision 1 (order): expected one of approve, edit, reject, respond, got {"type":"accept"}.',
    },
    {
      name: "a text where approval is asked",
      answer: ["sure"],
      requests: [approval("a")],
      problem: 'expected one of approve, edit, reject, respond, got "sure".',
    },
    {
      name: "an approval of a question",
      answer: [{ type: "approve" }],
      requests: [askedUser],
      problem:
        'decision 1 (ask_user): "approve" is not allowed here; expected one of respond, edit, reject.',
    },
    {
      name: "an edit without an action",
      answer: [{ type: "edit" }],
      requests: [approval("a")],
      problem: "expected one of approve, edit, reject",
    },
    {
      name: "an edit without arguments",
      answer: [{ type: "edit", edited_action: { name: "order" } }],
      requests: [approval("a")],
      problem: "expected one of",
    },
    {
      name: "an edit of Agent Inbox without an action",
      answer: [{ type: "edit", args: "milk" }],
      requests: [approval("a")],
      problem: "expected one of",
    },
    {
      name: "an edit with what is no JSON",
      answer: [{ type: "edit", edited_action: { name: "order", args: { at: new Date(0) } } }],
      requests: [approval("a")],
      problem: "expected one of",
    },
    {
      name: "an edit that changes the tool",
      answer: [{ type: "edit", edited_action: { name: "pay", args: {} } }],
      requests: [approval("a")],
      problem: 'the edited action must stay "order", got "pay".',
    },
    {
      name: "a wrong one behind a right one",
      answer: [{ type: "approve" }, 3],
      requests: [approval("a"), approval("b")],
      problem: "decision 2 (order): expected one of approve, edit, reject, respond, got 3.",
    },
  ])("refuses $name", ({ answer, requests, problem }) => {
    expect(readDecisions(answer, requests)).toEqual({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });

  it("quotes at most 200 characters of what came", () => {
    const read = readDecisions([{ type: "x".repeat(5_000) }], [approval("a")]);
    expect(JSON.stringify(read).length).toBeLessThan(400);
  });
});
