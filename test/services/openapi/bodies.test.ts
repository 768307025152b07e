import { expect, it } from "vitest";

import { servicesFromOpenApi } from "../../../src/services/index.js";
import { buildRequest } from "../../../src/services/build-request.js";
import { ServiceDefinition } from "../../../src/services/definition-problems.js";
import { documentOf } from "./documents.js";

const form = "application/x-www-form-urlencoded";
const text = { type: "string" };
const object = { type: "object", properties: { a: text } };

/** What comes of `POST /` with a body of this schema. */
function posting(type: string, schema: unknown, encoding: unknown = {}, required = true) {
  const requestBody = { required, content: { [type]: { schema, encoding } } };
  const schemas = { Deep: { allOf: [object] }, Twice: { anyOf: [text, object] } };
  const { services, leftOut, dropped } = servicesFromOpenApi(
    documentOf({ "/": { post: { requestBody } } }, { schemas }),
  );
  return {
    service: services[0],
    reason: leftOut[0]?.reason,
    dropped: dropped.map((each) => `${each.parameter}: ${each.reason}`),
  };
}

it.each<{ name: string; field: unknown; encoding?: unknown; reason: string }>([
  { name: "an object", field: object, reason: "it is an object" },
  {
    name: "a map",
    field: { type: "object", additionalProperties: text },
    reason: "it is an object",
  },
  {
    name: "an object of the style deepObject",
    field: object,
    encoding: { style: "deepObject", explode: true },
    reason: "it is written in the style deepObject",
  },
  {
    name: "a list of the style deepObject",
    field: { type: "array", items: text },
    encoding: { style: "deepObject", explode: true },
    reason: "it is written in the style deepObject",
  },
  {
    name: "a list of objects",
    field: { type: "array", items: object },
    reason: "it is a list of objects or lists",
  },
  {
    name: "a list of lists",
    field: { type: "array", items: { type: "array", items: text } },
    reason: "it is a list of objects or lists",
  },
  {
    name: "an object among other shapes",
    field: { anyOf: [object, { type: "string", enum: [""] }] },
    reason: "it is an object",
  },
  {
    name: "an object behind a reference",
    field: { $ref: "#/components/schemas/Deep" },
    reason: "it is an object",
  },
  {
    name: "a list of what may be an object, behind a reference",
    field: { type: "array", items: { $ref: "#/components/schemas/Twice" } },
    reason: "it is a list of objects or lists",
  },
  {
    name: "a list that is written as JSON",
    field: { type: "array", items: text },
    encoding: { contentType: "application/json" },
    reason: "it is a list written as JSON",
  },
])("a form does without $name, or is left out where it is required", (row) => {
  const properties = { name: text, field: row.field };
  const encoding = { field: row.encoding ?? {} };
  const optional = posting(form, { type: "object", properties }, encoding);
  expect(optional.dropped).toEqual([`field: ${row.reason}`]);
  expect(optional.service?.parameters).toEqual({ type: "object", properties: { name: text } });

  const required = posting(form, { type: "object", properties, required: ["field"] }, encoding);
  expect(required.service).toBeUndefined();
  expect(required.reason).toBe(`its form requires "field", and ${row.reason}`);
});

it("a form of several shapes is left out where one of them holds an object", () => {
  const shapes = [
    { type: "object", properties: { a: object } },
    { type: "object", required: ["b"] },
  ];
  const { service, reason } = posting(form, {
    type: "object",
    properties: { b: text },
    anyOf: shapes,
  });
  expect(service).toBeUndefined();
  expect(reason).toBe('its body is a form, and "a" cannot be sent: it is an object');
});

/** The body that a service sends with these arguments. */
function bodySent(service: unknown, args: Readonly<Record<string, string | string[]>>) {
  const request = buildRequest(ServiceDefinition.parse(service), args, { headers: {}, query: {} });
  return { body: request.body, type: request.headers["content-type"] };
}

it("a form writes its lists as its encoding says", () => {
  const list = { type: "array", items: text };
  const properties = { plain: list, comma: list, pipe: list, json: object };
  const encoding = {
    comma: { explode: false },
    pipe: { style: "pipeDelimited", explode: false },
    json: { contentType: "application/json" },
  };
  const { service, dropped } = posting(form, { type: "object", properties }, encoding);
  expect(dropped).toEqual([]);
  const values = ["a", "b"];
  const { body } = bodySent(service, { plain: values, comma: values, pipe: values });
  expect(body).toBe("plain=a&plain=b&comma=a%2Cb&pipe=a%7Cb");
});

it.each([
  { name: "a required body without a field is {}", required: true, schema: {}, body: "{}" },
  {
    name: "an optional body without a field is none",
    required: false,
    schema: {},
    body: undefined,
  },
  {
    name: "a required body with a field is that field",
    required: true,
    schema: { required: ["name"] },
    args: { name: "N" },
    body: '{"name":"N"}',
  },
])("$name", ({ required, schema, args = {}, body }) => {
  const whole = { type: "object", properties: { name: text }, ...schema };
  const { service } = posting("application/json", whole, {}, required);
  expect(bodySent(service, args)).toEqual({
    body,
    type: body === undefined ? undefined : "application/json",
  });
});
