import { expect, it } from "vitest";

import { inARow, memory } from "../../../src/tools/call/memory.js";
import { observation } from "../../support/observations.js";
import { found, rest, toolRequest } from "../../support/tool-request.js";

const earlier = observation({ callId: "c0", tool: "look_up", args: { town: "Alma" } });

/** A call as `read` hands it on. */
function asRead({ request }: ReturnType<typeof toolRequest>) {
  const { args } = request.call;
  return { ...request, arguments: { args, written: args } };
}

it("answers a call that was made before from memory", async () => {
  const run = toolRequest({}, { observations: [earlier] });
  const { requests, next } = rest(run.found);
  expect(await memory(asRead(run), next)).toMatchObject({
    observation: { content: expect.stringMatching(/^found a\n\(You already made/), attempts: 0 },
  });
  expect(requests).toEqual([]);
});

it("does not judge what a person decided, nor a new call", async () => {
  const decided = toolRequest({}, { observations: [earlier], decision: { type: "approve" } });
  expect(await memory(asRead(decided), rest(decided.found).next)).toBe(decided.found);
  const fresh = toolRequest();
  expect(await memory(asRead(fresh), rest(fresh.found).next)).toBe(fresh.found);
});

it("says how often a volatile tool was called in a row", async () => {
  const observations = [earlier, { ...earlier, callId: "c9" }];
  const { request } = toolRequest({ volatile: true }, { observations });
  const limits = { repeatedCalls: request.context.run.budget.limits.repeatedCalls };
  expect(limits).toEqual({ repeatedCalls: 3 });
  expect(await inARow(request, rest(found()).next)).toMatchObject({
    observation: { content: expect.stringContaining("3 times in a row") },
  });
  const once = toolRequest({ volatile: true });
  expect(await inARow(once.request, rest(once.found).next)).toBe(once.found);
});
