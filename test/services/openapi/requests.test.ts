import { expect, it } from "vitest";

import { importOpenApi } from "../../../src/services/index.js";
import type { JsonObject } from "../../../src/json/json.js";
import { buildRequest } from "../../../src/services/build-request.js";
import { ServiceDefinition } from "../../../src/services/definition-problems.js";
import { checkArguments } from "../../../src/tools/check-arguments.js";

const { services } = await importOpenApi("test/fixtures/shop.openapi.yaml");
const nobody = { headers: {}, query: {} };
const server = "https://eu.shop.example/v1";

function requestOf(name: string, args: JsonObject) {
  const service = ServiceDefinition.parse(services.find((each) => each.name === name));
  const { method, url, body, headers } = buildRequest(service, args, nobody);
  return { method, url: decodeURIComponent(url), body, type: headers["content-type"] };
}

it.each<{ name: string; of: string; args: JsonObject; request: unknown }>([
  {
    name: "a query",
    of: "listPets",
    args: { filter_kind: "cat", tags: ["a", "b"], limit: 3 },
    request: { method: "GET", url: `${server}/pets?filter[kind]=cat&tags=a,b&limit=3` },
  },
  {
    name: "a body",
    of: "addPet",
    args: { name: "Rex", kind: "dog" },
    request: {
      method: "POST",
      url: `${server}/pets`,
      type: "application/json",
      body: '{"name":"Rex","kind":"dog"}',
    },
  },
  {
    name: "a path and a body of a type of its own",
    of: "pets_replace",
    args: { "pet-id": 7, name: "Rex", price: 1 },
    request: {
      method: "PUT",
      url: `${server}/pets/7`,
      type: "application/merge-patch+json",
      body: '{"name":"Rex","price":1}',
    },
  },
  {
    name: "a form",
    of: "order",
    args: { pet: 7 },
    request: {
      method: "POST",
      url: `${server}/orders`,
      type: "application/x-www-form-urlencoded",
      body: "pet=7",
    },
  },
  {
    name: "a body that is one argument",
    of: "changeOrder",
    args: { id: "9", body: { id: 8, pet: 7 } },
    request: {
      method: "PUT",
      url: `${server}/orders/9`,
      type: "application/json",
      body: '{"id":8,"pet":7}',
    },
  },
])("what a document says of $name is how the service is called", ({ of, args, request }) => {
  expect(requestOf(of, args)).toEqual({ body: undefined, type: undefined, ...Object(request) });
});

it("arguments that do not fit a schema within itself are told apart from those that do", async () => {
  const { name, parameters } = ServiceDefinition.parse(
    services.find((each) => each.name === "plantTree"),
  );
  const checked = (args: unknown) => checkArguments({ name, schema: parameters }, args);
  expect(await checked({ trees: [{ fruit: "fig", trees: [{ other: "nut" }] }] })).toBeUndefined();
  expect(await checked({ trees: [{ trees: [{ other: "" }] }] })).toContain(
    "- trees.0.trees.0.other: expected another value",
  );
});
