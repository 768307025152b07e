import { describe, expect, it } from "vitest";

import { readService } from "../../src/services/read-service.js";
import { serviceInput } from "../support/services.js";

describe("a service definition", () => {
  it("may consist of a name, a description and an address", () => {
    const request = { url: "https://a.example/x" };
    expect(readService({ name: "a", description: "b", request }, "a.json")).toEqual({
      name: "a",
      description: "b",
      parameters: { type: "object", properties: {} },
      request: { method: "GET", ...request, bodyFormat: "json", maxBytes: 1_000_000 },
    });
  });

  it.each<{ name: string; given: object; problems: readonly string[] }>([
    {
      name: "a list",
      given: [],
      problems: ["expected fields, got []"],
    },
    {
      name: "nothing in it",
      given: {},
      problems: [
        "name: expected text, got nothing",
        "description: expected text, got nothing",
        "request: expected fields, got nothing",
      ],
    },
    {
      name: "a name with a blank",
      given: serviceInput({ name: "book room" }),
      problems: ['name: expected 1 to 64 letters, digits, "_", "-" or ".", got "book room"'],
    },
    {
      name: "a field that there is not",
      given: { ...serviceInput(), desc: "x" },
      problems: ["desc: there is no such field."],
    },
    {
      name: "a scheme that is no web address",
      given: serviceInput({ request: { url: "file:///etc/passwd" } }),
      problems: [
        'request.url: expected an address that begins with http:// or https:// and a host, or with ${VARIABLE}, got "file:///etc/passwd"',
      ],
    },
    {
      name: "a parameter for the host",
      given: serviceInput({ request: { url: "https://{host}/x" } }),
      problems: [
        'request.url: expected an address that begins with http:// or https:// and a host, or with ${VARIABLE}, got "https://{host}/x"',
        'request.url: {host} is not a parameter; the parameters are: building, got "https://{host}/x"',
      ],
    },
    {
      name: "a method that there is not",
      given: { ...serviceInput(), request: { url: "https://a.example", method: "FETCH" } },
      problems: [
        'request.method: expected one of "GET"|"HEAD"|"POST"|"PUT"|"PATCH"|"DELETE", got "FETCH"',
      ],
    },
    {
      name: "an address with a parameter that there is not",
      given: serviceInput({ request: { url: "https://a.example/{room}" } }),
      problems: [
        'request.url: {room} is not a parameter; the parameters are: building, got "https://a.example/{room}"',
      ],
    },
    {
      name: "a place for a parameter that there is not",
      given: serviceInput({ request: { in: { seats: "query" } } }),
      problems: ['request.in.seats: there is no such parameter; there are: building, got "query"'],
    },
    {
      name: "a place that there is not",
      given: {
        ...serviceInput(),
        request: { url: "https://a.example", in: { building: "trailer" } },
      },
      problems: [
        'request.in.building: expected path, query, header, cookie, body or wholeBody, or an object with `in`, got "trailer"',
      ],
    },
    {
      name: "a mistake inside one form of several",
      given: { ...serviceInput(), result: { to: "render", props: {} } },
      problems: ["result.component: expected text, got nothing"],
    },
    {
      name: "a result for nobody",
      given: { ...serviceInput(), result: "screen" },
      problems: [
        'result: expected "model", "return", or an object whose `to` is model, return or render, got "screen"',
      ],
    },
    {
      name: "parameters that are no schema of an object",
      given: { ...serviceInput(), parameters: { type: "string" } },
      problems: ['parameters.type: expected "object", got "string"'],
    },
    {
      name: "a path that leads nowhere",
      given: serviceInput({ data: "a..b" }),
      problems: ['data: expected a path such as "data.items[0].name", got "a..b"'],
    },
    {
      name: "a secret in the definition",
      given: {
        ...serviceInput(),
        request: { url: "https://a.example", auth: { type: "bearer", token: "abc" } },
      },
      problems: [
        "request.auth.env: expected text, got nothing",
        "request.auth.token: there is no such field.",
      ],
    },
    {
      name: "an authorization of another kind",
      given: { ...serviceInput(), request: { url: "https://a.example", auth: { type: "oauth" } } },
      problems: [
        'request.auth.type: expected the type bearer, basic, header, query or cookie, got {"type":"oauth"}',
      ],
    },
    {
      name: "a result for somebody else",
      given: { ...serviceInput(), result: { to: "screen" } },
      problems: [
        'result: expected "model", "return", or an object whose `to` is model, return or render, got {"to":"screen"}',
      ],
    },
    {
      name: "a time-out that is no number",
      given: { ...serviceInput(), timeoutMs: "30s" },
      problems: ['timeoutMs: expected a number, got "30s"'],
    },
  ])("with $name is refused, with the path and what was expected", ({ given, problems }) => {
    const lines = problems.map((problem) => `- ${problem}`).join("\n");
    expect(() => readService(given, "rooms.service.json")).toThrow(
      expect.objectContaining({
        code: "invalid_service",
        message: `rooms.service.json is not a service definition:\n${lines}`,
      }),
    );
  });
});
