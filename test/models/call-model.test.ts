import { getEventListeners } from "node:events";

import { describe, expect, it, vi } from "vitest";

import { callModel } from "../../src/models/call-model.js";
import { openModel } from "../../src/models/open-model.js";
import { fault, scriptedModel } from "../../src/testing/index.js";
import {
  BlockListener,
  inEveryWay,
  modelRequest,
  specModel,
  StreamListener,
  testKey,
  ways,
} from "../support/model-request.js";
import { serve } from "../testing/client.js";

const down = fault.status(503);

describe("fallbacks", () => {
  it.each(
    inEveryWay([
      { name: "is down", answer: down, requests: 3 },
      {
        name: "asks for a long wait",
        answer: fault.status(429, { retryAfter: 9_999 }),
        requests: 1,
      },
      { name: "refuses the key", answer: fault.status(401), requests: 1 },
      { name: "answers with a page", answer: fault.html(), requests: 1 },
    ]),
  )(
    "$way asks the next model at once when the first $name",
    async ({ answer, requests, config }) => {
      const first = await serve({ replies: () => answer });
      const second = await serve({ replies: ["from the second"] });
      const models = [await specModel(first, "a"), await specModel(second, "b")];
      const { request, events, sleeps } = modelRequest(models, { config: config() });
      const reply = await callModel(request);
      expect(reply).toMatchObject({ kind: "replied", message: { content: "from the second" } });
      expect(first.requests).toHaveLength(requests);
      expect(sleeps).toHaveLength(requests - 1);
      expect(reply.usage.modelCalls).toBe(requests + 1);
      expect(events).toContainEqual(
        expect.objectContaining({ type: "fallback", from: "openai:a", to: "openai:b" }),
      );
    },
  );

  it("fails with the last model's reason when none replies", async () => {
    const first = await serve({ replies: () => down });
    const second = await serve({ replies: () => fault.status(404) });
    const { request } = modelRequest([await specModel(first, "a"), await specModel(second, "b")]);
    const reply = await callModel(request);
    expect(reply).toMatchObject({ kind: "failed", reason: expect.stringContaining("openai:b") });
    expect(reply.usage.modelCalls).toBe(4);
  });

  it("fails where there is no model at all", async () => {
    const reply = await callModel(modelRequest([]).request);
    expect(reply).toMatchObject({ kind: "failed", reason: "No model is configured." });
  });

  it("does not retry an instance, which has its own retries", async () => {
    const model = scriptedModel([Object.assign(new Error("busy"), { status: 503 })]);
    const { request, sleeps } = modelRequest([await openModel(model, {})]);
    expect(await callModel(request)).toMatchObject({ kind: "failed" });
    expect(sleeps).toEqual([]);
    model.assertExhausted();
  });
});

describe("usage", () => {
  it.each(ways)("$way books what the server reported, request by request", async ({ config }) => {
    const server = await serve({
      replies: [down, "", { text: "done", usage: { input: 70, output: 7, cached: 10 } }],
    });
    const prices = { x: { input: 1, output: 10 } };
    const { request, budget } = modelRequest([await specModel(server)], {
      prices,
      config: config(),
    });
    const { usage } = await callModel(request);
    expect(usage).toMatchObject({
      modelCalls: 3,
      tokensIn: server.usage.input,
      tokensOut: server.usage.output,
    });
    expect(usage.costUsd).toBeCloseTo((server.usage.input + server.usage.output * 10) / 1e6, 12);
    expect(usage.byRole["executor"]).toMatchObject({ modelCalls: 3, tokensIn: usage.tokensIn });
    expect(usage).not.toHaveProperty("estimated");
    expect(budget.usage()).toEqual(usage);
  });

  it.each(ways)("$way estimates where the server reports nothing", async ({ config }) => {
    const server = await serve({ replies: ["an answer"], reportUsage: false });
    const { request } = modelRequest([await specModel(server)], { config: config() });
    const { usage } = await callModel(request);
    expect(usage).toMatchObject({ estimated: true, modelCalls: 1 });
    expect(usage.tokensIn).toBeGreaterThan(0);
    expect(usage.tokensOut).toBeGreaterThan(0);
  });
});

describe("limits", () => {
  it.each([
    { limits: { modelCalls: 0 }, requests: 0, limit: "modelCalls" },
    { limits: { modelCalls: 2 }, requests: 2, limit: "modelCalls" },
    { limits: { seconds: 1 }, requests: 2, limit: "seconds" },
    { limits: { tokens: 0 }, requests: 0, limit: "tokens" },
  ])("$limits stop after $requests requests", async ({ limits, requests, limit }) => {
    const server = await serve({ replies: () => down });
    const { request } = modelRequest([await specModel(server), await specModel(server)], {
      limits,
    });
    const reply = await callModel(request);
    expect(reply).toMatchObject({ kind: "limit", limit });
    expect(server.requests).toHaveLength(requests);
    expect(reply.usage.modelCalls).toBe(requests);
  });

  it.each([
    { limits: { tokens: 100 }, limit: "tokens" },
    { limits: { costUsd: 0.0001 }, limit: "costUsd" },
  ])("$limits stop a correction and the next call", async ({ limits, limit }) => {
    const server = await serve({ replies: [{ text: "", usage: { input: 90, output: 20 } }] });
    const prices = { x: { input: 1, output: 1 } };
    const { request } = modelRequest([await specModel(server)], { limits, prices });
    expect(await callModel(request)).toMatchObject({ kind: "limit", limit });
    expect(await callModel(request)).toMatchObject({ kind: "limit", limit });
    server.assertExhausted();
  });

  it("ends a running request when the seconds are over", async () => {
    const server = await serve({ replies: [fault.stall()] });
    const { request } = modelRequest([await specModel(server)], { limits: { seconds: 0.3 } });
    expect(await callModel(request)).toMatchObject({ kind: "limit", limit: "seconds" });
    server.assertExhausted();
  });

  it("do not hold back the final-answer call", async () => {
    const server = await serve({ replies: ["closing words"] });
    const limits = { modelCalls: 0, tokens: 0 };
    const { request } = modelRequest([await specModel(server)], { limits, isFinalAnswer: true });
    expect(await callModel(request)).toMatchObject({ kind: "replied" });
  });
});

