import { describe, expect, it } from "vitest";

import { PlangraphError } from "../../../src/index.js";
import { servicesFromOpenApi } from "../../../src/services/index.js";
import { documentOf } from "./documents.js";

const shop = documentOf({
  "/pets": {
    get: { operationId: "pets.list", tags: ["pets"] },
    post: { operationId: "pets.add", tags: ["pets", "x"] },
  },
  "/pets/{id}": { get: { tags: ["pets"] } },
  "/orders": { get: { operationId: "orders.list" } },
});

describe("operations are selected", () => {
  it.each([
    {
      name: "all without a choice",
      select: {},
      chosen: ["pets_list", "pets_add", "get_pets_id", "orders_list"],
    },
    {
      name: "by tag",
      select: { tags: ["x", "pets"] },
      chosen: ["pets_list", "pets_add", "get_pets_id"],
    },
    { name: "by method", select: { methods: ["post"] }, chosen: ["pets_add"] },
    { name: "by id", select: { operations: ["orders.list"] }, chosen: ["orders_list"] },
    {
      name: "by a part of the id",
      select: { operations: ["*.l*t"] },
      chosen: ["pets_list", "orders_list"],
    },
    {
      name: "by method and path",
      select: { operations: ["GET /pets/{id}"] },
      chosen: ["get_pets_id"],
    },
    {
      name: "by a part of the path",
      select: { operations: ["get /pets*", "* /orders"] },
      chosen: ["pets_list", "get_pets_id", "orders_list"],
    },
    {
      name: "by all that is said",
      select: { tags: ["pets"], operations: ["*list"], methods: ["GET"] },
      chosen: ["pets_list"],
    },
  ])("$name", ({ select, chosen }) => {
    expect(servicesFromOpenApi(shop, select).services.map(({ name }) => name)).toEqual(chosen);
  });

  const tags = "Its tags: pets (3), x (1), (none) (1).";
  it.each([
    {
      name: "a tag",
      select: { tags: ["pet"] },
      said: `There is no tag "pet" in the document. ${tags}`,
    },
    {
      name: "an operation",
      select: { operations: ["pets.lst"] },
      said: 'There is no operation "pets.lst" in the document; the nearest are: pets.list,',
    },
    {
      name: "too much",
      select: { tags: ["x"], methods: ["GET"] },
      said: `No operation is selected. ${tags}`,
    },
    {
      name: "a scheme",
      select: { env: { key: "KEY" } },
      said: 'The document has no security scheme "key"; its schemes are: none.',
    },
    {
      name: "no address",
      select: { serverUrl: "shop" },
      said: "expected one that begins with http:// or https://",
    },
  ])("and $name that the document has not is said", ({ select, said }) => {
    const run = () => servicesFromOpenApi(shop, select);
    expect(run).toThrow(PlangraphError);
    expect(run).toThrow(said);
  });
});

it.each([
  { name: "nothing", document: undefined, got: "something else" },
  {
    name: "Swagger",
    document: { swagger: "2.0", paths: {} },
    got: "Swagger 2.0; importOpenApi(file) reads it",
  },
  { name: "another version", document: { openapi: "4.0.0", paths: {} }, got: "version 4.0.0." },
  {
    name: "a document without paths",
    document: { openapi: "3.1.0" },
    got: "version 3.1.0 without paths",
  },
])("$name is no document", ({ document, got }) => {
  expect(() => servicesFromOpenApi(document)).toThrow(
    `Expected an OpenAPI document of version 3.0 or 3.1 with paths, got ${got}`,
  );
});
