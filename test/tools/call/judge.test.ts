import { expect, it } from "vitest";

import { judge } from "../../../src/tools/call/judge.js";
import { ToolError } from "../../../src/tools/policy.js";
import { toolRequest } from "../../support/tool-request.js";

it("makes an observation of what a tool returned, capped and fenced", async () => {
  const { request } = toolRequest({ trust: "untrusted", maxResultChars: 100 });
  const result = await judge(request, async () => ({
    ok: true,
    value: "a".repeat(500),
    attempts: 2,
  }));
  expect(result).toMatchObject({ observation: { ok: true, attempts: 2, trust: "untrusted" } });
  const content = result.kind === "observed" ? result.observation.content : "";
  expect(content).not.toContain("a".repeat(101));
  expect(content).toContain("look_up");
});

it("makes an observation of an error", async () => {
  const { request } = toolRequest({ effect: "read" });
  const error = new ToolError("unavailable", "closed");
  expect(await judge(request, async () => ({ ok: false, error, attempts: 3 }))).toMatchObject({
    observation: { ok: false, content: "Error (unavailable): closed", attempts: 3 },
  });
});

it("makes a hand-off of a sub-run that ended with one", async () => {
  const { request } = toolRequest();
  const run = { id: "r2", outcome: { status: "answered" }, observations: [] } as const;
  const result = await judge(request, async ({ last }) => {
    last.end = { kind: "ended", run, handsOff: "a person is wanted" };
    return { ok: true, value: "", attempts: 1 };
  });
  expect(result).toMatchObject({
    ends: "handed_off",
    handedOver: { reason: "a person is wanted" },
  });
});
