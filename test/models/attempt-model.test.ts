import { describe, expect, it } from "vitest";

import { attemptModel, LimitReached, Refused } from "../../src/models/attempt-model.js";
import { addUsage, noUsage, type Usage } from "../../src/state/usage.js";
import { fault, type ServerReply } from "../../src/testing/index.js";
import { modelRequest, type RequestOptions, specModel } from "../support/model-request.js";
import { formOf } from "../support/tool-forms.js";
import { requestOf } from "../support/provider-requests.js";
import { serve } from "../testing/client.js";

const refused = fault.status(400, { message: "x does not support tools" });
const offering = requestOf({ tools: [{ type: "function", function: formOf("search", "query") }] });

async function attempt(
  replies: readonly ServerReply[],
  options: RequestOptions = {},
  sent = requestOf(),
) {
  const server = await serve({ replies });
  const { request, ledger, types, sleeps } = modelRequest([], options);
  let usage: Usage = noUsage;
  const attempted = await attemptModel(await specModel(server), request, sent, (used) => {
    usage = addUsage(usage, used);
  });
  server.assertExhausted();
  return { attempted, usage, ledger, types, sleeps, server };
}

describe("attemptModel", () => {
  it("gives the reply, and counts it", async () => {
    const { attempted, usage, types, server } = await attempt(["It is 4."]);
    expect(attempted).toMatchObject({
      ok: true,
      attempts: 1,
      value: { message: { content: "It is 4." } },
    });
    expect(usage).toMatchObject({ modelCalls: 1, tokensOut: server.usage.output });
    expect(types()).toEqual(["model_started", "model_finished"]);
  });

  it.each([408, 429, 500, 503])("makes three attempts at a %i, each counted", async (status) => {
    const failing = fault.status(status);
    const { attempted, usage, types, sleeps } = await attempt([failing, failing, failing]);
    expect(attempted).toMatchObject({ ok: false, attempts: 3, error: { status } });
    expect([usage.modelCalls, sleeps.length]).toEqual([3, 2]);
    expect(types().filter((type) => type === "model_failed")).toHaveLength(3);
    expect(types().filter((type) => type === "retry")).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])("makes one attempt at a %i", async (status) => {
    const { attempted, types } = await attempt([fault.status(status)]);
    expect(attempted).toMatchObject({ ok: false, attempts: 1, error: { status } });
    expect(types()).toEqual(["model_started", "model_failed"]);
  });

  it.each([
    { status: 400, said: "x does not support tools" },
    { status: 500, said: "tools param requires --jinja flag" },
  ])("makes one attempt at a refusal with $status that says why", async ({ status, said }) => {
    const reply = fault.status(status, { message: said });
    const { attempted, usage } = await attempt([reply], {}, offering);
    expect(attempted).toMatchObject({ ok: false, attempts: 1 });
    expect(attempted).toHaveProperty("error", expect.any(Refused));
    expect(attempted).toMatchObject({ error: { capability: "json_calls", cause: { status } } });
    expect(usage.modelCalls).toBe(1);
  });

  it("takes no refusal for one that the request was made to avoid", async () => {
    const sent = { ...offering, missing: new Set(["json_calls"] as const) };
    const { attempted } = await attempt([refused], {}, sent);
    expect(attempted).toMatchObject({ ok: false, error: { status: 400 } });
    expect(attempted).not.toHaveProperty("error", expect.any(Refused));
  });

  it("asks for no more than the limit allows", async () => {
    const { attempted, usage, types } = await attempt([fault.status(503)], {
      limits: { modelCalls: 1 },
    });
    expect(attempted).toMatchObject({ ok: false, error: { limit: "modelCalls" } });
    expect(attempted).toHaveProperty("error", expect.any(LimitReached));
    expect(usage.modelCalls).toBe(1);
    expect(types()).toEqual(["model_started", "model_failed", "retry"]);
  });

  it("makes the run's last call whatever the limit", async () => {
    const limits = { modelCalls: 0 };
    const { attempted } = await attempt(["It is 4."], { limits, closing: true, reserve: 1 });
    expect(attempted).toMatchObject({ ok: true });
  });
});
