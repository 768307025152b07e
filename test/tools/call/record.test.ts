import { expect, it } from "vitest";

import { record } from "../../../src/tools/call/record.js";
import { rest, toolRequest } from "../../support/tool-request.js";

it("leaves a write whose start is not on record", async () => {
  const { request, found } = toolRequest({ effect: "write" });
  const { requests, next } = rest(found);
  expect(await record(request, next)).toEqual({
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
  expect(await record(write.request, rest(write.found).next)).toBe(write.found);
  const idempotent = toolRequest({ effect: "idempotent" });
  expect(await record(idempotent.request, rest(idempotent.found).next)).toBe(idempotent.found);
});
