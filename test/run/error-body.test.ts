import { expect, it } from "vitest";

import { statusOfBody } from "../../src/run/errors.js";

it.each([
  { name: "OpenRouter's code", error: { code: 429, message: "slow down" }, status: 429 },
  { name: "a code as text", error: { code: "502", message: "bad gateway" }, status: 502 },
  { name: "a status", error: { status: 503, message: "down" }, status: 503 },
  { name: "OpenAI's rate limit", error: { code: "rate_limit_exceeded" }, status: 429 },
  { name: "an exhausted quota", error: { code: "insufficient_quota" }, status: 402 },
  {
    name: "a wrong key",
    error: { code: "invalid_api_key", type: "invalid_request_error" },
    status: 401,
  },
  { name: "Anthropic's overload", error: { type: "overloaded_error" }, status: 503 },
  { name: "Anthropic's authentication", error: { type: "authentication_error" }, status: 401 },
  { name: "Google's word for it", error: { status: "UNAVAILABLE", code: 0 }, status: 503 },
  { name: "an unknown model", error: { code: "model_not_found" }, status: 404 },
  { name: "a context that is too long", error: { code: "context_length_exceeded" }, status: 400 },
  {
    name: "the same in words",
    error: { message: "exceeds the maximum context length" },
    status: 400,
  },
  { name: "a request that is wrong", error: { type: "invalid_request_error" }, status: 400 },
  { name: "a server's own fault", error: { type: "server_error" }, status: 500 },
  { name: "words alone", error: { message: "overloaded inside 200" }, status: 500 },
  { name: "a text alone", error: "Unexpected endpoint", status: 500 },
  { name: "a code that is no status", error: { code: 7, message: "no" }, status: 500 },
  { name: "a code of success", error: { code: 200, message: "no" }, status: 500 },
  { name: "nothing", error: {}, status: 500 },
])("$name: $status", ({ error, status }) => {
  expect(statusOfBody(error)).toBe(status);
});
