import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/json/json.js";
import { buildRequest } from "../../src/services/build-request.js";
import type { Credentials } from "../../src/services/credentials.js";
import type { ServiceInput } from "../../src/services/definition.js";
import { serviceOf } from "../support/services.js";

type RequestInput = ServiceInput["request"];

const none: Credentials = { headers: {}, query: {} };

/** A service with any parameters. */
function request(given: Partial<RequestInput>, args: JsonObject, credentials = none) {
  const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
  const service = serviceOf({ parameters: { type: "object", properties }, request: given });
  return buildRequest(service, args, credentials);
}

const base = "https://rooms.example";

describe("the address of a request", () => {
  it.each<{ name: string; given: Partial<RequestInput>; args: JsonObject; url: string }>([
    { name: "no arguments", given: {}, args: {}, url: `${base}/rooms` },
    {
      name: "a parameter that the address names",
      given: { url: `${base}/rooms/{id}/slots` },
      args: { id: "A 1/2?#" },
      url: `${base}/rooms/A%201%2F2%3F%23/slots`,
    },
    {
      name: "other parameters of a GET in the query",
      given: {},
      args: { building: "Nord & Süd", seats: 4, quiet: true },
      url: `${base}/rooms?building=Nord+%26+S%C3%BCd&seats=4&quiet=true`,
    },
    {
      name: "a query that is there already, and fixed parameters",
      given: { url: `${base}/rooms?v=2`, query: { limit: 5 } },
      args: { building: "N" },
      url: `${base}/rooms?v=2&limit=5&building=N`,
    },
    {
      name: "a parameter under the service's own name",
      given: { in: { building: { in: "query", name: "b" } } },
      args: { building: "N" },
      url: `${base}/rooms?b=N`,
    },
    {
      name: "a list, once for each item",
      given: {},
      args: { tags: ["a", "b"] },
      url: `${base}/rooms?tags=a&tags=b`,
    },
    {
      name: "a list with commas",
      given: { in: { tags: { in: "query", list: "comma" } } },
      args: { tags: ["a", 2] },
      url: `${base}/rooms?tags=a%2C2`,
    },
    {
      name: "a list with bars",
      given: { in: { tags: { in: "query", list: "pipe" } } },
      args: { tags: ["a", "b"] },
      url: `${base}/rooms?tags=a%7Cb`,
    },
    { name: "an empty list", given: {}, args: { tags: [] }, url: `${base}/rooms` },
    {
      name: "an object as JSON",
      given: {},
      args: { filter: { a: [1] } },
      url: `${base}/rooms?filter=%7B%22a%22%3A%5B1%5D%7D`,
    },
    { name: "nothing of what is null", given: {}, args: { a: null }, url: `${base}/rooms` },
    {
      name: "a name of a prototype",
      given: {},
      args: JSON.parse('{"__proto__": "x", "constructor": "y"}'),
      url: `${base}/rooms?__proto__=x&constructor=y`,
    },
    {
      name: "replacement patterns as they are",
      given: { url: `${base}/{id}` },
      args: { id: "$&$1" },
      url: `${base}/%24%26%241`,
    },
  ])("has $name", ({ given, args, url }) => {
    expect(request(given, args).url).toBe(url);
  });

  it.each<{ name: string; url: string; args: JsonObject }>([
    { name: "a folder above", url: `${base}/rooms/{id}`, args: { id: ".." } },
    { name: "the same folder", url: `${base}/rooms/{id}`, args: { id: "." } },
    { name: "a folder above in two values", url: `${base}/{a}{b}/x`, args: { a: ".", b: "" } },
    { name: "an empty value", url: `${base}/rooms/{id}`, args: { id: "" } },
    { name: "no value", url: `${base}/rooms/{id}`, args: {} },
    ...[
      "../../admin",
      "a/../b",
      "..\\..\\admin",
      "%2e%2e",
      "..%2f",
      "%252e%252e%252fadmin",
      "..;/admin",
      "a%5c..",
    ].map((id) => ({ name: `the value ${id}`, url: `${base}/rooms/{id}/x`, args: { id } })),
  ])("is refused for $name", ({ url, args }) => {
    const properties = { id: {}, a: {}, b: {} };
    const service = serviceOf({ parameters: { type: "object", properties }, request: { url } });
    expect(() => buildRequest(service, args, none)).toThrow(
      expect.objectContaining({ kind: "invalid_arguments" }),
    );
  });

  it("stays on its host and its path whatever a value is", () => {
    for (const id of ["//evil.example", "@evil.example", "\\\\evil", "...", "1..2", "a..b/c"]) {
      const url = new URL(request({ url: `${base}/rooms/{id}/x` }, { id }).url);
      expect(url.host).toBe("rooms.example");
      expect(url.pathname.split("/")).toHaveLength(4);
    }
  });
});

