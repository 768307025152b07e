import { describe, expect, it } from "vitest";

import { servicesFromOpenApi } from "../../../src/services/index.js";
import { ServiceDefinition } from "../../../src/services/definition-problems.js";
import type { ServiceInput } from "../../../src/services/definition.js";
import { documentOf, getting, onlyOf, sending } from "./documents.js";

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const itself = "one of its schemas consists of itself";

/** Schemas by names `s0`, `s1`, … */
function many(count: number, schema: (at: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, schema(at)]));
}

function serviceOf(service: ServiceInput | string): ServiceInput {
  if (typeof service === "string") throw new Error(service);
  return service;
}

/** The targets of all references in a schema that are not among its definitions. */
function dangling(service: ServiceInput): string[] {
  const definitions: unknown = service.parameters?.["$defs"] ?? {};
  const used = [...JSON.stringify(service.parameters).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)];
  return used
    .map(([, name = ""]) => name)
    .filter((name) => !Object.hasOwn(Object(definitions), name));
}

describe("a document that", () => {
  it.each([
    {
      name: "has a schema that is all of itself",
      schemas: { A: { allOf: [to("A")] } },
      said: itself,
    },
    { name: "has a schema that is itself", schemas: { A: to("A") }, said: itself },
    {
      name: "has a circle of alternatives",
      schemas: { A: { anyOf: [to("B"), { type: "string" }] }, B: { oneOf: [to("A")] } },
      said: itself,
    },
    {
      name: "has a circle that is reached by a field first",
      schemas: {
        A: { properties: { b: to("B") }, allOf: [to("B")] },
        B: { type: "object", allOf: [to("A")] },
      },
      said: itself,
    },
    {
      name: "has a long chain of schemas in one another",
      schemas: {
        ...many(5_000, (at) => ({ properties: { next: to(`s${at + 1}`) } })),
        s5000: {},
        A: to("s0"),
      },
      said: "its schemas nest more than 200 deep",
    },
    {
      name: "has far too many schemas",
      schemas: { A: { properties: many(20_001, () => ({ type: "string" })) } },
      said: "it consists of more than 20000 schemas",
    },
  ])("$name makes no service", ({ schemas, said }) => {
    expect(sending(to("A"), schemas)).toBe(said);
  });

  it("refers to itself for a parameter makes no service", () => {
    const parameter = { $ref: "#/components/parameters/P" };
    expect(getting({ parameters: [parameter] }, { parameters: { P: parameter } })).toBe(
      'it refers to "#/components/parameters/P", which refers to itself',
    );
  });

  it("doubles with each allOf is written once", () => {
    const schemas = {
      ...many(40, (at) => ({ allOf: [to(`s${at + 1}`), to(`s${at + 1}`)] })),
      s40: { type: "object", properties: { a: { type: "string" } } },
    };
    const service = serviceOf(sending(to("s0"), schemas));
    expect(dangling(service)).toEqual([]);
    expect(JSON.stringify(service).length).toBeLessThan(2 * JSON.stringify(schemas).length);
  });

  it.each<{ name: string; link: (next: object) => object }>([
    { name: "objects", link: (next) => ({ type: "object", properties: { one: next, two: next } }) },
  ])("has a long chain of definitions of $name is written as far as it fits", ({ link }) => {
    const schemas = { ...many(3_000, (at) => link(to(`s${at + 1}`))), s3000: { properties: {} } };
    const service = serviceOf(sending({ properties: { a: to("s0"), b: to("s0") } }, schemas));
    expect(dangling(service)).toEqual([]);
    expect(service.parameters?.["$defs"]).toHaveProperty("s9");
    expect(service.parameters?.["$defs"]).not.toHaveProperty("s3000");
  });

  it("uses the names of every object's own fields is written, and changes no object", () => {
    const properties: unknown = JSON.parse(
      '{"constructor": {"type": "string"}, "toString": {"type": "object", "properties": {"__proto__": {"default": {"polluted": 1}}}}}',
    );
    const service = serviceOf(sending({ type: "object", properties, required: ["constructor"] }));
    expect(ServiceDefinition.parse(service).parameters).toMatchObject({
      required: ["constructor"],
      properties: { constructor: { type: "string" } },
    });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it.each([
    { name: "nests too deep", value: JSON.parse("[".repeat(1_000) + "]".repeat(1_000)) },
    { name: "stands within itself", value: ring() },
    { name: "stands for billions of values", value: bomb() },
  ])("$name is refused", ({ value }) => {
    expect(() => onlyOf(documentOf({}, { value }))).toThrow(
      "The document nests more than 200 objects and lists, or expands to more than 3000000 values.",
    );
  });

  it("has a description that is long and all brackets is read", () => {
    expect(getting({ summary: "Get.", description: "[".repeat(1_000_000) })).toMatchObject({
      description: expect.stringMatching(/^Get\. \[+…$/),
    });
  });
});

function ring(): unknown[] {
  const value: unknown[] = [];
  value.push(value, value);
  return value;
}

function bomb(): unknown {
  let value: unknown = "x";
  for (let at = 0; at < 30; at += 1) value = Array.from({ length: 9 }, () => value);
  return value;
}

it("names are unique and fit for tools, whatever the operations are called", () => {
  const ids = [
    "get it",
    "get/it",
    "GET_IT",
    "x".repeat(300),
    "x".repeat(301),
    "取得",
    "__proto__",
    "é.a",
  ];
  const paths = Object.fromEntries(
    ids.map((operationId, at) => [`/${at}`, { get: { operationId } }]),
  );
  const names = servicesFromOpenApi(documentOf(paths)).services.map(({ name }) => name);
  expect(names).toEqual([
    "get_it",
    "get_it_2",
    "GET_IT_3",
    "x".repeat(64),
    `${"x".repeat(62)}_2`,
    "operation",
    "operation_2",
    "e_a",
  ]);
});

it("five hundred operations are written with what they refer to, and hardly longer than they were", () => {
  const kinds = 40;
  const schemas = many(kinds, (at) => ({
    type: "object",
    description: `Kind ${at} of what the shop has.`,
    required: ["name"],
    properties: {
      name: { type: "string", example: `n${at}`, nullable: at % 2 === 0 },
      parent: to(`s${at}`),
      part: to(`s${(at * 7 + 1) % kinds}`),
      id: { type: "integer", readOnly: true },
    },
  }));
  const paths = many(500, (at) => ({
    post: {
      operationId: `add${at}`,
      description: `Adds a thing of kind ${at % kinds}.`,
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      requestBody: { content: { "application/json": { schema: to(`s${at % kinds}`) } } },
    },
  }));
  const rooted = Object.fromEntries(
    Object.entries(paths).map(([name, item]) => [`/${name}/{id}`, item]),
  );
  const { services, leftOut } = servicesFromOpenApi(documentOf(rooted, { schemas }));
  expect(leftOut).toEqual([]);
  expect(services).toHaveLength(500);
  const all = JSON.stringify(schemas).length;
  for (const service of services) {
    expect(dangling(service)).toEqual([]);
    expect(ServiceDefinition.safeParse(service).success).toBe(true);
    expect(JSON.stringify(service.parameters).length).toBeLessThan(2 * all);
  }
});
