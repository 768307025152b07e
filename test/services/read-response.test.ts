import { describe, expect, it } from "vitest";

import { classifyError } from "../../src/run/errors.js";
import { readResponse } from "../../src/services/read-response.js";
import { type ServiceChanges, serviceOf } from "../support/services.js";

/** A response with this body; JSON unless it is a text. */
function answer(body: unknown, status = 200, type = "application/json") {
  return {
    status,
    headers: { "content-type": type },
    text: typeof body === "string" ? body : JSON.stringify(body),
    url: "https://rooms.example/rooms?key=secret",
  };
}

const codeIsZero = { path: "code", target: 0 };
const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;

describe("a response", () => {
  it.each<{
    name: string;
    given?: ServiceChanges;
    response: ReturnType<typeof answer>;
    data: unknown;
  }>([
    { name: "JSON", response: answer({ rooms: [1] }), data: { rooms: [1] } },
    { name: "JSON of another type", response: answer("[1]", 200, "text/plain"), data: [1] },
    { name: "JSON behind a mark", response: answer("\uFEFF[1]"), data: [1] },
    { name: "a number", response: answer("42"), data: 42 },
    { name: "null", response: answer("null"), data: null },
    {
      name: "a text",
      response: answer("Room 4 is free.", 200, "text/plain"),
      data: "Room 4 is free.",
    },
    { name: "nothing", response: answer("", 204), data: null },
    {
      name: "what only looks like JSON",
      response: answer("[see below]", 200, "text/plain"),
      data: "[see below]",
    },
    {
      name: "a part of it",
      given: { data: "data.items[0].name" },
      response: answer({ data: { items: [{ name: "N1" }] } }),
      data: "N1",
    },
    {
      name: "a part that is null",
      given: { data: "data" },
      response: answer({ data: null }),
      data: null,
    },
    {
      name: "success by its code",
      given: { success: codeIsZero, data: "data" },
      response: answer({ code: 0, data: [1] }),
      data: [1],
    },
    {
      name: "success by a code in quotes",
      given: { success: codeIsZero },
      response: answer({ code: "0" }),
      data: { code: "0" },
    },
  ])("is $name", ({ given, response, data }) => {
    expect(readResponse(serviceOf(given), response)).toEqual(data);
  });

  const taken = { code: 400, message: "The room is taken." };
  it.each<{
    name: string;
    given?: ServiceChanges;
    response: ReturnType<typeof answer>;
    kind: string;
    says: string | RegExp;
  }>([
    {
      name: "200 with another code: the service's message",
      given: { success: codeIsZero },
      response: answer(taken),
      kind: "rejected",
      says: "The room is taken.",
    },
    {
      name: "200 with another code and its message elsewhere",
      given: { success: codeIsZero, error: { path: "result.why" } },
      response: answer({ code: 7, result: { why: "No." }, message: "x" }),
      kind: "rejected",
      says: "No.",
    },
    {
      name: "200 with another code and no message: the fixed text",
      given: { success: codeIsZero, error: { text: "No room is left." } },
      response: answer({ code: 7 }),
      kind: "rejected",
      says: "No room is left.",
    },
    {
      name: "200 with another code and nothing said",
      given: { success: codeIsZero },
      response: answer({ code: 7 }),
      kind: "rejected",
      says: 'the service refused: its response has 7 at "code".',
    },
    {
      name: "200 without the code",
      given: { success: codeIsZero },
      response: answer({}),
      kind: "rejected",
      says: 'the service refused: its response has nothing at "code".',
    },
    {
      name: "409 with a message",
      response: answer(taken, 409),
      kind: "rejected",
      says: "The room is taken.",
    },
    {
      name: "422 as problem details",
      response: answer({ title: "Bad", detail: "seats must be 1 or more" }, 422),
      kind: "rejected",
      says: "seats must be 1 or more",
    },
    {
      name: "404 without a message",
      response: answer("", 404),
      kind: "rejected",
      says: "the service answered with status 404.",
    },
    {
      name: "500 with a message where the definition has it",
      given: { error: { path: "message" } },
      response: answer(taken, 500),
      kind: "rejected",
      says: "The room is taken.",
    },
    {
      name: "500 with some message",
      response: answer({ message: "NullPointerException" }, 500),
      kind: "unavailable",
      says: "the service answered with status 500: NullPointerException",
    },
    {
      name: "503 as a page",
      response: answer("<html>Down</html>", 503, "text/html"),
      kind: "unavailable",
      says: "the service answered with status 503.",
    },
    {
      name: "429 with a message",
      response: answer({ message: "Slow down." }, 429),
      kind: "rate_limited",
      says: "the service answered with status 429: Slow down.",
    },
    {
      name: "401 with a message",
      response: answer({ message: "Who are you?" }, 401),
      kind: "unauthorized",
      says: "the service answered with status 401: Who are you?",
    },
    {
      name: "409 with a text",
      response: answer("The room is taken.\n", 409, "text/plain"),
      kind: "rejected",
      says: /^The room is taken\.$/,
    },
    {
      name: "422 with errors by field",
      response: answer({ errors: { start: ["is too early"] } }, 422),
      kind: "rejected",
      says: "start: is too early",
    },
    {
      name: "400 with bytes",
      response: answer("\0\x01\uFFFD", 400, "application/octet-stream"),
      kind: "rejected",
      says: "the service answered with status 400.",
    },
    {
      name: "304",
      response: answer("", 304),
      kind: "rejected",
      says: "the service answered with status 304.",
    },
    {
      name: "a page where data is wanted",
      given: { data: "data" },
      response: answer("<!doctype html><title>Sign in</title>", 200, "text/html"),
      kind: "unavailable",
      says: "expected JSON from rooms.example, got text/html: <!doctype html><title>Sign in</title>",
    },
    {
      name: "a text where data is wanted",
      given: { success: codeIsZero },
      response: answer("OK", 200, "text/plain"),
      kind: "rejected",
      says: "expected JSON from rooms.example, got text/plain: OK",
    },
    {
      name: "nothing where data is wanted",
      given: { data: "data" },
      response: answer(""),
      kind: "rejected",
      says: "expected JSON from rooms.example, got nothing",
    },
    {
      name: "JSON too deep to be data",
      given: { data: "data" },
      response: answer(deep),
      kind: "rejected",
      says: /^expected JSON from rooms.example, got application\/json: \[+…$/,
    },
    {
      name: "what is said to be JSON and is cut off",
      response: answer('{"code":0,"data":'),
      kind: "rejected",
      says: 'expected JSON from rooms.example, got application/json: {"code":0,"data":',
    },
    {
      name: "a page that is said to be JSON",
      response: answer("<html>Sign in</html>"),
      kind: "unavailable",
      says: "expected JSON from rooms.example, got application/json: <html>Sign in</html>",
    },
    {
      name: "no such part",
      given: { data: "data.items" },
      response: answer({ data: { rows: [] } }),
      kind: "rejected",
      says: 'the response has nothing at "data.items": {"data":{"rows":[]}}',
    },
    {
      name: "a message that is very long",
      response: answer({ message: "x".repeat(5_000) }, 400),
      kind: "rejected",
      says: /^x{600}…$/,
    },
    {
      name: "a message that is an object",
      response: answer({ error: { code: 3 } }, 400),
      kind: "rejected",
      says: '{"code":3}',
    },
  ])("is refused: $name", ({ given, response, kind, says }) => {
    const read = () => readResponse(serviceOf(given), response);
    expect(read).toThrow(says);
    let thrown: unknown;
    try {
      read();
    } catch (error) {
      thrown = error;
    }
    expect(classifyError(thrown).kind).toBe(kind);
    expect(String(thrown)).not.toContain("secret");
  });

  it("with Retry-After says how long to wait", () => {
    const response = { ...answer("", 429), headers: { "retry-after": "3" } };
    let thrown: unknown;
    try {
      readResponse(serviceOf(), response);
    } catch (error) {
      thrown = error;
    }
    expect(classifyError(thrown)).toMatchObject({ kind: "rate_limited", retryAfterMs: 3_000 });
  });
});
