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
      in: { q: { in: "query", list: "json" } },
    },
    {
      name: "with a list as JSON",
      parameter: { content: { "application/json": { schema: list } } },
      in: { q: { in: "query", list: "json" } },
    },
    {
      name: "of the style deepObject",
      parameter: { style: "deepObject", schema: { type: "object" } },
      in: { q: { in: "query", list: "deep" } },
    },
    {
      name: "with the fields of an object",
      parameter: { schema: { type: "object" } },
      in: { q: { in: "query", list: "fields" } },
    },
    {
      name: "with an object that is joined",
      parameter: { schema: { type: "object" }, explode: false },
      in: { q: { in: "query", list: "comma" } },
    },
    {
      name: "with a list in a header",
      parameter: { in: "header", schema: list, explode: true },
      in: { q: { in: "header", list: "comma" } },
    },
    {
      name: "with one value in a header",
      parameter: { in: "header", schema: text, explode: false },
      in: { q: "header" },
    },
    {
      name: "with a list in the path",
      parameter: { in: "path", name: "id", schema: list },
      in: { id: { in: "path", list: "comma" } },
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
    {
      name: "a cookie with a name that none can have",
      parameter: { in: "cookie", name: "a; b" },
      reason: "its name is none of a cookie",
    },
    {
      name: "all cookies in a header",
      parameter: { in: "header", name: "Cookie" },
      reason: "it is all cookies",
    },
    {
      name: "in no known place",
      parameter: { in: "constructor" },
      reason: 'it is in "constructor"',
    },
    {
      name: "an object in a header with the names of its fields",
      parameter: { in: "header", schema: { type: "object" }, explode: true },
      reason: "it is an object",
    },
    {
      name: "an object in the path with the names of its fields",
      parameter: { in: "path", name: "id", schema: { type: "object" }, explode: true },
      reason: "it is an object",
    },
    {
      name: "an object of the style deepObject in a header",
      parameter: { in: "header", style: "deepObject", schema: { type: "object" } },
      reason: "it is written in the style deepObject",
    },
    {
      name: "of an unknown style in the path",
      parameter: { in: "path", name: "id", style: "form" },
      reason: "it is written in the style form",
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
