import { describe, expect, it } from "vitest";

import { servicesFromOpenApi } from "../../../src/services/index.js";
import { documentOf, getting, onlyOf } from "./documents.js";

const text = { type: "string" };
const list = { type: "array", items: text };
const query = { name: "q", in: "query" };

describe("a parameter", () => {
  it.each([
    { name: "with a list", parameter: { schema: list }, in: undefined },
    {
      name: "with commas",
      parameter: { schema: list, explode: false },
      in: { q: { in: "query", list: "comma" } },
    },
    {
      name: "with spaces",
      parameter: { schema: list, style: "spaceDelimited" },
      in: { q: { in: "query", list: "space" } },
    },
    {
      name: "with pipes",
      parameter: { schema: list, style: "pipeDelimited", explode: false },
      in: { q: { in: "query", list: "pipe" } },
    },
    {
      name: "with pipes that are not used",
      parameter: { schema: list, style: "pipeDelimited", explode: true },
      in: undefined,
    },
    {
      name: "that is written as JSON",
      parameter: { content: { "application/json": { schema: { type: "object" } } } },
      in: undefined,
    },
    {
      name: "with a name that no provider takes",
      parameter: { name: "a[b] c", schema: text },
      in: { a_b_c: { in: "query", name: "a[b] c" } },
    },
    {
      name: "called as one in the path is",
      parameter: { name: "id", schema: text },
      in: { id_2: { in: "query", name: "id" } },
    },
    {
      name: "called as objects' prototypes are",
      parameter: { name: "__proto__", schema: text },
      in: {
        query: { in: "query", name: "__proto__" },
      },
    },
    { name: "in a header", parameter: { in: "header", schema: text }, in: { q: "header" } },
  ])("$name has its place in the request", ({ parameter, in: places }) => {
    const service = getting({ parameters: [{ ...query, ...parameter }] });
    expect(service).toMatchObject({ request: { url: "https://api.example/{id}" } });
    expect(typeof service === "string" ? service : service.request.in).toEqual(places);
  });

  it.each([
    { name: "a cookie", parameter: { in: "cookie" }, reason: "it is a cookie" },
    {
      name: "in no known place",
      parameter: { in: "constructor" },
      reason: 'it is in "constructor"',
    },
    {
      name: "an object in a query",
      parameter: { schema: { type: "object" } },
      reason: "it is an object",
    },
    {
      name: "a list as JSON",
      parameter: { content: { "application/json": { schema: list } } },
      reason: "it is a list",
    },
    {
      name: "a list in a header",
      parameter: { in: "header", schema: list },
      reason: "it is a list",
    },
    {
      name: "a list in the path",
      parameter: { in: "path", name: "id", schema: list },
      reason: "it is a list",
    },
    {
      name: "a matrix in the path",
      parameter: { in: "path", name: "id", style: "matrix" },
      reason: "it is written in the style matrix",
    },
  ])(
    "that is $name makes an operation impossible where it is required",
    ({ parameter, reason }) => {
      const given = { ...query, required: true, ...parameter };
      expect(getting({ parameters: [given] })).toBe(
        `it requires the parameter "${given.name}", and ${reason}`,
      );
    },
  );

  it("of an operation stands for one of its path with the same name and place", () => {
    const document = documentOf({
      "/": {
        parameters: [{ ...query, schema: text }],
        get: { parameters: [{ ...query, schema: list }] },
      },
    });
    expect(onlyOf(document)).toMatchObject({ parameters: { properties: { q: list } } });
  });
});

const json = { "application/json": { schema: { type: "object", properties: { q: text } } } };
const form = { "application/x-www-form-urlencoded": { schema: text } };

it.each([
  {
    name: "a body that GET requires",
    fields: { requestBody: { required: true, content: json } },
    reason: "it is GET with a body",
  },
  {
    name: "a scheme that is not there",
    fields: { security: [{ no: [] }] },
    reason: 'its authorization "no" is not in the document',
  },
  {
    name: "two ways to say who calls, neither of which can be said",
    fields: { security: [{ tls: [] }, { digest: [] }] },
    reason: 'its authorization "tls" is mutualTLS; its authorization "digest" is http digest',
  },
])("$name makes an operation impossible", ({ fields, reason }) => {
  const securitySchemes = {
    tls: { type: "mutualTLS" },
    digest: { type: "http", scheme: "Digest" },
  };
  expect(getting(fields, { securitySchemes })).toBe(reason);
});

it("a body that GET does not require is left away, and a form that is no object makes no service", () => {
  expect(getting({ requestBody: { content: json } })).toMatchObject({
    parameters: { properties: { id: text }, required: ["id"] },
  });
  expect(onlyOf(documentOf({ "/": { post: { requestBody: { content: form } } } }))).toBe(
    "its body is a form that is not an object",
  );
});

it("the first way to say who calls that can be said counts", () => {
  const securitySchemes = { tls: { type: "mutualTLS" }, "9Id": { type: "openIdConnect" } };
  expect(getting({ security: [{ tls: [] }, { "9Id": [] }] }, { securitySchemes })).toMatchObject({
    request: { auth: { type: "bearer", env: "API_9_ID" } },
  });
});

