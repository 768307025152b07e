import { describe, expect, it } from "vitest";

import { readDecisions } from "../../src/tools/human-input.js";
import { approval, askedUser } from "../support/person-requests.js";

describe("readDecisions", () => {
  it("matches decisions to requests by id, in whatever order they come", () => {
    const answer = {
      decisions: [
        { type: "approve", id: "request-b" },
        { type: "respond", message: "red", id: "request-q" },
        { type: "reject", id: "request-a" },
      ],
    };
    expect(readDecisions(answer, [askedUser, approval("a"), approval("b")])).toMatchObject({
      ok: true,
      decisions: [{ type: "respond" }, { type: "reject" }, { type: "approve" }],
    });
  });

  it.each([
    {
      name: "one for a request that is not asked",
      decisions: [{ type: "approve", id: "request-x" }],
      problem: 'no request "request-x" waits for a decision',
      isAnswered: true,
    },
    {
      name: "one for a request that is not asked among others",
      decisions: [
        { type: "approve", id: "request-a" },
        { type: "approve", id: "request-x" },
      ],
      problem: 'no request "request-x" waits for a decision',
      isAnswered: true,
    },
    {
      name: "two for one request",
      decisions: [
        { type: "approve", id: "request-a" },
        { type: "reject", id: "request-a" },
      ],
      problem: 'two decisions are for one request, and none is for "request-b"',
    },
    {
      name: "one that is missing",
      decisions: [{ type: "approve", id: "request-b" }],
      problem: "expected 2 decisions",
    },
    {
      name: "one without an id beside one with it",
      decisions: [{ type: "approve", id: "request-b" }, { type: "approve" }],
      problem: "decision 2 has no id",
    },
    {
      name: "those without an id where one is required",
      decisions: [{ type: "approve" }, { type: "approve" }],
      requireIds: true,
      problem: "decision 1 has no id",
    },
    {
      name: "an empty id where one is required",
      decisions: [
        { type: "approve", id: "" },
        { type: "approve", id: "request-b" },
      ],
      requireIds: true,
      problem: "decision 1 has no id",
    },
  ])("refuses $name", ({ decisions, problem, isAnswered, requireIds = false }) => {
    const requests = [approval("a"), approval("b")];
    const read = readDecisions({ decisions }, requests, { requireIds });
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
    expect(read.ok ? undefined : read.isAnswered).toBe(isAnswered);
  });
});
