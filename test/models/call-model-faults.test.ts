import { beforeEach, describe, expect, it, vi } from "vitest";

import { callModel } from "../../src/models/call-model.js";
import { fault, type ServerAnswer } from "../../src/testing/index.js";
import { inEveryWay, modelRequest, specModel } from "../support/model-request.js";
import { serve } from "../testing/client.js";

// The OpenAI client prints a streamed event that it cannot parse.
beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
  return () => vi.restoreAllMocks();
});

// Streamed, such an answer looks to the client like one without chunks.
const noCompletion = /no chat completion|empty response/;

const down = fault.status(503);
const limited = (retryAfter: number | string) => fault.status(429, { retryAfter });

it.each(
  inEveryWay<{ name: string; answers: readonly ServerAnswer[]; slept: number[] }>([
    { name: "503", answers: [down], slept: [375] },
    { name: "503 twice", answers: [down, down], slept: [375, 750] },
    { name: "500", answers: [fault.status(500)], slept: [375] },
    { name: "408", answers: [fault.status(408)], slept: [375] },
    { name: "429 without a time", answers: [fault.status(429)], slept: [375] },
    { name: "429 with Retry-After", answers: [limited(7)], slept: [7_000] },
    {
      name: "503 with Retry-After",
      answers: [fault.status(503, { retryAfter: 2 })],
      slept: [2_000],
    },
    { name: "a reset connection", answers: [fault.reset()], slept: [375] },
    { name: "a broken answer", answers: [fault.brokenStream("an answer")], slept: [375] },
    {
      name: "an answer broken near its start",
      answers: [fault.brokenStream("an answer", 1)],
      slept: [375],
    },
  ]),
)("$way recovers after $name", async ({ answers, slept, config }) => {
  const server = await serve({ replies: [...answers, "recovered"] });
  const { request, sleeps, budget, types } = modelRequest([await specModel(server)], {
    config: config(),
  });
  const reply = await callModel(request);
  expect(reply).toMatchObject({ kind: "replied", message: { content: "recovered" } });
  expect(sleeps).toEqual(slept);
  expect(reply.usage.modelCalls).toBe(server.requests.length);
  expect(budget.usage()).toEqual(reply.usage);
  expect(types().filter((type) => type === "retry")).toHaveLength(slept.length);
  server.assertExhausted();
});

describe("gives up", () => {
  it.each(
    inEveryWay<{ name: string; answer: ServerAnswer; requests: number; reason: RegExp }>([
      { name: "503", answer: down, requests: 3, reason: /not available \(HTTP 503\)/ },
      { name: "429", answer: limited(1), requests: 3, reason: /rate limit \(HTTP 429\)/ },
      {
        name: "429 with a huge Retry-After",
        answer: limited(9_999),
        requests: 1,
        reason: /rate limit/,
      },
      {
        name: "429 with no quota left",
        answer: fault.status(429, { code: "insufficient_quota" }),
        requests: 1,
        reason: /quota/,
      },
      { name: "400", answer: fault.status(400), requests: 1, reason: /HTTP 400/ },
      { name: "401", answer: fault.status(401), requests: 1, reason: /refused the key/ },
      { name: "403", answer: fault.status(403), requests: 1, reason: /HTTP 403/ },
      { name: "404", answer: fault.status(404), requests: 1, reason: /HTTP 404/ },
      { name: "422", answer: fault.status(422), requests: 1, reason: /HTTP 422/ },
      {
        name: "a reset connection",
        answer: fault.reset(),
        requests: 3,
        reason: /could not be reached/,
      },
      {
        name: "a broken answer",
        answer: fault.brokenStream("an answer"),
        requests: 3,
        reason: /not available/,
      },
      { name: "no choices", answer: fault.emptyChoices(), requests: 1, reason: noCompletion },
      { name: "a web page", answer: fault.html(), requests: 1, reason: noCompletion },
      {
        name: "malformed JSON",
        answer: fault.malformedBody(),
        requests: 1,
        reason: /no chat completion/,
      },
    ]),
  )("$way on $name after $requests requests", async ({ answer, requests, reason, config }) => {
    const server = await serve({ replies: () => answer });
    const { request } = modelRequest([await specModel(server)], { config: config() });
    const reply = await callModel(request);
    expect(server.requests).toHaveLength(requests);
    expect(reply).toMatchObject({ kind: "failed", reason: expect.stringMatching(reason) });
    expect(reply.usage.modelCalls).toBe(requests);
  });
});
