import { describe, expect, it } from "vitest";

import { approval } from "../../../src/tools/call/approval.js";
import type { TakenDecision } from "../../../src/state/person-requests.js";
import type { ToolPolicy } from "../../../src/tools/policy.js";
import type { ToolCallContext } from "../../../src/tools/tool-call.js";
import { observation } from "../../support/observations.js";
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
])("does not go on with %o", async (decision, given) => {
  const { result, passed } = await decidedAs(decision);
  expect(result).toMatchObject({ observation: given });
  expect(passed).toBe(0);
});

describe("a call after text from outside", () => {
  const observations = [observation({ tool: "page", trust: "untrusted" })];

  async function asked(policy: ToolPolicy, given: Partial<ToolCallContext> = {}) {
    const { request, found } = toolRequest(policy, { observations, ...given });
    const { requests, next } = rest(found);
    const result = await approval(request, next);
    const isAsked = result.kind === "asks";
    return { description: isAsked ? result.request.action.description : undefined, requests };
  }

  it.each<{ name: string; policy: ToolPolicy; says: string }>([
    {
      name: "names the tool that was read, for a write",
      policy: { effect: "write" },
      says: " Text from outside was read before (page), and may have asked for this.",
    },
    {
      name: "says nothing more where approval is the rule",
      policy: { needsApproval: true },
      says: "",
    },
  ])("asks, and $name", async ({ policy, says }) => {
    const { description, requests } = await asked(policy);
    expect(description).toBe(`Run look_up? Looks a town up.${says}`);
    expect(requests).toEqual([]);
  });

  it.each<{ name: string; given: Partial<ToolCallContext> }>([
    { name: "a person approved", given: { decision: { type: "approve" } } },
    { name: "is on record", given: { execution: { place: "task", isCommitted: true } } },
  ])("is not asked about again when it $name", async ({ given }) => {
    const { description, requests } = await asked({ effect: "write" }, given);
    expect(description).toBeUndefined();
    expect(requests).toHaveLength(1);
  });
});
