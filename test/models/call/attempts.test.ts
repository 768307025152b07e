import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { accounting } from "../../../src/models/call/accounting.js";
import { invoke } from "../../../src/models/call/invoke.js";
import { retries } from "../../../src/models/call/retries.js";
import type { ModelCall } from "../../../src/models/call/stage.js";
import { CallFailed } from "../../../src/models/model-failure.js";
import type { Reply } from "../../../src/models/model-request.js";
import { Refused } from "../../../src/models/provider/refusals.js";
import { stages } from "../../../src/run/stages.js";
import { fault, type ServerReply } from "../../../src/testing/index.js";
import { modelCall } from "../../support/model-call.js";
import { type RequestOptions, specModel } from "../../support/model-request.js";
import { serve } from "../../testing/client.js";

const search = tool(() => "found", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const tools = [search];

const road = stages<ModelCall, Reply>().through(retries).through(accounting).to(invoke);

async function attempt(replies: readonly ServerReply[], options: RequestOptions = {}) {
  const server = await serve({ replies });
  const { call, ...run } = modelCall(await specModel(server), options);
  const outcome = await road(call).then(
    (reply) => ({ reply, error: undefined }),
    (error: unknown) => ({ reply: undefined, error }),
  );
  server.assertExhausted();
  return { ...outcome, ...run, usage: run.usage(), server };
}

describe("an attempt", () => {
  it("gives the reply, and counts it", async () => {
    const { reply, usage, types, server } = await attempt(["It is 4."]);
    expect(reply).toMatchObject({ message: { content: "It is 4." }, model: "openai:x" });
    expect(usage).toMatchObject({ modelCalls: 1, tokensOut: server.usage.output });
    expect(types()).toEqual(["model_started", "model_finished"]);
  });

  it.each([408, 429, 500, 503])("makes three attempts at a %i, each counted", async (status) => {
    const failing = fault.status(status);
    const { error, usage, types, sleeps } = await attempt([failing, failing, failing]);
    expect(error).toMatchObject({ status });
    expect([usage.modelCalls, sleeps.length]).toEqual([3, 2]);
    expect(types().filter((type) => type === "model_failed")).toHaveLength(3);
    expect(types().filter((type) => type === "retry")).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])("makes one attempt at a %i", async (status) => {
    const { error, types } = await attempt([fault.status(status)]);
    expect(error).toMatchObject({ status });
    expect(types()).toEqual(["model_started", "model_failed"]);
  });

  it.each([
    { status: 400, said: "x does not support tools" },
    { status: 500, said: "tools param requires --jinja flag" },
  ])("makes one attempt at a refusal with $status that says why", async ({ status, said }) => {
    const reply = fault.status(status, { message: said });
    const { error, usage } = await attempt([reply], { tools });
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ capability: "json_calls", cause: { status } });
    expect(usage.modelCalls).toBe(1);
  });

  it("takes no refusal for one where no other way is allowed", async () => {
    const refused = fault.status(400, { message: "x does not support tools" });
    const { error } = await attempt([refused], { tools, protocol: "native" });
    expect(error).toMatchObject({ status: 400 });
    expect(error).not.toBeInstanceOf(Refused);
  });

  it("asks for no more than the limit allows", async () => {
    const { error, usage, types } = await attempt([fault.status(503)], {
      limits: { modelCalls: 1 },
    });
    expect(error).toBeInstanceOf(CallFailed);
    expect(error).toMatchObject({ failure: { kind: "limit", limit: "modelCalls" } });
    expect(usage.modelCalls).toBe(1);
    expect(types()).toEqual(["model_started", "model_failed", "retry"]);
  });

  it("makes the run's last call whatever the limit", async () => {
    const limits = { modelCalls: 0 };
    const { reply } = await attempt(["It is 4."], { limits, isFinalAnswer: true, reserve: 1 });
    expect(reply).toMatchObject({ message: { content: "It is 4." } });
  });
});
