import { describe, expect, it } from "vitest";

import { readService } from "../../src/services/read-service.js";
import type { ServiceInput } from "../../src/services/definition.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";

const properties = { id: { type: "string" }, seats: { type: "integer" } };

/** A definition with two parameters. */
function twoParameters(given: ServiceChanges) {
  return serviceInput({ parameters: { type: "object", properties }, ...given });
}

function post(request: Partial<ServiceInput["request"]>) {
  return twoParameters({ request: { method: "POST", ...request } });
}

function withSchema(schema: object) {
  return serviceInput({ parameters: { type: "object", ...schema } });
}

const types = "string, number, integer, boolean, object, array, null";

describe("a service definition that could be read and never work", () => {
  it.each<{ name: string; given: object; problem: string }>([
    {
      name: "a host from the model",
      given: twoParameters({ request: { url: "https://api.{id}/x" } }),
      problem:
        'request.url: expected an address that begins with http:// or https:// and a host, or with ${VARIABLE}, got "https://api.{id}/x"',
    },
    {
      name: "an address that nobody can call",
      given: serviceInput({ request: { url: "https://a:b:c/x" } }),
      problem:
        'request.url: expected an address that can be called, without a user name, got "https://a:b:c/x"',
    },
    {
      name: "a password in the address",
      given: serviceInput({ request: { url: "https://bob:pw@a.example" } }),
      problem:
        'request.url: expected an address that can be called, without a user name, got "https://[redacted]@a.example"',
    },
    {
      name: "an approval by a parameter that there is not",
      given: {
        ...serviceInput(),
        needsApproval: { parameter: "amuont", operator: ">", target: 20 },
      },
      problem:
        'needsApproval.parameter: there is no such parameter; there are: building, got "amuont"',
    },
    {
      name: "a variable in the middle of the address",
      given: serviceInput({ request: { url: "https://a.example/${TENANT}/x" } }),
      problem:
        'request.url: ${TENANT} is read from the environment only where the address begins with it, got "https://a.example/${TENANT}/x"',
    },
    {
      name: "double braces in the address",
      given: twoParameters({ request: { url: "https://a.example/{{id}}" } }),
      problem:
        'request.url: write a parameter in single braces: {name}, got "https://a.example/{{id}}"',
    },
    {
      name: "a parameter of the address elsewhere",
      given: twoParameters({ request: { url: "https://a.example/{id}", in: { id: "query" } } }),
      problem: 'request.in.id: the address names {id}: expected path, got "query"',
    },
    {
      name: "a parameter for the path, which has none",
      given: twoParameters({ request: { in: { id: "path" } } }),
      problem: 'request.in.id: the address has no {id} for it, got "path"',
    },
    {
      name: "a parameter in a header of no name",
      given: twoParameters({ request: { in: { id: { in: "header", name: "X Id" } } } }),
      problem:
        'request.in.id: expected a `name` that a header can have, got {"in":"header","name":"X Id"}',
    },
    {
      name: "all of the body beside a field of it",
      given: post({ in: { id: "wholeBody" } }),
      problem:
        'request.in.id: wholeBody is all of the body, and these go there as well: seats, got "wholeBody"',
    },
    {
      name: "all of the body beside fixed fields",
      given: post({ body: { a: 1 }, in: { id: "wholeBody", seats: "query" } }),
      problem:
        'request.in.id: wholeBody is all of the body, and these go there as well: request.body, got "wholeBody"',
    },
    {
      name: "a header whose name has a blank",
      given: serviceInput({ request: { headers: { "X Key": "1" } } }),
      problem:
        'request.headers.X Key: expected the name of a header: letters, digits, "-" and "_", got "X Key"',
    },
    {
      name: "a secret's variable in a header",
      given: serviceInput({ request: { headers: { "X-Key": "${KEY}" } } }),
      problem:
        'request.headers.X-Key: ${VARIABLE} is not read here: put a secret into `auth`, which names its variable, got "${KEY}"',
    },
    {
      name: "a body of text with fields",
      given: serviceInput({ request: { method: "POST", bodyFormat: "text" } }),
      problem:
        'request.bodyFormat: expected a parameter that is all of the body: `in: { name: "wholeBody" }`, got "text"',
    },
    {
      name: "two secrets in one header",
      given: serviceInput({
        request: {
          auth: [
            { type: "bearer", env: "A" },
            { type: "header", name: "Authorization", env: "B" },
          ],
        },
      }),
      problem:
        'request.auth.1: two authorizations are sent as the header authorization: expected one, got {"type":"header","name":"Authorization","env":"B"}',
    },
    {
      name: "one secret twice",
      given: serviceInput({
        request: {
          auth: [
            { type: "query", name: "key", env: "A" },
            { type: "query", name: "key", env: "A", optional: true },
          ],
        },
      }),
      problem:
        'request.auth.1: two authorizations are sent as the query parameter key: expected one, got {"type":"query","name":"key","env":"A","optional":true}',
    },
    {
      name: "no secret in a list",
      given: serviceInput({ request: { auth: [] } }),
      problem: "request.auth: expected at least one authorization, got []",
    },
    {
      name: "a mistake in a list of secrets",
      given: { ...serviceInput(), request: { url: "http://a/", auth: [{ type: "bearer" }] } },
      problem: "request.auth.0.env: expected text, got nothing",
    },
    {
      name: "a cookie with a name that is none",
      given: serviceInput({ request: { auth: { type: "cookie", name: "a=b;", env: "A" } } }),
      problem:
        'request.auth.name: expected the name of a cookie: letters, digits, "-" and "_", got "a=b;"',
    },
    {
      name: "success without a target",
      given: serviceInput({ success: { path: "code" } }),
      problem: "success.target: expected a value to compare with (==), got nothing",
    },
    {
      name: "success as an amount of words",
      given: serviceInput({ success: { path: "code", operator: ">", target: "many" } }),
      problem: 'success.target: expected a number to compare with (>), got "many"',
    },
    {
      name: "a component of what is nowhere",
      given: twoParameters({ result: { to: "render", component: "T", props: { a: "{{rows}}" } } }),
      problem:
        'result.props: expected {{data.path}}, or {{args.name}} of one of the parameters (id, seats), got "{{rows}}"',
    },
    {
      name: "a sentence of an argument that there is not",
      given: twoParameters({ result: { to: "render", component: "T", say: "{{args.day}}" } }),
      problem:
        'result.say: expected {{data.path}}, or {{args.name}} of one of the parameters (id, seats), got "{{args.day}}"',
    },
    {
      name: "a type of another language",
      given: withSchema({ properties: { a: { type: "list", items: {} } } }),
      problem: `parameters.properties.a.type: expected one of ${types}, or a list of these, got "list"`,
    },
    {
      name: "a mistake in a list's items",
      given: withSchema({ properties: { a: { type: "array", items: { enum: "x,y" } } } }),
      problem: 'parameters.properties.a.items.enum: expected a list of values, got "x,y"',
    },
    {
      name: "a parameter that is required by itself",
      given: withSchema({ properties: { a: { type: "string", required: true } } }),
      problem:
        "parameters.properties.a.required: expected a list of names, beside `properties`, got true",
    },
    {
      name: "a parameter that is no schema",
      given: withSchema({ properties: { a: "string" } }),
      problem: 'parameters.properties.a: expected a schema, got "string"',
    },
    {
      name: "a pattern that is none",
      given: withSchema({ properties: { a: { anyOf: [{ pattern: "(" }] } } }),
      problem: 'parameters.properties.a.anyOf.0.pattern: expected a regular expression, got "("',
    },
    {
      name: "a date format of another language",
      given: withSchema({ properties: { a: { type: "string", "x-date-format": "yyyy-mm-dd" } } }),
      problem:
        'parameters.properties.a.x-date-format: expected a date format, such as "YYYY-MM-DD", "YYYY/MM/DD HH:mm", "epoch-ms" or "epoch-s", got "yyyy-mm-dd"',
    },
    {
      name: "what is required and nowhere",
      given: withSchema({ properties: {}, required: ["room"] }),
      problem: 'parameters.required: there is no such parameter; there are: none, got "room"',
    },
  ])("is refused for $name", ({ given, problem }) => {
    expect(() => readService(given, "a.json")).toThrow(`definition:\n- ${problem}`);
  });

  it.each<{ name: string; place: "query" | "header" | "cookie"; auth: object; told: string }>([
    {
      name: "the query parameter",
      place: "query",
      auth: { type: "query", name: "key", env: "A" },
      told: "query parameter",
    },
    {
      name: "the header, however it is spelled",
      place: "header",
      auth: { type: "header", name: "KEY", env: "A" },
      told: "header",
    },
    {
      name: "the cookie",
      place: "cookie",
      auth: { type: "cookie", name: "key", env: "A" },
      told: "cookie",
    },
  ])("refuses a parameter in the place of a secret: $name", ({ place, auth, told }) => {
    const parameters = { type: "object", properties: { mine: { type: "string" } } };
    const given = {
      ...serviceInput(),
      parameters,
      request: { url: "https://a.example", auth, in: { mine: { in: place, name: "key" } } },
    };
    expect(() => readService(given, "a.json")).toThrow(
      `parameters.properties.mine: an authorization is sent as this ${told}, got "mine"`,
    );
    const elsewhere = { ...given.request, in: { mine: { in: place, name: "other" } } };
    expect(readService({ ...given, request: elsewhere }, "a.json").name).toBe("rooms");
  });

  it("refuses one that would be sent there without being told to", () => {
    const auth = { type: "query", name: "building", env: "A" } as const;
    expect(() => readService(serviceInput({ request: { auth } }), "a.json")).toThrow(
      "parameters.properties.building: an authorization is sent as this query parameter",
    );
  });

  it.each<{ name: string; given: object }>([
    {
      name: "a value that is there",
      given: serviceInput({ success: { path: "a", operator: "exists" } }),
    },
    {
      name: "secrets of one name in a header, a cookie and the query",
      given: serviceInput({
        request: {
          auth: (["header", "cookie", "query"] as const).map((type) => ({
            type,
            name: "key",
            env: "A",
          })),
        },
      }),
    },
    { name: "a target of null", given: serviceInput({ success: { path: "a", target: null } }) },
    {
      name: "parameters that are more than they list",
      given: withSchema({ properties: {}, required: ["a"], patternProperties: { "^a": {} } }),
    },
    {
      name: "a component of all data and all arguments",
      given: serviceInput({
        result: { to: "render", component: "T", props: { a: ["{{data}}", "{{args}}"] } },
      }),
    },
  ])("is not one with $name", ({ given }) => {
    expect(readService(given, "a.json").name).toBe("rooms");
  });
});
