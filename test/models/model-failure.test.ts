import { describe, expect, it } from "vitest";

import { failureSentence, isTooLong } from "../../src/models/model-failure.js";
import { ClassifiedError } from "../../src/run/errors.js";

const status = (code: number, message: string) =>
  Object.assign(new Error(message), { status: code });

describe("failureSentence", () => {
  it.each([
    {
      name: "503",
      error: status(503, "503 busy"),
      says: "could not be reached or is not available (HTTP 503): 503 busy",
    },
    {
      name: "429",
      error: status(429, "slow down"),
      says: "is over its rate limit (HTTP 429): slow down",
    },
    {
      name: "401",
      error: status(401, "who?"),
      says: "refused the key, or the account has no quota left (HTTP 401): who?",
    },
    {
      name: "a time-out",
      error: new DOMException("no sign", "TimeoutError"),
      says: "did not answer in time: no sign",
    },
    { name: "400", error: status(400, "no"), says: "could not answer (HTTP 400): no" },
    {
      name: "a broken answer",
      error: new TypeError("terminated"),
      says: "could not be reached or is not available: terminated",
    },
    {
      name: "a failed connection",
      error: new TypeError("fetch failed"),
      says: "could not be reached or is not available: fetch failed",
    },
    {
      name: "no completion",
      error: new TypeError("no message"),
      says: "sent an answer that is no chat completion: check that the address is that of an OpenAI-compatible API (it mostly ends in /v1).",
    },
    {
      name: "no JSON",
      error: new SyntaxError("Unexpected <"),
      says: "sent an answer that is no chat completion: check that the address is that of an OpenAI-compatible API (it mostly ends in /v1).",
    },
    {
      name: "a broken stream",
      error: new ClassifiedError("unavailable", "broke off"),
      says: "could not be reached or is not available: broke off",
    },
    { name: "a thrown text", error: "oops", says: "could not answer: oops" },
  ])("says what happened: $name", ({ error, says }) => {
    expect(failureSentence("openai:x", error, "solver")).toBe(
      `The solver model "openai:x" ${says}`,
    );
  });

  it("is one line without stack and without key", () => {
    const key = "sk-test-0123456789abcdefghij";
    const error = status(401, `Incorrect API key provided: ${key}.\n    at file.js:1`);
    const sentence = failureSentence("openai:x", error, "solver");
    expect(sentence).not.toMatch(/\n|file\.js/);
    expect(sentence).not.toContain(key);
  });

  it("stays short", () => {
    const sentence = failureSentence("openai:x", new Error("x".repeat(9_000)), "solver");
    expect(sentence.length).toBeLessThan(500);
  });
});

describe("isTooLong", () => {
  it.each([
    {
      name: "OpenAI's words",
      error: status(400, "This model's maximum context length is 8192 tokens."),
      tooLong: true,
    },
    {
      name: "LangChain's error",
      error: Object.assign(new Error("x"), { name: "ContextOverflowError" }),
      tooLong: true,
    },
    {
      name: "another server's words",
      error: status(400, "prompt is too long: 9000 tokens"),
      tooLong: true,
    },
    {
      name: "llama.cpp's words",
      error: status(400, "the request exceeds the available context size, try increasing it"),
      tooLong: true,
    },
    { name: "another 400", error: status(400, "Unknown parameter"), tooLong: false },
    { name: "the words with another status", error: status(500, "context length"), tooLong: false },
    { name: "no error", error: "too long", tooLong: false },
  ])("tells $name: $tooLong", ({ error, tooLong }) => {
    expect(isTooLong(error)).toBe(tooLong);
  });
});
