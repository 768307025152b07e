import { expect, it } from "vitest";

import { report } from "../../../src/tools/call/report.js";
import { refused } from "../../../src/tools/tool-call.js";
import { rest, toolRequest } from "../../support/tool-request.js";

const record = { requestId: "r1", type: "approve", askedAt: 1, at: 2 } as const;

it("emits the end of a call whose tool ran", async () => {
  const { request, found, events: emitted } = toolRequest();
  expect(await report(request, rest(found).next)).toEqual(found);
  expect(emitted.map(({ type }) => type)).toEqual(["tool_finished"]);
});

it("emits start and end of a call whose tool did not run", async () => {
  const { request, events: emitted } = toolRequest();
  const observation = refused(request.call, "denied", "no", request.context);
  await report(request, async () => ({ kind: "observed", observation }));
  expect(emitted.map(({ type }) => type)).toEqual(["tool_started", "tool_finished"]);
});

it("keeps what a person decided with the observation", async () => {
  const { request, found } = toolRequest({}, { decision: { type: "approve", record } });
  expect(await report(request, rest(found).next)).toMatchObject({
    observation: { content: "12000 live in Alma.", decisions: [record] },
  });
});

it("changes nothing where nobody decided", async () => {
  const { request, found } = toolRequest();
  expect(await report(request, rest(found).next)).toEqual(found);
});
