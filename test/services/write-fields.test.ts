import { describe, expect, it } from "vitest";

import { type Json, maxDepth } from "../../src/json/json.js";
import { buildRequest } from "../../src/services/build-request.js";
import type { ListForm, ServiceInput } from "../../src/services/definition.js";
import { writeFields, writeText } from "../../src/services/write-fields.js";
import { serviceOf } from "../support/services.js";

const nested = { a: 1, b: ["x", { c: null }], d: {} };

describe("the fields of a value", () => {
  it.each<{ form: ListForm; value: Json; fields: string[] }>([
    { form: "repeat", value: [1, "a", { b: 2 }], fields: ["q=1", "q=a", 'q={"b":2}'] },
    { form: "repeat", value: nested, fields: [`q=${JSON.stringify(nested)}`] },
    { form: "repeat", value: [], fields: [] },
    { form: "comma", value: ["a", 2, true], fields: ["q=a,2,true"] },
    { form: "comma", value: { a: 1, b: "c" }, fields: ["q=a,1,b,c"] },
    { form: "space", value: ["a", "b"], fields: ["q=a b"] },
    { form: "pipe", value: ["a", "b"], fields: ["q=a|b"] },
    { form: "deep", value: nested, fields: ["q[a]=1", "q[b][0]=x", "q[b][1][c]="] },
    { form: "deep", value: [["a"], "b"], fields: ["q[0][0]=a", "q[1]=b"] },
    { form: "deep", value: "a", fields: ["q=a"] },
    { form: "deep", value: null, fields: ["q="] },
    { form: "deep", value: {}, fields: [] },
    {
      form: "fields",
      value: { a: 1, b: [2, 3], c: { d: 4 } },
      fields: ["a=1", "b=2", "b=3", 'c={"d":4}'],
    },
    { form: "fields", value: ["a", "b"], fields: ["q=a", "q=b"] },
    { form: "json", value: ["a"], fields: ['q=["a"]'] },
    { form: "json", value: { a: 1 }, fields: ['q={"a":1}'] },
    { form: "json", value: "a", fields: ["q=a"] },
  ])("in the form $form of $value", ({ form, value, fields }) => {
    expect(writeFields("q", value, form).map(({ name, text }) => `${name}=${text}`)).toEqual(
      fields,
    );
  });

  it.each<{ form: ListForm; value: Json; text: string }>([
    { form: "comma", value: ["a", "b"], text: "a,b" },
    { form: "repeat", value: ["a", "b"], text: '["a","b"]' },
    { form: "comma", value: "a", text: "a" },
    { form: "deep", value: { a: 1 }, text: '{"a":1}' },
  ])("as one text in the form $form of $value", ({ form, value, text }) => {
    expect(writeText(value, form)).toBe(text);
  });

  it("are refused where they nest too deep, before the process ends", () => {
    let value: Json = "x";
    for (let depth = 0; depth < maxDepth + 3; depth += 1) value = { a: value };
    expect(() => writeFields("q", value, "deep")).toThrow(
      `"q" nests more than ${maxDepth} objects and lists.`,
    );
  });
});

const base = "https://rooms.example/rooms";

/** The request of a service with the parameters `q` and `id`. */
function request(given: Partial<ServiceInput["request"]>, q: Json) {
  const properties = { q: {}, id: {} };
  const service = serviceOf({
    parameters: { type: "object", properties },
    request: { url: base, ...given },
  });
  const { url, body } = buildRequest(service, { q, id: "7" }, { headers: {}, query: { key: "k" } });
  return { url: decodeURIComponent(url), body: decodeURIComponent(String(body ?? "")) };
}

