import { GraphInterrupt } from "@langchain/langgraph";
import { expect, it } from "vitest";

import { retries } from "../../../src/tools/call/retries.js";
import { ToolError, type ToolPolicy } from "../../../src/tools/policy.js";
import { toolRequest } from "../../support/tool-request.js";

/** Runs a stage whose tool fails until an attempt. */
async function until(good: number, policy: ToolPolicy) {
  const { running, slept, events } = toolRequest(policy);
  let attempt = 0;
  const result = await retries(running, async () => {
    attempt += 1;
    if (attempt < good) throw new ToolError("unavailable", "closed");
    return "open";
  });
  return { result, slept, events };
}

it("repeats a read that failed for the moment", async () => {
  const { result, slept, events } = await until(3, { effect: "read" });
  expect(result).toEqual({ ok: true, value: "open", attempts: 3 });
  expect(slept).toHaveLength(2);
  expect(events.map(({ type }) => type)).toEqual(["retry", "retry"]);
});

it("does not repeat a write", async () => {
  const { result } = await until(2, { effect: "write" });
  expect(result).toMatchObject({ ok: false, attempts: 1 });
});

it("throws LangGraph's control flow", async () => {
  const { running } = toolRequest({ effect: "read" });
  const interrupt = new GraphInterrupt();
  await expect(retries(running, () => Promise.reject(interrupt))).rejects.toBe(interrupt);
});
