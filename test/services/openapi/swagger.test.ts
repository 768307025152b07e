import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import type { JsonObject } from "../../../src/json/json.js";
import {
  importOpenApi,
  type OpenApiSelection,
  servicesFromOpenApi,
} from "../../../src/services/index.js";
import { bodySent } from "./documents.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plangraph-swagger-"));
});
afterAll(() => rm(folder, { recursive: true }));

const texts = { type: "array", items: { type: "string" } };

const document = {
  swagger: "2.0",
  info: { title: "Shop", version: "1" },
  host: "shop.example",
  basePath: "/v1",
  schemes: ["http", "https"],
  consumes: ["application/json"],
  securityDefinitions: {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    user: { type: "basic" },
    login: {
      type: "oauth2",
      flow: "accessCode",
      authorizationUrl: "https://a/",
      tokenUrl: "https://b/",
    },
  },
  security: [{ key: [], login: [] }],
  definitions: {
    Pet: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  },
  parameters: {
    Tags: { name: "tags", in: "formData", ...texts },
    Page: { name: "page", in: "query", type: "integer" },
  },
  paths: {
    "/pets": {
      parameters: [{ $ref: "#/parameters/Page" }],
      get: {
        operationId: "list",
        security: [{ user: [] }],
        parameters: [
          { name: "csv", in: "query", ...texts },
          { name: "multi", in: "query", ...texts, collectionFormat: "multi" },
          { name: "pipes", in: "query", ...texts, collectionFormat: "pipes" },
        ],
      },
      post: {
        operationId: "add",
        parameters: [
          { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } },
        ],
      },
    },
    "/forms": {
      get: { operationId: "page", parameters: [{ $ref: "#/parameters/Page" }] },
      parameters: [{ $ref: "#/parameters/Tags" }],
      post: {
        operationId: "form",
        parameters: [
          { name: "name", in: "formData", type: "string", required: true },
          { name: "many", in: "formData", ...texts, collectionFormat: "multi" },
        ],
      },
      put: {
        operationId: "parts",
        consumes: ["multipart/form-data"],
        parameters: [
          { name: "name", in: "formData", type: "string" },
          { name: "photo", in: "formData", type: "file" },
        ],
      },
      patch: {
        operationId: "upload",
        parameters: [{ name: "photo", in: "formData", type: "file", required: true }],
      },
    },
    "/far": { post: { operationId: "far", parameters: [{ $ref: "other.json#/Far" }] } },
  },
};

/** What is imported from a file with this document. */
async function imported(given: object, selection: OpenApiSelection = {}) {
  const file = join(folder, "swagger.json");
  await writeFile(file, JSON.stringify(given));
  return importOpenApi(file, selection);
}

describe("a document of Swagger 2.0", () => {
  it("becomes services, with reasons for what is left out", async () => {
    const { services, leftOut, dropped } = await imported(document);
    expect(services.map(({ name, request }) => [name, request.url])).toEqual([
      ["list", "https://shop.example/v1/pets"],
      ["add", "https://shop.example/v1/pets"],
      ["page", "https://shop.example/v1/forms"],
      ["form", "https://shop.example/v1/forms"],
      ["parts", "https://shop.example/v1/forms"],
      ["upload", "https://shop.example/v1/forms"],
    ]);
    expect(leftOut).toEqual([
      { operation: "far (POST /far)", reason: 'it refers to another document: "other.json#/Far"' },
    ]);
    expect(dropped).toEqual([]);
    expect(services.at(-1)?.request).toMatchObject({
      bodyFormat: "multipart",
      in: { photo: { in: "body", file: "*/*" } },
    });
  });

  it.each<{ name: string; in: object | undefined; auth: unknown; properties: string[] }>([
    {
      name: "list",
      in: { csv: { in: "query", list: "comma" }, pipes: { in: "query", list: "pipe" } },
      auth: { type: "basic", env: "SHOP_USER" },
      properties: ["page", "csv", "multi", "pipes"],
    },
    {
      name: "add",
      in: { page: "query" },
      auth: [
        { type: "header", name: "X-Key", env: "SHOP_KEY" },
        { type: "bearer", env: "SHOP_LOGIN" },
      ],
      properties: ["page", "name"],
    },
  ])("keeps the places, lists and authorizations of $name", async (row) => {
    const { services } = await imported(document, { operations: [row.name] });
    expect(services[0]?.request.in).toEqual(row.in);
    expect(services[0]?.request.auth).toEqual(row.auth);
    expect(Object.keys(Object(services[0]?.parameters?.["properties"]))).toEqual(row.properties);
  });

  it.each<{ name: string; args: JsonObject; type: string; body: RegExp }>([
    {
      name: "add",
      args: { name: "Rex" },
      type: "application/json",
      body: /^\{"name":"Rex"\}$/,
    },
    {
      name: "form",
      args: { name: "Rex", tags: ["a", "b"], many: ["c", "d"] },
      type: "application/x-www-form-urlencoded",
      body: /^name=Rex&tags=a%2Cb&many=c&many=d$/,
    },
    {
      name: "parts",
      args: { name: "Rex", tags: ["a", "b"] },
      type: "multipart/form-data",
      body: /name="name"\r\n\r\nRex\r\n[^]*name="tags"\r\n\r\na,b\r\n/,
    },
  ])("sends the body of $name", async ({ name, args, type, body }) => {
    const { services } = await imported(document, { operations: [name] });
    const sent = bodySent(services[0], args);
    expect(sent.type?.split(";")[0]).toBe(type);
    expect(sent.body).toMatch(body);
  });

  it.each<{ name: string; given: object; url: string }>([
    {
      name: "https without schemes",
      given: { schemes: undefined },
      url: "https://shop.example/v1",
    },
    { name: "http alone", given: { schemes: ["http"] }, url: "http://shop.example/v1" },
    {
      name: "a host with a port and no folder",
      given: { host: "shop.example:8443", basePath: undefined },
      url: "https://shop.example:8443",
    },
    {
      name: "none without a host",
      given: { host: undefined },
      url: "the document names no server with a whole address: choose one",
    },
  ])("has the address: $name", async ({ given, url }) => {
    const { services, leftOut } = await imported(
      { ...document, ...given },
      { operations: ["list"] },
    );
    expect(services[0]?.request.url.replace(/\/pets$/, "") ?? leftOut[0]?.reason).toBe(url);
  });

  it.each([
    { name: "no paths", given: { paths: undefined }, error: "got version 3.1.1 without paths" },
    {
      name: "parameters without a place",
      given: { paths: { "/a": { get: { parameters: [{ name: "a" }] } } } },
      error: "the Swagger document cannot be converted to OpenAPI 3: Parameter object must have",
    },
  ])("is refused with $name", async ({ given, error }) => {
    await expect(imported({ ...document, ...given })).rejects.toThrow(error);
  });

  it("is not read without its package, and the error names it", async () => {
    vi.doMock("@scalar/openapi-upgrader", () => {
      throw new Error("Cannot find package");
    });
    const made = imported(document);
    await expect(made).rejects.toMatchObject({
      code: "missing_package",
      message: expect.stringContaining("npm install @scalar/openapi-upgrader"),
    });
    vi.doUnmock("@scalar/openapi-upgrader");
  });

  it("that is already data is refused with the way to read it", () => {
    expect(() => servicesFromOpenApi(document)).toThrow(
      "got Swagger 2.0; importOpenApi(file) reads it, with the package @scalar/openapi-upgrader",
    );
  });
});