describe("the caller's abort", () => {
  it.each(
    inEveryWay([
      { name: "a silent server", answer: fault.stall({ headers: false }) },
      { name: "a stalled answer", answer: fault.stalledStream("an answer that stalls") },
    ]),
  )("$way ends the wait for $name and asks nobody else", async ({ answer, config }) => {
    const server = await serve({ replies: () => answer });
    const controller = new AbortController();
    const models = [await specModel(server), await specModel(server)];
    const options = { signal: controller.signal, config: config() };
    const { request, events } = modelRequest(models, options);
    const reply = callModel(request);
    const rejected = reply.catch((error: unknown) => error);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("called off"));
    expect(await rejected).toMatchObject({ message: "called off" });
    expect(events.at(-1)).toMatchObject({ type: "model_failed", kind: "cancelled" });
    expect(server.requests).toHaveLength(1);
  });

  it("ends the pause before a retry", async () => {
    const server = await serve({ replies: () => down });
    const controller = new AbortController();
    const clock = {
      now: Date.now,
      random: () => 0.5,
      sleep: async () => {
        controller.abort(new Error("called off"));
        controller.signal.throwIfAborted();
      },
    };
    const { request } = modelRequest([await specModel(server)], {
      signal: controller.signal,
      clock,
    });
    await expect(callModel(request)).rejects.toThrow("called off");
    expect(server.requests).toHaveLength(1);
  });

  it("costs no further listener on its signal with every call", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    const { signal } = new AbortController();
    const { request, budget } = modelRequest(
      [
        await openModel(
          scriptedModel(() => "ok"),
          {},
        ),
      ],
      {
        signal,
        limits: { modelCalls: null },
      },
    );
    const listeners = () =>
      [signal, budget.signal()].map((each) => getEventListeners(each, "abort").length);
    await callModel(request);
    const atFirst = listeners();
    for (let calls = 0; calls < 200; calls += 1) await callModel(request);
    expect(listeners()).toEqual(atFirst);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});

describe("a stall", () => {
  it.each(
    inEveryWay([
      { name: "before the headers", answer: fault.stall({ headers: false }) },
      { name: "after the headers", answer: fault.stall() },
      { name: "in the middle", answer: fault.stalledStream("an answer that stalls") },
    ]),
  )("$way is given up after idleMs $name, and not retried", async ({ answer, config }) => {
    const server = await serve({ replies: () => answer });
    const { request } = modelRequest([await specModel(server)], { idleMs: 200, config: config() });
    expect(await callModel(request)).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("did not answer in time"),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    { of: "chat", listener: () => new StreamListener() },
    { of: "blocks", listener: () => new BlockListener() },
  ])("is not taken from a long, lively stream of $of", async ({ listener }) => {
    const text = "a long answer that comes slowly, word by word, and takes its time".split(/(?= )/);
    const server = await serve({ replies: [fault.slow({ text }, 40)] });
    const config = { callbacks: [listener()] };
    const { request } = modelRequest([await specModel(server)], { idleMs: 400, config });
    expect(await callModel(request)).toMatchObject({
      kind: "replied",
      message: { content: text.join("") },
    });
  });
});

it.each([
  { streamToUser: true, tags: ["mine", "role:executor"] },
  { streamToUser: false, tags: ["mine", "role:executor", "nostream"] },
])("tags the call $tags when it is for the user: $streamToUser", async ({ streamToUser, tags }) => {
  const server = await serve({ replies: ["ok"] });
  const listener = new StreamListener();
  const config = { callbacks: [listener], tags: ["mine"] };
  await callModel(modelRequest([await specModel(server)], { streamToUser, config }).request);
  expect(listener.tags).toEqual(tags);
});

it.each([401, 429, 500])("does not show the key that a %i repeats", async (status) => {
  const message = `Incorrect API key provided: ${testKey}. Authorization: Bearer ${testKey}`;
  const server = await serve({ replies: () => fault.status(status, { message }) });
  const { request, events } = modelRequest([await specModel(server)]);
  const reply = await callModel(request);
  expect(reply.kind).toBe("failed");
  expect(JSON.stringify([reply, events])).not.toContain(testKey);
});

it("tells of each attempt, with the names of the tools called", async () => {
  const server = await serve({
    replies: [down, { text: "hm", toolCalls: [{ name: "search", args: {} }] }],
  });
  const { request, events, types } = modelRequest([await specModel(server)]);
  await callModel(request);
  expect(types()).toEqual([
    "model_started",
    "model_failed",
    "retry",
    "model_started",
    "model_finished",
  ]);
  expect(events.at(-1)).toMatchObject({
    model: "openai:x",
    attempt: 2,
    toolCalls: ["search"],
    content: { text: "hm" },
  });
});
