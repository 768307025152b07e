import { describe, expect, it } from "vitest";

import { ClassifiedError, classifyError } from "../../src/run/errors.js";
import { ToolError } from "../../src/tools/policy.js";
import { unreadable } from "../support/unreadable-errors.js";

const failure = (fields: object, message = "no") => Object.assign(new Error(message), fields);

const fetchFailed = (cause?: object) => new TypeError("fetch failed", { cause });
const mayBeDone = (error: unknown) => classifyError(error).isEffectUnknown ?? false;

describe("whether what was asked may have been done", () => {
  it.each<{ name: string; error: unknown; isOpen: boolean }>([
    ...[400, 401, 403, 404, 409, 422, 429, 501, 503, 529].map((status) => ({
      name: `status ${status}`,
      error: failure({ status }),
      isOpen: false,
    })),
    ...[500, 502, 504, 520, 524].map((status) => ({
      name: `status ${status}`,
      error: failure({ status }),
      isOpen: true,
    })),
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"].flatMap((code) => [
      { name: code, error: failure({ code }), isOpen: false },
      { name: `${code} of a fetch`, error: fetchFailed(failure({ code })), isOpen: false },
    ]),
    ...["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "HPE_INVALID_CONSTANT"].flatMap(
      (code) => [
        { name: code, error: failure({ code }), isOpen: true },
        { name: `${code} of a fetch`, error: fetchFailed(failure({ code })), isOpen: true },
      ],
    ),
    { name: "a fetch that fails without a cause", error: fetchFailed(), isOpen: true },
    { name: "an answer that breaks off", error: new TypeError("terminated"), isOpen: true },
    { name: "what a tool says", error: new ToolError("unavailable", "closed"), isOpen: false },
    { name: "any other error", error: new Error("no"), isOpen: false },
  ])("of $name is $isOpen", ({ error, isOpen }) => {
    expect(mayBeDone(error)).toBe(isOpen);
    expect(mayBeDone(new Error("outer", { cause: error }))).toBe(isOpen);
  });
});

describe("the kind of a failure", () => {
  it.each([
    { status: 400, kind: "rejected" },
    { status: 401, kind: "unauthorized" },
    { status: 402, kind: "unauthorized" },
    { status: 403, kind: "unauthorized" },
    { status: 404, kind: "rejected" },
    { status: 408, kind: "timeout" },
    { status: 409, kind: "rejected" },
    { status: 422, kind: "rejected" },
    { status: 429, kind: "rate_limited" },
    { status: 500, kind: "unavailable" },
    { status: 502, kind: "unavailable" },
    { status: 503, kind: "unavailable" },
    { status: 504, kind: "unavailable" },
    { status: 529, kind: "unavailable" },
    { status: 599, kind: "unavailable" },
  ])("is $kind for HTTP $status", ({ status, kind }) => {
    expect(classifyError(failure({ status }))).toMatchObject({ kind, status });
    expect(classifyError(failure({ statusCode: status }))).toMatchObject({ kind, status });
    expect(classifyError(failure({ response: { status } }))).toMatchObject({ kind, status });
    const wrapped = new Error("outer", { cause: failure({ status }) });
    expect(classifyError(wrapped)).toMatchObject({ kind, status });
  });

  it.each([
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EPIPE",
    "ECONNABORTED",
    "EADDRNOTAVAIL",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ETIMEDOUT",
    "UND_ERR_SOCKET",
    "UND_ERR_CONNECT_TIMEOUT",
  ])("is unavailable for the network's %s, however deep it lies", (code) => {
    const cause = failure({ code });
    expect(classifyError(cause)).toMatchObject({ kind: "unavailable" });
    const middle = new Error("Connection error.", { cause });
    expect(classifyError(new Error("outer", { cause: middle }))).toMatchObject({
      kind: "unavailable",
    });
  });

  it.each([
    { name: "fetch that failed", error: new TypeError("fetch failed"), kind: "unavailable" },
    { name: "a stream that was cut", error: new TypeError("terminated"), kind: "unavailable" },
    {
      name: "a connection error by name",
      error: failure({ name: "APIConnectionError" }),
      kind: "unavailable",
    },
    {
      name: "several addresses refused",
      error: Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
      kind: "unavailable",
    },
    {
      name: "a time-out of a signal",
      error: new DOMException("late", "TimeoutError"),
      kind: "timeout",
    },
    {
      name: "a client's time-out",
      error: failure({ name: "APIConnectionTimeoutError" }),
      kind: "timeout",
    },
    { name: "an abort", error: new DOMException("off", "AbortError"), kind: "cancelled" },
    { name: "a client's abort", error: failure({ name: "APIUserAbortError" }), kind: "cancelled" },
    {
      name: "a quota that is used up",
      error: failure({ status: 429, code: "insufficient_quota" }),
      kind: "unauthorized",
    },
    {
      name: "a quota that is used up, told in the body",
      error: failure({ status: 429, error: { code: "insufficient_quota" } }),
      kind: "unauthorized",
    },
    {
      name: "a rate limit with a code of its own",
      error: failure({ status: 429, code: "rate_limit_exceeded" }),
      kind: "rate_limited",
    },
    { name: "a programming error", error: new TypeError("x is not a function"), kind: "internal" },
    { name: "a name that is not defined", error: new ReferenceError("y"), kind: "internal" },
    {
      name: "an error that says nothing of itself",
      error: new Error("no such order"),
      kind: "rejected",
    },
    {
      name: "a status that is none of an error",
      error: failure({ status: 200 }),
      kind: "rejected",
    },
    { name: "a status in words", error: failure({ status: "failed" }), kind: "rejected" },
    {
      name: "a name that objects inherit",
      error: failure({ name: "constructor" }),
      kind: "rejected",
    },
    { name: "a thrown text", error: "503", kind: "rejected" },
    { name: "a thrown object", error: { status: 503 }, kind: "unavailable" },
    { name: "nothing", error: undefined, kind: "rejected" },
    { name: "null", error: null, kind: "rejected" },
    { name: "a cause of null", error: new Error("x", { cause: null }), kind: "rejected" },
  ])("is $kind for $name", ({ error, kind }) => {
    expect(classifyError(error).kind).toBe(kind);
  });

  it("is what the thrower says, also from within", () => {
    expect(classifyError(new ToolError("rate_limited", "slow"))).toEqual({ kind: "rate_limited" });
    const wrapped = new Error("outer", { cause: new ClassifiedError("denied", "no") });
    expect(classifyError(wrapped)).toEqual({ kind: "denied" });
  });

  it("prefers the outer sign to the inner", () => {
    const error = failure({ status: 400, cause: failure({ code: "ECONNRESET" }) });
    expect(classifyError(error)).toEqual({ kind: "rejected", status: 400 });
  });

  it("comes to an end with errors that cause each other", () => {
    const error = new Error("a");
    error.cause = error;
    expect(classifyError(error)).toEqual({ kind: "rejected" });
  });
});

