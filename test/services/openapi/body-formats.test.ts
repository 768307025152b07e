import { expect, it } from "vitest";

import { bodySent, posting } from "./documents.js";

const multipart = "multipart/form-data";
const text = { type: "string" };
const object = { type: "object", properties: { a: text } };
const list = { type: "array", items: text };

it("a multipart form sends its fields as parts", () => {
  const properties = {
    name: text,
    tags: list,
    more: object,
    data: { type: "string", format: "byte" },
  };
  const { service } = posting(multipart, { type: "object", properties });
  expect(service?.request.bodyFormat).toBe("multipart");
  const args = { name: "ü", tags: ["a", "b"], more: { a: "1" }, data: "aGk=" };
  const { body = "", type = "" } = bodySent(service, args);
  const boundary = type.replace("multipart/form-data; boundary=", "");
  const part = (name: string, value: string, of = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${of}\r\n\r\n${value}\r\n`;
  expect(body).toBe(
    [
      part("name", "ü"),
      part("tags", "a"),
      part("tags", "b"),
      part("more", '{"a":"1"}', "\r\ncontent-type: application/json"),
      part("data", "aGk="),
      `--${boundary}--\r\n`,
    ].join(""),
  );
});

it.each<{ name: string; type: string; schema: unknown; sent: string }>([
  { name: "plain text", type: "text/plain", schema: text, sent: "text/plain; charset=utf-8" },
  { name: "text without a schema", type: "text/csv", schema: undefined, sent: "text/csv" },
  { name: "XML as a text", type: "application/xml", schema: text, sent: "application/xml" },
  {
    name: "XML of its own kind",
    type: "application/atom+xml",
    schema: {},
    sent: "application/atom+xml",
  },
])("a body of $name is one argument, sent unchanged", ({ type, schema, sent }) => {
  const { service } = posting(type, schema);
  expect(service?.parameters).toEqual({
    type: "object",
    properties: { body: { type: "string" } },
    required: ["body"],
  });
  const body = '<a b="c">\n{"d": 1}</a>';
  expect(bodySent(service, { body })).toEqual({ body, type: sent });
});

it.each<{ name: string; type: string; schema: unknown }>([
  { name: "XML of an object", type: "text/xml", schema: object },
  {
    name: "XML of what is referred to",
    type: "application/xml",
    schema: { $ref: "#/components/schemas/Deep" },
  },
  { name: "text that is a list", type: "text/csv", schema: list },
  { name: "bytes of an object", type: "application/octet-stream", schema: object },
])("a body of $name is left out", ({ type, schema }) => {
  expect(posting(type, schema).reason).toBe(`its body is ${type}`);
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
