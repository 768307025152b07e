import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";

import { callModel } from "../../../src/models/call-model.js";
import { openModel } from "../../../src/models/open-model.js";
import { withHonestFetch } from "../../../src/models/provider/honest-fetch.js";
import { type ErrorInside, fault, type ServerAnswer } from "../../../src/testing/index.js";
import { inEveryWay, modelRequest, specModel, ways } from "../../support/model-request.js";
import { client, serve } from "../../testing/client.js";

const inside = (error: ErrorInside) => fault.errorInside(error);

describe("an error inside a 200", () => {
  it.each(
    inEveryWay<{ name: string; error: ErrorInside; requests: number; reason: RegExp }>([
      {
        name: "of words",
        error: { message: "overloaded inside 200" },
        requests: 3,
        reason: /HTTP 500\).*overloaded inside 200/,
      },
      { name: "of a text", error: "upstream went away", requests: 3, reason: /upstream went away/ },
      {
        name: "with code 502",
        error: { code: 502, message: "bad gateway" },
        requests: 3,
        reason: /not available \(HTTP 502\).*bad gateway/,
      },
      {
        name: "with code 429",
        error: { code: 429, message: "slow down" },
        requests: 3,
        reason: /rate limit \(HTTP 429\).*slow down/,
      },
      {
        name: "with code 401",
        error: { code: 401, message: "who are you" },
        requests: 1,
        reason: /refused the key.*who are you/,
      },
      {
        name: "with a code by name",
        error: { code: "invalid_api_key", message: "no key" },
        requests: 1,
        reason: /refused the key.*no key/,
      },
      {
        name: "of an exhausted quota",
        error: { code: "insufficient_quota", message: "pay" },
        requests: 1,
        reason: /no quota left.*pay/,
      },
      {
        name: "with code 404",
        error: { code: 404, message: "no such model" },
        requests: 1,
        reason: /HTTP 404\).*no such model/,
      },
    ]),
  )("$way is that error: $name", async ({ error, requests, reason, config }) => {
    const server = await serve({ replies: () => inside(error) });
    const { request } = modelRequest([await specModel(server)], { config: config() });
    const reply = await callModel(request);
    expect(reply).toMatchObject({ kind: "failed", reason: expect.stringMatching(reason) });
    expect(reply).not.toHaveProperty("reason", expect.stringContaining("/v1"));
    expect(server.requests).toHaveLength(requests);
    expect(server.requests.every(({ status }) => status === 200)).toBe(true);
  });

  it.each(ways)("$way is got over where it passes", async ({ config }) => {
    const late = fault.errorInside(
      { code: 503, message: "gone" },
      { reply: "half an answer", afterChunks: 2 },
    );
    const server = await serve({ replies: [inside("busy"), late, "done"] });
    const { request, sleeps } = modelRequest([await specModel(server)], { config: config() });
    expect(await callModel(request)).toMatchObject({
      kind: "replied",
      message: { content: "done" },
    });
    expect(sleeps).toHaveLength(2);
  });

  it.each(ways)("$way has a request shortened that is too long", async ({ config }) => {
    const error = { code: "context_length_exceeded", message: "maximum context length is 10" };
    const server = await serve({ replies: () => inside(error) });
    const { request } = modelRequest([await specModel(server)], { config: config() });
    expect(await callModel(request)).toMatchObject({ kind: "failed" });
    expect(server.requests.length).toBeLessThan(3);
  });

  it.each(ways)("$way is that error for an instance that is handed in", async ({ config }) => {
    for (const warm of [false, true]) {
      const answers: ServerAnswer[] = [inside({ code: 401, message: "who are you" })];
      const server = await serve({ replies: warm ? ["warm", ...answers] : answers });
      const model = client(server);
      if (warm) await model.invoke("q");
      const { request } = modelRequest([await openModel(model, {})], { config: config() });
      expect(await callModel(request)).toMatchObject({
        kind: "failed",
        status: 401,
        reason: expect.stringContaining("who are you"),
      });
    }
  });

  it("is told apart from a completion with an empty error, and inside of a choice", async () => {
    const body = {
      error: null,
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
    };
    const failed = {
      choices: [{ index: 0, error: { code: 401, message: "inner" }, finish_reason: "error" }],
    };
    const answers = [fault.status(200, { body }), fault.status(200, { body: failed })];
    const server = await serve({ replies: answers });
    const model = await specModel(server);
    expect(await callModel(modelRequest([model]).request)).toMatchObject({
      message: { content: "hi" },
    });
    expect(await callModel(modelRequest([model]).request)).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("inner"),
    });
  });
});

describe("a refusal beside the text", () => {
  it.each(inEveryWay([{ tools: [] }]))(
    "$way is told in its words, and not asked for again",
    async ({ config }) => {
      const server = await serve({ replies: [{ refusal: "I can not help with that." }] });
      const { request } = modelRequest([await specModel(server)], { config: config() });
      const reply = await callModel(request);
      expect(reply).toMatchObject({
        kind: "failed",
        cause: "refused",
        reason: expect.stringContaining("I can not help with that."),
        said: { content: "I can not help with that." },
      });
      expect(reply.usage).toMatchObject({ modelCalls: 1, tokensOut: server.usage.output });
    },
  );

  it.each(ways)("$way keeps what was written before it", async ({ config }) => {
    const server = await serve({ replies: [{ text: "First, ", refusal: "no. I stop." }] });
    const { request } = modelRequest([await specModel(server)], { config: config() });
    expect(await callModel(request)).toMatchObject({
      cause: "refused",
      said: { content: "First, no. I stop." },
    });
  });
});

it("takes a question that a provider's filter keeps back for filtered", async () => {
  const details = { code: "content_filter", message: "The prompt triggered the content filter." };
  const server = await serve({ replies: () => fault.status(400, details) });
  const { request } = modelRequest([await specModel(server), await specModel(server)]);
  expect(await callModel(request)).toMatchObject({ kind: "failed", cause: "filtered" });
  expect(server.requests).toHaveLength(1);
});

const fetchOf = (each: ChatOpenAI): unknown =>
  Reflect.get(
    Object(Reflect.get(Object(Reflect.get(each, "completions")), "clientConfig")),
    "fetch",
  );

it("wraps a fetch of the caller's own, once", async () => {
  let calls = 0;
  const own = async () => {
    calls += 1;
    const headers = { "content-type": "application/json" };
    return new Response(JSON.stringify({ error: { message: "inside", code: 403 } }), { headers });
  };
  const model = new ChatOpenAI({
    model: "x",
    apiKey: "k",
    maxRetries: 0,
    configuration: { fetch: own },
  });
  const wrapped = fetchOf(withHonestFetch(model));
  expect(wrapped).not.toBe(own);
  expect(fetchOf(withHonestFetch(model))).toBe(wrapped);
  await expect(model.invoke("q")).rejects.toMatchObject({ status: 403 });
  expect(calls).toBe(1);
});

it.each([undefined, null, "model", {}, { completions: null }])("leaves %s as it is", (other) => {
  expect(withHonestFetch(other)).toBe(other);
});
