import { describe, expect, it } from "vitest";

import { boundCommand } from "../../src/server/bound-command.js";

const request = { id: "req_1", name: "pay", args: {}, description: "Run pay?" };
const asked = {
  action_requests: [request],
  review_configs: [{ action_name: "pay", allowed_decisions: ["approve", "reject"] }],
};
const interrupt = "c25f9a517950b662f7526c893ae30181";
const paused = { task: [{ id: interrupt, value: asked }] };
const other = { task: [{ id: interrupt, value: "Which tea?" }] };
const named = { decisions: [{ type: "approve", id: "req_1" }] };
const nameless = { decisions: [{ type: "approve" }] };

const strict = { requireDecisionIds: true };
const lax = { requireDecisionIds: false };

describe("the command of a run", () => {
  it.each([
    { name: "no command", kwargs: {}, interrupts: paused },
    { name: "no answer", kwargs: { command: { goto: "agent" } }, interrupts: paused },
    {
      name: "an answer by interrupt",
      kwargs: { command: { resume: { [interrupt]: nameless } } },
      interrupts: paused,
    },
    { name: "nothing that waits", kwargs: { command: { resume: "green" } }, interrupts: {} },
    {
      name: "several questions",
      kwargs: { command: { resume: named } },
      interrupts: { one: paused.task, two: other.task },
    },
    {
      name: "interrupts that are none",
      kwargs: { command: { resume: named } },
      interrupts: { task: [null, { value: 1 }], rest: "none" },
    },
  ])("stays as it is: $name", ({ kwargs, interrupts }) => {
    expect(boundCommand(kwargs, interrupts, strict)).toEqual({});
  });

  it("binds decisions to the requests that the thread had", () => {
    const bound = { command: { resume: named } };
    expect(boundCommand({ command: { resume: named } }, paused, strict)).toEqual(bound);
    expect(boundCommand({ command: { resume: nameless } }, paused, lax)).toEqual(bound);
  });

  it("binds another answer to the one interrupt that the thread had", () => {
    const command = { resume: "green", update: { note: "x" } };
    expect(boundCommand({ command }, other, strict)).toEqual({
      command: { update: { note: "x" }, resume: { [interrupt]: "green" } },
    });
  });

  it.each([
    { name: "a decision without an id", resume: nameless, interrupts: paused },
    { name: "a text", resume: "yes", interrupts: paused },
    { name: "a decision when nothing waits any more", resume: nameless, interrupts: {} },
  ])("is refused where ids are required: $name", ({ resume, interrupts }) => {
    expect(() => boundCommand({ command: { resume } }, interrupts, strict)).toThrow(
      /^Decision 1 names no request: expected the `id` of its action request/,
    );
    expect(() => boundCommand({ command: { resume } }, interrupts, lax)).not.toThrow();
  });
});