describe("how long the server asks to wait", () => {
  it.each<{ name: string; headers: Record<string, string>; ms: number | undefined }>([
    { name: "seconds", headers: { "retry-after": "2" }, ms: 2_000 },
    { name: "a fraction of a second", headers: { "retry-after": "0.5" }, ms: 500 },
    { name: "milliseconds", headers: { "retry-after-ms": "250" }, ms: 250 },
    {
      name: "milliseconds before seconds",
      headers: { "retry-after-ms": "250", "retry-after": "9" },
      ms: 250,
    },
    { name: "a date gone by", headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, ms: 0 },
    { name: "words", headers: { "retry-after": "soon" }, ms: undefined },
    { name: "nothing", headers: { "retry-after": "" }, ms: undefined },
    {
      name: "milliseconds in words",
      headers: { "retry-after-ms": "", "retry-after": "1" },
      ms: 1_000,
    },
    { name: "no header", headers: {}, ms: undefined },
  ])("is read from $name", ({ headers, ms }) => {
    const expected = {
      kind: "rate_limited",
      status: 429,
      ...(ms === undefined ? {} : { retryAfterMs: ms }),
    };
    expect(classifyError(failure({ status: 429, headers }))).toEqual(expected);
    expect(classifyError(failure({ status: 429, headers: new Headers(headers) }))).toEqual(
      expected,
    );
    expect(classifyError(failure({ response: { status: 429, headers } }))).toEqual(expected);
    const response = new Response(null, { status: 429, headers });
    expect(classifyError(failure({ response }))).toEqual(expected);
  });

  it("is the time until a date to come", () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterMs = 0 } = classifyError(
      failure({ status: 503, headers: { "retry-after": at } }),
    );
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it.each(["-5", "-1.5"])("is never negative: %s", (text) => {
    const { retryAfterMs = 0 } = classifyError(
      failure({ status: 429, headers: { "retry-after": text } }),
    );
    expect(retryAfterMs).toBeGreaterThanOrEqual(0);
  });

  it("is read from a number too", () => {
    expect(
      classifyError(failure({ status: 503, headers: { "retry-after": 3 } })).retryAfterMs,
    ).toBe(3_000);
  });
});

it.each(unreadable)("classifies $name without throwing", ({ error }) => {
  expect(["internal", "rejected"]).toContain(classifyError(error).kind);
});
