import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { buildRequest } from "../../src/services/build-request.js";
import { ServiceDefinition } from "../../src/services/definition-problems.js";
import { documentOf, onlyOf } from "./openapi/documents.js";

const array = { type: "array", items: { type: "string" } };
const object = { type: "object", additionalProperties: { type: "integer" } };
const list = ["blue", "a/b"];
const fields = { R: 100, "G B": 2 };

/** The path that an imported operation sends, for a parameter of this style. */
function pathOf(
  style: string,
  schema: object,
  value: Json,
  explode?: boolean,
  name = "color",
): string {
  const parameter = { in: "path", name, required: true, style, explode, schema };
  const made = onlyOf(documentOf({ [`/x/{${name}}/y`]: { get: { parameters: [parameter] } } }));
  const service = ServiceDefinition.parse(made);
  const [argument = ""] = Object.keys(Object(service.parameters["properties"]));
  const { url } = buildRequest(service, { [argument]: value }, { headers: {}, query: {} });
  return new URL(url).pathname;
}

describe("a path of an OpenAPI document", () => {
  it.each<{ style: string; schema: object; value: Json; explode?: boolean; path: string }>([
    { style: "simple", schema: {}, value: "a b", path: "/x/a%20b/y" },
    { style: "simple", schema: array, value: ["a,b", "c"], path: "/x/a%2Cb,c/y" },
    { style: "label", schema: { type: "string" }, value: "a.b", path: "/x/.a.b/y" },
    { style: "label", schema: array, value: list, path: "/x/.blue,a%2Fb/y" },
    { style: "label", schema: array, value: list, explode: true, path: "/x/.blue.a%2Fb/y" },
    { style: "label", schema: object, value: fields, path: "/x/.R,100,G%20B,2/y" },
    { style: "label", schema: object, value: fields, explode: true, path: "/x/.R=100.G%20B=2/y" },
    { style: "matrix", schema: { type: "integer" }, value: 7, path: "/x/;color=7/y" },
    {
      style: "matrix",
      schema: { type: "integer" },
      value: 7,
      explode: true,
      path: "/x/;color=7/y",
    },
    { style: "matrix", schema: array, value: list, path: "/x/;color=blue,a%2Fb/y" },
    {
      style: "matrix",
      schema: array,
      value: list,
      explode: true,
      path: "/x/;color=blue;color=a%2Fb/y",
    },
    { style: "matrix", schema: object, value: fields, explode: true, path: "/x/;R=100;G%20B=2/y" },
  ])("has $style, explode $explode, of $value", ({ style, schema, value, explode, path }) => {
    expect(pathOf(style, schema, value, explode)).toBe(path);
  });

  it("keeps the service's name where the tool's is another one", () => {
    expect(pathOf("matrix", array, ["a"], true, "the color")).toBe("/x/;the%20color=a/y");
    expect(pathOf("matrix", {}, "a", false, "the color")).toBe("/x/;the%20color=a/y");
  });

  it.each<{ style: string; schema: object; value: Json; explode?: boolean }>([
    { style: "label", schema: {}, value: "." },
    { style: "label", schema: {}, value: "./admin" },
    { style: "label", schema: {}, value: "%2e/admin" },
    { style: "label", schema: array, value: ["", "x"], explode: true },
    { style: "label", schema: array, value: [], explode: true },
    { style: "label", schema: array, value: ["./admin"], explode: true },
    { style: "matrix", schema: array, value: ["../admin"], explode: true },
    { style: "matrix", schema: object, value: { "..": 1 }, explode: true },
  ])("does not leave its folder by $style of $value", ({ style, schema, value, explode }) => {
    expect(() => pathOf(style, schema, value, explode)).toThrow(
      expect.objectContaining({ kind: "invalid_arguments" }),
    );
  });

  it("has no value that ends its part", () => {
    expect(pathOf("matrix", object, { a: "1;admin=1" }, true)).toBe("/x/;a=1%3Badmin%3D1/y");
  });
});
