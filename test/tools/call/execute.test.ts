import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { parentRunOf } from "../../../src/run/scope.js";
import { execute } from "../../../src/tools/call/execute.js";
import { toolRequest } from "../../support/tool-request.js";

it("invokes the tool", async () => {
  expect(await execute(toolRequest().running)).toMatchObject({ content: "12000 live in Alma." });
});

it("gives the tool a key of the call and the run that it works for", async () => {
  const { running } = toolRequest();
  const seen: unknown[] = [];
  const told = tool(
    (_, config) => {
      seen.push(config.metadata?.["idempotencyKey"], parentRunOf(config)?.of);
      return "";
    },
    { name: "told", description: "d", schema: z.object({}) },
  );
  await execute({ ...running, entry: { ...running.entry, tool: told } });
  await execute({ ...running, entry: { ...running.entry, tool: told } });
  const [key, of] = seen;
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(of).toEqual({ runId: "run-1", callId: "c1" });
  expect(seen[2]).toBe(key);
});

it("stops waiting for a tool whose time is over", async () => {
  const { running } = toolRequest({ timeoutMs: 5 });
  const deaf = tool(() => new Promise<string>(() => {}), {
    name: "deaf",
    description: "d",
    schema: z.object({}),
  });
  await expect(
    execute({ ...running, entry: { ...running.entry, tool: deaf } }),
  ).rejects.toMatchObject({ name: "TimeoutError" });
});