describe("the body of a request", () => {
  it.each<{
    name: string;
    given: Partial<RequestInput>;
    args: JsonObject;
    body: string | undefined;
    type?: string;
  }>([
    { name: "nothing for a GET", given: {}, args: { a: 1 }, body: undefined },
    {
      name: "an empty object where the definition has a fixed body without fields",
      given: { method: "POST", body: {} },
      args: {},
      body: "{}",
      type: "application/json",
    },
    {
      name: "a list of a form as one field",
      given: {
        method: "POST",
        bodyFormat: "form",
        in: { tags: { in: "body", list: "comma" } },
      },
      args: { tags: ["a", 2], more: ["b", "c"] },
      body: "tags=a%2C2&more=b&more=c",
      type: "application/x-www-form-urlencoded",
    },
    {
      name: "the arguments of a POST as JSON",
      given: { method: "POST" },
      args: { room: "N1", guests: ["a"] },
      body: '{"room":"N1","guests":["a"]}',
      type: "application/json",
    },
    {
      name: "what is not there, where the body says so",
      given: { method: "PATCH" },
      args: { assignee: null },
      body: '{"assignee":null}',
      type: "application/json",
    },
    {
      name: "nothing for a POST without arguments",
      given: { method: "POST" },
      args: {},
      body: undefined,
    },
    {
      name: "fixed fields, which an argument may replace",
      given: { method: "POST", body: { source: "agent", seats: 1 } },
      args: { seats: 4 },
      body: '{"source":"agent","seats":4}',
      type: "application/json",
    },
    {
      name: "a form",
      given: { method: "POST", bodyFormat: "form" },
      args: { a: "x y", b: [1, 2], c: { d: 1 } },
      body: "a=x+y&b=1&b=2&c=%7B%22d%22%3A1%7D",
      type: "application/x-www-form-urlencoded",
    },
    {
      name: "all of it from one argument",
      given: { method: "PUT", in: { items: "wholeBody" } },
      args: { items: [1, 2] },
      body: "[1,2]",
      type: "application/json",
    },
    {
      name: "the query of a POST where it says so",
      given: { method: "POST", in: { dry: "query" } },
      args: { dry: true, room: "N1" },
      body: '{"room":"N1"}',
      type: "application/json",
    },
    {
      name: "a field of a DELETE where it says so",
      given: { method: "DELETE", in: { reason: "body" } },
      args: { reason: "x" },
      body: '{"reason":"x"}',
      type: "application/json",
    },
  ])("is $name", ({ given, args, body, type }) => {
    const built = request(given, args);
    expect(built.body).toBe(body);
    expect(built.headers["content-type"]).toBe(type);
  });
});

describe("the headers of a request", () => {
  it("are fixed ones, arguments and credentials, in this order", () => {
    const given = {
      headers: { "X-Team": "a", Authorization: "none" },
      in: { trace: { in: "header" as const, name: "X-Trace" } },
    };
    const credentials = { headers: { authorization: "Bearer s" }, query: { key: "k" } };
    const { headers, url } = request(given, { trace: "t1" }, credentials);
    expect(headers).toMatchObject({ "x-team": "a", "x-trace": "t1", authorization: "Bearer s" });
    expect(url).toBe(`${base}/rooms?key=k`);
  });

  it.each(["a\r\nx-evil: 1", "a\nb", "\u0000", "日本"])("take no %j", (trace) => {
    expect(() => request({ in: { trace: "header" } }, { trace })).toThrow(/one line of plain/);
  });
});

describe("an argument that the definition does not list", () => {
  const fixed = {
    method: "POST",
    url: `${base}/rooms`,
    body: { tenant: "ours" },
  } as const;
  const parameters = { type: "object", properties: { id: { type: "string" } } } as const;

  it("is not sent: it could take the place of what is fixed", () => {
    const service = serviceOf({ parameters, request: fixed });
    expect(() => buildRequest(service, { id: "1", tenant: "theirs" }, none)).toThrow(
      "there is no parameter tenant; the parameters are: id.",
    );
  });

  it("is sent where the definition lets in more than it lists", () => {
    const open = { ...parameters, additionalProperties: true };
    const { body } = buildRequest(serviceOf({ parameters: open, request: fixed }), { a: 1 }, none);
    expect(JSON.parse(String(body))).toEqual({ tenant: "ours", a: 1 });
  });
});
