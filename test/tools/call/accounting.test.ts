import { expect, it } from "vitest";

import { accounting } from "../../../src/tools/call/accounting.js";
import { rest, toolRequest } from "../../support/tool-request.js";

it("counts a call and emits its start, until the limit is reached", async () => {
  const { request, found, events } = toolRequest({}, {}, { limits: { toolCalls: 1 } });
  const { requests, next } = rest(found);
  expect(await accounting(request, next)).toBe(found);
  expect(events).toMatchObject([{ type: "tool_started", callId: "c1" }]);
  expect(await accounting(request, next)).toMatchObject({
    ends: "limit",
    observation: { ok: false, error: { kind: "cancelled" }, attempts: 0 },
  });
  expect(requests).toHaveLength(1);
  expect(events).toHaveLength(1);
});

it("does not count a step of a plan, which counts its own calls", async () => {
  const { request, found, run } = toolRequest({}, {}, { limits: { toolCalls: 1 } });
  const step = { ...request, entry: { ...request.entry, counts: false } };
  expect(await accounting(step, rest(found).next)).toBe(found);
  expect(await accounting(step, rest(found).next)).toBe(found);
  expect(run.budget.reached("toolCalls")).toBeUndefined();
});
