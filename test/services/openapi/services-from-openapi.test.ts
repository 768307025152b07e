import { describe, expect, it } from "vitest";

import { importOpenApi } from "../../../src/services/index.js";
import { ServiceDefinition } from "../../../src/services/definition-problems.js";

const file = "test/fixtures/shop.openapi.yaml";
const shop = await importOpenApi(file);
const service = (name: string) => shop.services.find((each) => each.name === name);
const server = "https://eu.shop.example/v1";
const key = { type: "header", name: "X-Key", env: "PET_SHOPS_API_API_KEY" };

describe("a document's operations", () => {
  it("become services that a definition may say, in the document's order", () => {
    expect(shop.services.map(({ name }) => name)).toEqual([
      "listPets",
      "addPet",
      "pets_get",
      "pets_replace",
      "addPhoto",
      "getPhoto",
      "order",
      "patch_orders",
      "changeOrder",
      "get_orders_id",
      "plantTree",
    ]);
    for (const each of shop.services) expect(ServiceDefinition.parse(each).name).toBe(each.name);
  });

  it("are left out with the reason where none can be made", () => {
    expect(shop.leftOut).toEqual([
      { operation: "/elsewhere", reason: 'it refers to another document: "paths.yaml#/elsewhere"' },
      { operation: "removePet (DELETE /pets/{pet-id})", reason: "it is deprecated" },
      { operation: "traceOrders (TRACE /orders)", reason: "its method is TRACE" },
      {
        operation: "far (GET /far)",
        reason: 'it refers to another document: "other.yaml#/parameters/Page"',
      },
    ]);
    expect(shop.dropped).toEqual([]);
  });
});

it("parameters go where the document says, and only what is not the rule is said", () => {
  expect(service("listPets")).toEqual({
    name: "listPets",
    description: "List pets. Lists the pets of the shop, the newest first.",
    extendedDescription: "At most 100 come at once.",
    parameters: {
      type: "object",
      properties: {
        filter_kind: { type: "string", enum: ["cat", "dog"] },
        tags: { type: "array", items: { type: "string" } },
        limit: { type: "integer", exclusiveMinimum: 0 },
        where: { type: "object" },
        "X-Trace": { type: "string" },
        session: { type: "string" },
      },
    },
    request: {
      method: "GET",
      url: `${server}/pets`,
      in: {
        filter_kind: { in: "query", name: "filter[kind]" },
        tags: { in: "query", list: "comma" },
        where: { in: "query", list: "deep" },
        "X-Trace": "header",
        session: "cookie",
      },
      auth: key,
    },
    error: { path: "error.message" },
  });
});

it.each([
  {
    name: "the fields of a body, without what only responses have",
    of: "addPet",
    request: { method: "POST", url: `${server}/pets`, auth: key },
    parameters: {
      type: "object",
      properties: { name: { type: "string" }, kind: { type: ["string", "null"] } },
      required: ["name"],
    },
  },
  {
    name: "a path's own parameters",
    of: "pets_get",
    request: { method: "GET", url: `${server}/pets/{pet-id}` },
    parameters: {
      type: "object",
      properties: { "pet-id": { type: "integer", description: "The pet." } },
      required: ["pet-id"],
    },
  },
  {
    name: "what a body is all of, merged, and a content type of its own",
    of: "pets_replace",
    request: {
      method: "PUT",
      url: `${server}/pets/{pet-id}`,
      headers: { "content-type": "application/merge-patch+json" },
      auth: { type: "bearer", env: "PET_SHOPS_API_TOKEN" },
    },
    parameters: {
      type: "object",
      properties: {
        "pet-id": { type: "integer", description: "The pet." },
        name: { type: "string" },
        kind: { type: ["string", "null"] },
        price: { type: "number" },
      },
      required: ["pet-id", "name", "price"],
    },
  },
  {
    name: "a form, and an optional authorization where it may be left out",
    of: "order",
    request: {
      method: "POST",
      url: `${server}/orders`,
      bodyFormat: "form",
      auth: { type: "basic", env: "PET_SHOPS_API_BASIC", optional: true },
    },
    parameters: { type: "object", properties: { pet: { type: "integer" } }, required: ["pet"] },
  },
  {
    name: "two authorizations that are sent together",
    of: "patch_orders",
    request: {
      method: "PATCH",
      url: `${server}/orders`,
      auth: [key, { type: "bearer", env: "PET_SHOPS_API_TOKEN" }],
    },
    parameters: { type: "object", properties: {} },
  },
  {
    name: "a key in a cookie",
    of: "getPhoto",
    request: {
      method: "GET",
      url: `${server}/pets/{id}/photo`,
      auth: { type: "cookie", name: "sid", env: "PET_SHOPS_API_SESSION" },
    },
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
  {
    name: "the whole body where a field of it is called as a parameter is",
    of: "changeOrder",
    request: {
      method: "PUT",
      url: `${server}/orders/{id}`,
      in: { body: "wholeBody" },
      auth: { type: "bearer", env: "PET_SHOPS_API_LOGIN" },
    },
    parameters: {
      type: "object",
      properties: {
        id: { type: "string" },
        body: {
          type: "object",
          properties: { id: { type: "integer" }, pet: { type: "integer" } },
        },
      },
      required: ["id", "body"],
    },
  },
  {
    name: "a name of method and path, and what only the path names",
    of: "get_orders_id",
    request: {
      method: "GET",
      url: `${server}/orders/{id}`,
      auth: { type: "basic", env: "PET_SHOPS_API_BASIC" },
    },
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
  {
    name: "definitions of what is used more than once or holds itself",
    of: "plantTree",
    request: {
      method: "POST",
      url: `${server}/trees`,
      auth: { type: "query", name: "key", env: "PET_SHOPS_API_IN_QUERY" },
    },
    parameters: {
      type: "object",
      properties: {
        fruit: { $ref: "#/$defs/Fruit" },
        other: { $ref: "#/$defs/Fruit" },
        trees: { type: "array", items: { $ref: "#/$defs/Tree" } },
      },
      $defs: {
        Fruit: { type: "string", minLength: 1 },
        Tree: {
          type: "object",
          properties: {
            fruit: { $ref: "#/$defs/Fruit" },
            other: { $ref: "#/$defs/Fruit" },
            trees: { type: "array", items: { $ref: "#/$defs/Tree" } },
          },
        },
      },
    },
  },
])("a service has $name", ({ of, request, parameters }) => {
  expect(service(of)).toMatchObject({ request, parameters });
  expect(Object.keys(service(of)?.request ?? {})).toEqual(Object.keys(request));
  expect(service(of)?.parameters).toEqual(parameters);
});

it("the report says what the tools cost, the dearest first", () => {
  const { total, dearest } = shop.tokens;
  expect(dearest).toHaveLength(5);
  expect(dearest[0]?.service).toBe("plantTree");
  const costs = dearest.map(({ tokens }) => tokens);
  expect(costs).toEqual(costs.toSorted((one, other) => other - one));
  expect(total).toBeGreaterThan(costs.reduce((sum, each) => sum + each, 0));
});

it("a scheme's variable and the server can be chosen, and a deprecated operation by its name", async () => {
  const { services } = await importOpenApi(file, {
    operations: ["removePet"],
    env: { api_key: "SHOP_KEY" },
    serverUrl: "http://localhost:8080/shop/",
  });
  expect(services.map(({ request }) => request)).toEqual([
    {
      method: "DELETE",
      url: "http://localhost:8080/shop/pets/{pet-id}",
      auth: { type: "header", name: "X-Key", env: "SHOP_KEY" },
    },
  ]);
});
