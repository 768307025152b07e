import { expect, it } from "vitest";

import { approval } from "../../../src/tools/call/approval.js";
import type { TakenDecision } from "../../../src/state/person-requests.js";
import { rest, toolRequest } from "../../support/tool-request.js";

async function decidedAs(decision?: TakenDecision) {
  const { request, found } = toolRequest({ needsApproval: true }, { decision });
  const { requests, next } = rest(found);
  return { result: await approval(request, next), passed: requests.length };
}

it("asks a person and does not go on", async () => {
  const { result, passed } = await decidedAs();
  expect(result).toMatchObject({ kind: "asks", calledWith: { town: "Alma" } });
  expect(passed).toBe(0);
});

it("goes on with what a person approved", async () => {
  const { result, passed } = await decidedAs({ type: "approve" });
  expect(result.kind).toBe("observed");
  expect(passed).toBe(1);
});

it.each<readonly [TakenDecision, object]>([
  [
    { type: "reject", message: "not now" },
    { ok: false, error: { kind: "denied" } },
  ],
  [
    { type: "respond", message: "12" },
    { ok: true, content: "12", attempts: 1 },
  ],
])("does not go on with %o", async (decision, observation) => {
  const { result, passed } = await decidedAs(decision);
  expect(result).toMatchObject({ observation });
  expect(passed).toBe(0);
});
