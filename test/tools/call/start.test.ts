import { expect, it } from "vitest";

import { start } from "../../../src/tools/call/start.js";
import { rest, toolRequest } from "../../support/tool-request.js";

it("counts a call and emits its start, until the limit is reached", async () => {
  const { request, found, events } = toolRequest({}, {}, { limits: { toolCalls: 1 } });
  const { requests, next } = rest(found);
  expect(await start(request, next)).toBe(found);
  expect(events).toMatchObject([{ type: "tool_started", callId: "c1" }]);
  expect(await start(request, next)).toMatchObject({
    ends: "limit",
    observation: { ok: false, error: { kind: "cancelled" }, attempts: 0 },
  });
  expect(requests).toHaveLength(1);
  expect(events).toHaveLength(1);
});

it("does not count a step of a plan, which counts its own calls", async () => {
  const { request, found, run } = toolRequest({}, {}, { limits: { toolCalls: 1 } });
  const step = { ...request, entry: { ...request.entry, counts: false } };
  expect(await start(step, rest(found).next)).toBe(found);
  expect(await start(step, rest(found).next)).toBe(found);
  expect(run.budget.reached("toolCalls")).toBeUndefined();
});

it("leaves a write whose start is not on record", async () => {
  const { request, found } = toolRequest({ effect: "write" });
  const { requests, next } = rest(found);
  expect(await start(request, next)).toEqual({
    kind: "isolated",
    call: { callId: "c1", tool: "look_up", args: { town: "Alma" }, reason: "write" },
  });
  expect(requests).toEqual([]);
});

it("lets a write go on that is on record, and what does not write", async () => {
  const write = toolRequest(
    { effect: "write" },
    { execution: { place: "task", isCommitted: true } },
  );
  expect(await start(write.request, rest(write.found).next)).toBe(write.found);
  const idempotent = toolRequest({ effect: "idempotent" });
  expect(await start(idempotent.request, rest(idempotent.found).next)).toBe(idempotent.found);
});