describe("a value inside an argument", () => {
  it.each<{ name: string; given: Partial<ServiceInput["request"]>; q: Json; field: string }>([
    {
      name: "a fixed parameter of the query",
      given: { query: { tenant: "ours" }, in: { q: { in: "query", list: "fields" } } },
      q: { tenant: "theirs" },
      field: "tenant",
    },
    {
      name: "a fixed parameter in the address",
      given: { url: `${base}?tenant=ours`, in: { q: { in: "query", list: "fields" } } },
      q: { tenant: "theirs" },
      field: "tenant",
    },
    {
      name: "a key",
      given: { in: { q: { in: "query", list: "fields" } } },
      q: { key: "mine" },
      field: "key",
    },
    {
      name: "another parameter",
      given: { in: { q: { in: "query", list: "fields" } } },
      q: { id: "8" },
      field: "id",
    },
    {
      name: "a fixed parameter with brackets",
      given: { query: { "q[tenant]": "ours" }, in: { q: { in: "query", list: "deep" } } },
      q: { tenant: "theirs" },
      field: "q[tenant]",
    },
    {
      name: "a fixed field of a form",
      given: {
        method: "POST",
        bodyFormat: "form",
        body: { tenant: "ours" },
        in: { q: { in: "body", list: "fields" } },
      },
      q: { tenant: "theirs" },
      field: "tenant",
    },
  ])("cannot take the name of $name", ({ given, q, field }) => {
    expect(() => request(given, q)).toThrow(
      `"q" may not have the field "${field}": the request has it already.`,
    );
  });

  it.each<{ name: string; given: Partial<ServiceInput["request"]>; q: Json; sent: object }>([
    {
      name: "a query",
      given: { in: { q: { in: "query", list: "deep" } } },
      q: { gte: 1 },
      sent: { url: `${base}?key=k&q[gte]=1&id=7`, body: "" },
    },
    {
      name: "a path",
      given: { url: `${base}/{q}`, in: { q: { in: "path", list: "comma" } } },
      q: ["a", "b"],
      sent: { url: `${base}/a,b?key=k&id=7`, body: "" },
    },
    {
      name: "a form",
      given: { method: "POST", bodyFormat: "form", in: { q: { in: "body", list: "deep" } } },
      q: { order: 17 },
      sent: { url: `${base}?key=k`, body: "q[order]=17&id=7" },
    },
  ])("is sent in $name", ({ given, q, sent }) => {
    expect(request(given, q)).toEqual(sent);
  });

  it("cannot leave the folder of a path in a list", () => {
    const given = { url: `${base}/{q}/x`, in: { q: { in: "path", list: "comma" } } } as const;
    expect(() => request(given, ["..", "/../a"])).toThrow('without a ".." segment');
  });
});

/** The request of a multipart form with one field. */
function made(given: Partial<ServiceInput["request"]>, name: string, value: Json) {
  const service = serviceOf({
    parameters: { type: "object", properties: { q: {} } },
    request: { method: "POST", bodyFormat: "multipart", in: { q: { in: "body", name } }, ...given },
  });
  return buildRequest(service, { q: value }, { headers: {}, query: {} });
}

describe("a multipart body", () => {
  it("has a boundary of its own each time, which no fixed header replaces", () => {
    const headers = { "Content-Type": "multipart/form-data" };
    const [one, other] = [1, 2].map(() => made({ headers }, "q", "x").headers["content-type"]);
    expect(one).toMatch(/^multipart\/form-data; boundary=plangraph-[\da-f-]{36}$/);
    expect(one).not.toBe(other);
  });

  it("has names that end neither their quotes nor their line", () => {
    const { body = "" } = made({}, 'a"; b\r\nc', "x");
    expect(body).toContain('form-data; name="a%22; b%0D%0Ac"\r\n\r\nx\r\n');
  });

  it("has fixed fields, which an argument may replace", () => {
    const { body = "" } = made({ body: { q: "fixed", r: "fixed" } }, "q", "given");
    expect(String(body).match(/name="\w"\r\n\r\n\w+/g)).toEqual([
      'name="r"\r\n\r\nfixed',
      'name="q"\r\n\r\ngiven',
    ]);
  });
});
