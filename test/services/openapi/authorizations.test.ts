import { describe, expect, it } from "vitest";

import { importOpenApi, servicesFromOpenApi } from "../../../src/services/index.js";
import { documentOf } from "./documents.js";

const securitySchemes = {
  key: { type: "apiKey", in: "header", name: "X-Key" },
  app: { type: "apiKey", in: "query", name: "app" },
  sid: { type: "apiKey", in: "cookie", name: "sid" },
  raw: { type: "apiKey", in: "header", name: "Authorization" },
  one: { type: "oauth2", flows: {} },
  two: { type: "oauth2", flows: {} },
  jwt: { type: "http", scheme: "bearer" },
  user: { type: "http", scheme: "basic" },
  tls: { type: "mutualTLS" },
};

/** The authorization of `GET /` with these requirements, or why there is none. */
function authFor(security: unknown, env: Record<string, string> = {}): unknown {
  const document = documentOf({ "/": { get: { security } } }, { securitySchemes });
  const { services, leftOut } = servicesFromOpenApi(document, { env });
  return services.length === 0 ? leftOut[0]?.reason : services[0]?.request.auth;
}

const key = { type: "header", name: "X-Key", env: "API_KEY" };
const app = { type: "query", name: "app", env: "API_APP" };
const sid = { type: "cookie", name: "sid", env: "API_SID" };
const bearer = (env: string) => ({ type: "bearer", env });
const optional = { optional: true };

describe("the authorization of an operation", () => {
  it.each<{ name: string; security: unknown; env?: Record<string, string>; auth: unknown }>([
    { name: "two keys together", security: [{ key: [], app: [] }], auth: [key, app] },
    {
      name: "three together",
      security: [{ key: [], jwt: [], sid: [] }],
      auth: [key, bearer("API_JWT"), sid],
    },
    {
      name: "one token for two schemes that both are tokens",
      security: [{ one: [], two: [] }],
      auth: bearer("API_ONE"),
    },
    {
      name: "one token for two schemes, with the variable that was chosen for the second",
      security: [{ one: [], two: [] }],
      env: { two: "TOKEN" },
      auth: bearer("TOKEN"),
    },
    {
      name: "one token for two schemes with one chosen variable",
      security: [{ one: [], two: [] }],
      env: { one: "TOKEN", two: "TOKEN" },
      auth: bearer("TOKEN"),
    },
    {
      name: "the first alternative",
      security: [{ key: [] }, { app: [] }],
      auth: key,
    },
    {
      name: "the first alternative that can be sent",
      security: [{ tls: [], key: [] }, { user: [], jwt: [] }, { app: [] }],
      auth: app,
    },
    {
      name: "an optional one where nothing is an alternative",
      security: [{ key: [] }, {}],
      auth: { ...key, ...optional },
    },
    {
      name: "several optional ones where nothing is the first alternative",
      security: [{}, { key: [], app: [] }],
      auth: [
        { ...key, ...optional },
        { ...app, ...optional },
      ],
    },
    { name: "none where only nothing can be sent", security: [{ tls: [] }, {}], auth: undefined },
    { name: "none where nothing is asked for", security: [{}], auth: undefined },
    { name: "none where the list is empty", security: [], auth: undefined },
    {
      name: "no service for a key beside one that cannot be sent",
      security: [{ key: [], tls: [] }],
      auth: 'its authorization "tls" is mutualTLS',
    },
    {
      name: "no service for two kinds in one header",
      security: [{ user: [], jwt: [] }],
      auth: "it needs two authorizations as the header authorization: user and jwt",
    },
    {
      name: "no service for a key in the header of a token",
      security: [{ raw: [], jwt: [] }],
      auth: "it needs two authorizations as the header authorization: raw and jwt",
    },
    {
      name: "no service for two tokens with a chosen variable each",
      security: [{ one: [], two: [] }],
      env: { one: "A", two: "B" },
      auth: "it needs two authorizations as the header authorization: one and two",
    },
  ])("is $name", ({ security, env, auth }) => {
    expect(authFor(security, env)).toEqual(auth);
  });
});

const authorization = { in: "header", name: "authorization", schema: { type: "string" } };
const text = { type: "string" };

describe("a parameter for a secret", () => {
  it.each<{ name: string; parameters: unknown[]; security?: unknown; asked: string[] }>([
    {
      name: "in the query, where a key goes, is not asked for",
      parameters: [
        { in: "query", name: "app", required: true, schema: text },
        { in: "query", name: "page", schema: text },
      ],
      security: [{ app: [] }],
      asked: ["page"],
    },
    {
      name: "in a header, where a key goes, is not asked for",
      parameters: [{ in: "header", name: "x-key", required: true, schema: text }],
      security: [{ key: [], app: [] }],
      asked: [],
    },
    {
      name: "is asked for where another alternative is sent",
      parameters: [{ in: "query", name: "app", schema: text }],
      security: [{ key: [] }, { app: [] }],
      asked: ["app"],
    },
    {
      name: "is asked for in another place",
      parameters: [{ in: "query", name: "X-Key", schema: text }],
      security: [{ key: [] }],
      asked: ["X-Key"],
    },
  ])("$name", ({ parameters, security, asked }) => {
    const document = documentOf({ "/": { get: { parameters, security } } }, { securitySchemes });
    const { services, dropped } = servicesFromOpenApi(document);
    expect(Object.keys(Object(services[0]?.parameters?.["properties"]))).toEqual(asked);
    expect(dropped).toEqual([]);
  });

  it.each<{ name: string; given: object; more?: Record<string, unknown>; auth: unknown }>([
    {
      name: "a secret if it is required",
      given: { parameters: [{ ...authorization, required: true }] },
      auth: { type: "header", name: "Authorization", env: "API_AUTHORIZATION" },
    },
    {
      name: "an optional secret if it is optional",
      given: { parameters: [authorization] },
      auth: { type: "header", name: "Authorization", env: "API_AUTHORIZATION", optional: true },
    },
    {
      name: "nothing beside a security scheme",
      given: { parameters: [authorization], security: [{ jwt: [] }] },
      auth: bearer("API_JWT"),
    },
    {
      name: "nothing beside a scheme of the whole document",
      given: { parameters: [authorization] },
      more: { security: [{ key: [] }] },
      auth: key,
    },
    {
      name: "nothing where no authorization is an alternative",
      given: { parameters: [authorization], security: [{}] },
      auth: undefined,
    },
    {
      name: "nothing in the query",
      given: { parameters: [{ ...authorization, in: "query" }] },
      auth: undefined,
    },
  ])("named Authorization is $name", ({ given, more, auth }) => {
    const document = documentOf({ "/": { get: given } }, { securitySchemes }, more);
    expect(servicesFromOpenApi(document).services[0]?.request.auth).toEqual(auth);
  });
});

it("an import with optional authorization makes the services that it reports", async () => {
  const { services } = await importOpenApi("test/fixtures/shop.openapi.yaml", {
    operations: ["order"],
    env: { basic: "SHOP_LOGIN" },
  });
  expect(services[0]?.request.auth).toEqual({ type: "basic", env: "SHOP_LOGIN", optional: true });
});
