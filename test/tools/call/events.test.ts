import { expect, it } from "vitest";

import { events } from "../../../src/tools/call/events.js";
import { refused } from "../../../src/tools/tool-call.js";
import { rest, toolRequest } from "../../support/tool-request.js";

it("emits the end of a call whose tool ran", async () => {
  const { request, found, events: emitted } = toolRequest();
  expect(await events(request, rest(found).next)).toBe(found);
  expect(emitted.map(({ type }) => type)).toEqual(["tool_finished"]);
});

it("emits start and end of a call whose tool did not run", async () => {
  const { request, events: emitted } = toolRequest();
  const observation = refused(request.call, "denied", "no", request.context);
  await events(request, async () => ({ kind: "observed", observation }));
  expect(emitted.map(({ type }) => type)).toEqual(["tool_started", "tool_finished"]);
});
