import { expect, it } from "vitest";

import type { Json } from "../../../src/json/json.js";
import { bodySent, posting } from "./documents.js";

const form = "application/x-www-form-urlencoded";
const text = { type: "string" };
const object = { type: "object", properties: { a: text } };

const list = { type: "array", items: text };
const objects = { type: "array", items: object };
const deep = { style: "deepObject", explode: true };
const json = { contentType: "application/json" };

it.each<{ name: string; field: unknown; encoding?: unknown; value: Json; body: string }>([
  {
    name: "an object of the style deepObject",
    field: object,
    encoding: deep,
    value: { order: "17", "a b": { c: true } },
    body: "field[order]=17&field[a b][c]=true",
  },
  {
    name: "a list of objects of the style deepObject",
    field: objects,
    encoding: deep,
    value: [{ price: "x" }, { price: "y" }],
    body: "field[0][price]=x&field[1][price]=y",
  },
  {
    name: "a list of the style deepObject",
    field: list,
    encoding: deep,
    value: ["a", "b"],
    body: "field[0]=a&field[1]=b",
  },
  {
    name: "an empty text in the place of an object of the style deepObject",
    field: { anyOf: [object, { type: "string", enum: [""] }] },
    encoding: deep,
    value: "",
    body: "field=",
  },
  {
    name: "an object that is joined",
    field: object,
    encoding: { explode: false },
    value: { a: "1", b: "2" },
    body: "field=a,1,b,2",
  },
  {
    name: "an object whose fields stand alone",
    field: object,
    encoding: { style: "form" },
    value: { a: "1", b: ["2", "3"] },
    body: "a=1&b=2&b=3",
  },
  {
    name: "an object as JSON",
    field: object,
    encoding: json,
    value: { a: "1" },
    body: 'field={"a":"1"}',
  },
  { name: "an object without encoding", field: object, value: { a: "1" }, body: 'field={"a":"1"}' },
  {
    name: "an object behind a reference without encoding",
    field: { $ref: "#/components/schemas/Deep" },
    value: { a: "1" },
    body: 'field={"a":"1"}',
  },
  {
    name: "a map without encoding",
    field: { type: "object", additionalProperties: text },
    value: { a: "1" },
    body: 'field={"a":"1"}',
  },
  {
    name: "a list of objects without encoding",
    field: objects,
    value: [{ a: "1" }, { a: "2" }],
    body: 'field={"a":"1"}&field={"a":"2"}',
  },
  {
    name: "a list as JSON",
    field: list,
    encoding: json,
    value: ["a", "b"],
    body: 'field=["a","b"]',
  },
  { name: "a list", field: list, value: ["a", "b"], body: "field=a&field=b" },
  {
    name: "a list with commas",
    field: list,
    encoding: { explode: false },
    value: ["a", "b"],
    body: "field=a,b",
  },
  {
    name: "a list with bars",
    field: list,
    encoding: { style: "pipeDelimited", explode: false },
    value: ["a", "b"],
    body: "field=a|b",
  },
  {
    name: "a number with an encoding of its own",
    field: { type: "integer" },
    encoding: { contentType: "text/plain" },
    value: 7,
    body: "field=7",
  },
])("a form sends $name", ({ field, encoding, value, body }) => {
  const schema = { type: "object", properties: { field } };
  const { service, dropped } = posting(form, schema, { field: encoding ?? {} });
  expect(dropped).toEqual([]);
  const sent = bodySent(service, { field: value });
  expect(sent.type).toBe(form);
  expect(decodeURIComponent(sent.body?.replaceAll("+", " ") ?? "")).toBe(body);
});

it.each<{ name: string; field: unknown; encoding?: unknown; reason: string }>([
  {
    name: "an object as XML",
    field: object,
    encoding: { contentType: "application/xml" },
    reason: "it is written as application/xml",
  },
  {
    name: "an object of an unknown style",
    field: object,
    encoding: { style: "matrix" },
    reason: "it is written in the style matrix",
  },
  {
    name: "a joined list of objects",
    field: objects,
    encoding: { explode: false },
    reason: "it is a list of objects or lists",
  },
  {
    name: "a joined list of lists",
    field: { type: "array", items: list },
    encoding: { style: "pipeDelimited" },
    reason: "it is a list of objects or lists",
  },
  {
    name: "a joined list of what may be an object, behind a reference",
    field: { type: "array", items: { $ref: "#/components/schemas/Twice" } },
    encoding: { explode: false },
    reason: "it is a list of objects or lists",
  },
  {
    name: "a file",
    field: { type: "string", format: "binary" },
    reason: "it is a file",
  },
  {
    name: "a list of files",
    field: { type: "array", items: { type: "string", format: "binary" } },
    reason: "it is a file",
  },
])("a form does without $name, or is left out where it is required", (row) => {
  const { encoding = {} } = row;
  const properties = { name: text, field: row.field };
  const optional = posting(form, { type: "object", properties }, { field: encoding });
  expect(optional.dropped).toEqual([`field: ${row.reason}`]);
  expect(optional.service?.parameters).toEqual({ type: "object", properties: { name: text } });

  const required = posting(
    form,
    { type: "object", properties, required: ["field"] },
    { field: encoding },
  );
  expect(required.service).toBeUndefined();
  expect(required.reason).toBe(`its form requires "field", and ${row.reason}`);

  const alone = posting(
    form,
    { type: "object", properties: { field: row.field } },
    { field: encoding },
  );
  expect(alone.service).toBeUndefined();
  expect(alone.reason).toBe(`its body is a form, and ${row.reason}`);
});

/** A form of two shapes, so that it is one argument. */
const twoShapes = {
  type: "object",
  properties: { b: text },
  anyOf: [{ properties: { a: object } }, { properties: { list } }],
};

it("a form that is one argument writes all its fields in one way", () => {
  const { service } = posting(form, twoShapes, { a: deep, list: deep });
  expect(service?.request.in).toEqual({ body: { in: "wholeBody", list: "deep" } });
  const { body } = bodySent(service, { body: { b: "x", a: { c: "1" }, list: ["y"] } });
  expect(decodeURIComponent(body ?? "")).toBe("b=x&a[c]=1&list[0]=y");
});

it.each([
  {
    name: "fields written in several ways",
    encoding: { a: deep, list: { explode: false } },
    reason: "its body is a form, and its fields are written in several ways: deep, comma",
  },
  {
    name: "a field that a form cannot hold",
    encoding: { a: { contentType: "application/xml" } },
    reason: 'its body is a form, and "a" cannot be sent: it is written as application/xml',
  },
])("a form that is one argument is left out with $name", ({ encoding, reason }) => {
  const made = posting(form, twoShapes, encoding);
  expect(made.service).toBeUndefined();
  expect(made.reason).toBe(reason);
});