/** Where `GET /a` of a document with these servers is called. */
function addressOf(server: unknown, near: unknown, serverUrl?: string): string | undefined {
  const paths = { "/a": { get: near === undefined ? {} : { servers: [{ url: near }] } } };
  const document = documentOf(paths, {}, { servers: server === undefined ? [] : [server] });
  const { services, leftOut } = servicesFromOpenApi(document, { serverUrl });
  return services[0]?.request.url ?? leftOut[0]?.reason;
}

describe("a server", () => {
  it.each([
    {
      name: "the document's",
      server: { url: "https://a.example/v1/" },
      url: "https://a.example/v1/a",
    },
    {
      name: "the operation's",
      server: { url: "https://a.example" },
      near: "https://b.example",
      url: "https://b.example/a",
    },
    {
      name: "the chosen one in place of the document's",
      server: { url: "https://a.example" },
      chosen: "https://c.example/v2",
      url: "https://c.example/v2/a",
    },
    {
      name: "the chosen one in place of the operation's, where it is the document's too",
      server: { url: "https://a.example/v1" },
      near: "https://a.example/v1/",
      chosen: "https://c.example",
      url: "https://c.example/a",
    },
    {
      name: "the chosen one in place of the one that all operations share",
      server: undefined,
      near: "https://b.example",
      chosen: "https://c.example",
      url: "https://c.example/a",
    },
    {
      name: "none where the operation has another one than the document, and one was chosen",
      server: { url: "https://a.example" },
      near: "https://b.example/v2",
      chosen: "https://c.example",
      url: "it has its own server, https://b.example/v2, which the chosen address does not replace",
    },
    {
      name: "none where the operation's has no scheme and names a host",
      server: { url: "https://a.example" },
      near: "//b.example",
      chosen: "https://c.example",
      url: "it has its own server, https://b.example, which the chosen address does not replace",
    },
    {
      name: "a relative one on the chosen one",
      server: undefined,
      near: "/up",
      chosen: "https://c.example/v2",
      url: "https://c.example/up/a",
    },
    {
      name: "the chosen one where there is none",
      server: undefined,
      chosen: "https://c.example?x=1",
      url: "https://c.example/a",
    },
    {
      name: "none where the document has only a relative one",
      server: { url: "/v1" },
      url: "the document names no server with a whole address: choose one",
    },
    {
      name: "none where a variable has no default",
      server: { url: "https://{host}/", variables: { host: {} } },
      url: 'its server\'s address has the variable "host" without a default',
    },
  ])("is $name", ({ server, near, chosen, url }) => {
    expect(addressOf(server, near, chosen)).toBe(url);
  });
});

it("nothing is sent to the servers of operations that differ, once an address was chosen", () => {
  const paths = {
    "/a": { get: { servers: [{ url: "https://a.example" }] } },
    "/b": { get: { servers: [{ url: "https://b.example" }] } },
  };
  const document = documentOf(paths, {}, { servers: [] });
  const { services, leftOut } = servicesFromOpenApi(document, { serverUrl: "https://c.example" });
  expect(services).toEqual([]);
  expect(leftOut).toHaveLength(2);
});

it("a document of which no operation can be read tells why", () => {
  const paths = { "/far": { $ref: "far.yaml#/far" } };
  const { services, leftOut } = servicesFromOpenApi(documentOf(paths));
  expect(services).toEqual([]);
  expect(leftOut).toEqual([
    { operation: "/far", reason: 'it refers to another document: "far.yaml#/far"' },
  ]);
});

describe("a description", () => {
  const long = "One sentence of some length. ".repeat(20);
  it.each([
    { name: "is the method and path without any other", given: {}, description: "GET /{id}" },
    {
      name: "does not say the summary twice",
      given: { summary: "Get it", description: "get it now." },
      description: "get it now.",
    },
    {
      name: "ends with a whole sentence",
      given: { description: long },
      description: long.slice(0, 289).trim(),
    },
    {
      name: "ends with a whole word",
      given: { description: "word ".repeat(100) },
      description: `${"word ".repeat(59).trim()}…`,
    },
    {
      name: "leaves long paragraphs out",
      given: { description: `Short.\n\n${long}${long}` },
      description: "Short.",
    },
  ])("$name", ({ given, description }) => {
    const service = getting(given);
    expect(service).toMatchObject({ description });
    expect(service).not.toHaveProperty("extendedDescription");
  });
});

it.each([
  { name: "a message", properties: { message: text }, path: "message" },
  {
    name: "an error with a message",
    properties: { error: { properties: { message: text } }, message: text },
    path: "error.message",
  },
  { name: "an error that is a text", properties: { error: text }, path: "error" },
  { name: "details in a list", properties: { detail: list }, path: "detail" },
  { name: "nothing known", properties: { code: { type: "integer" } }, path: undefined },
  { name: "a reference to nowhere", properties: { message: { $ref: "#/no" } }, path: undefined },
])(
  "of error responses with $name it is known where they say what is wrong",
  ({ properties, path }) => {
    const content = { "application/problem+json": { schema: { properties } } };
    const service = getting({ responses: { "200": { content }, "4XX": { content } } });
    expect(typeof service === "string" ? service : service.error?.path).toBe(path);
  },
);
