import { describe, expect, it } from "vitest";

import { buildRequest } from "../../../src/services/build-request.js";
import { ServiceDefinition } from "../../../src/services/definition-problems.js";
import { servicesFromOpenApi } from "../../../src/services/index.js";
import { pruneSchema } from "../../../src/services/openapi/prune-schema.js";
import type { JsonSchema } from "../../../src/tools/argument-schema.js";
import { checkArguments } from "../../../src/tools/check-arguments.js";
import { documentOf } from "./documents.js";

const note = "(deeper fields are left out)";
const text = { type: "string", description: "A text." };
const list = { type: "array", items: { type: "string" } };
const listOf = (at: number) => ({ type: "array", items: { $ref: `#/$defs/s${at}` } });
const leaf = { type: "object", description: "A leaf.", required: ["a"], properties: { a: text } };
const node = { $ref: "#/$defs/Node" };
const Node = { type: "object", description: "A node.", properties: { next: node, leaf } };
const cutLeaf = { type: "object", description: `A leaf. ${note}` };
const needing = (field: JsonSchema) => ({
  required: ["on"],
  properties: { on: field, off: field },
});
const pair = { ...leaf, properties: { a: text, b: text } };
const cutPair = { ...leaf, description: `A leaf. ${note}` };

const values = (count: number) => Array.from({ length: count }, (_, at) => `value ${at}`);
const few = (count: number) => ({ type: "string", enum: values(count) });

/** Alternatives in alternatives, none of which has fields. */
function chain(levels: number): JsonSchema {
  return levels === 0 ? text : { anyOf: [{ type: "null" }, list, chain(levels - 1)] };
}

/** The parameters that are at most as long as others. */
function prunedAs(parameters: JsonSchema, wanted: JsonSchema): JsonSchema {
  const max = JSON.stringify(wanted).length;
  return pruneSchema(parameters, (each) => JSON.stringify(each).length <= max);
}

describe("a schema that is too large", () => {
  it.each<{ name: string; given: JsonSchema; pruned: JsonSchema }>([
    {
      name: "a field with fields, which may have anything",
      given: { properties: { leaf, text } },
      pruned: { properties: { leaf: cutLeaf, text } },
    },
    {
      name: "only the deepest level",
      given: {
        required: ["on"],
        properties: { on: { type: "object", properties: { leaf, text } } },
      },
      pruned: {
        required: ["on"],
        properties: { on: { type: "object", properties: { leaf: cutLeaf, text } } },
      },
    },
    {
      name: "a list of objects",
      given: { properties: { all: { type: "array", description: "All.", items: leaf } } },
      pruned: {
        properties: {
          all: { type: "array", items: { type: "object" }, description: `All. ${note}` },
        },
      },
    },
    {
      name: "a list of any objects",
      given: { properties: { all: { type: "array", items: { ...leaf, type: undefined } } } },
      pruned: { properties: { all: { type: "array", items: {}, description: note } } },
    },
    {
      name: "an object or nothing",
      given: { properties: { leaf: { ...leaf, type: ["object", "null"] } } },
      pruned: { properties: { leaf: { ...cutLeaf, type: ["object", "null"] } } },
    },
    {
      name: "alternatives without a type and a description",
      given: { properties: { one: { anyOf: [leaf, text] } } },
      pruned: { properties: { one: { description: note } } },
    },
    {
      name: "a map of objects",
      given: { properties: { map: { type: "object", additionalProperties: leaf } } },
      pruned: { properties: { map: { type: "object", description: note } } },
    },
    {
      name: "a definition, with its type and description",
      given: { properties: { node }, $defs: { Node } },
      pruned: { properties: { node: { type: "object", description: `A node. ${note}` } } },
    },
    {
      name: "what is inside of a definition, which is still used within itself",
      given: { properties: { node }, $defs: { Node } },
      pruned: {
        properties: { node },
        $defs: { Node: { ...Node, properties: { next: node, leaf: cutLeaf } } },
      },
    },
    {
      name: "alternatives without fields, where fewer levels are not enough",
      given: { properties: { one: { ...chain(4), description: "One." }, list, text } },
      pruned: { properties: { one: { description: `One. ${note}` }, list, text } },
    },
    {
      name: "alternatives of definitions, with what only they use",
      given: {
        properties: { one: { $ref: "#/$defs/s0" }, kind: { $ref: "#/$defs/kind" }, text },
        $defs: { s0: { anyOf: [{ $ref: "#/$defs/s1" }, text] }, s1: chain(4), kind: { enum: [1] } },
      },
      pruned: {
        properties: { one: { description: note }, kind: { $ref: "#/$defs/kind" }, text },
        $defs: { kind: { enum: [1] } },
      },
    },
    {
      name: "the values of the largest field alone",
      given: { properties: { many: { type: "string", enum: values(50) }, few: few(9) } },
      pruned: { properties: { many: { type: "string", description: note }, few: few(9) } },
    },
  ])("loses $name", ({ given, pruned }) => {
    expect(prunedAs(given, pruned)).toEqual(pruned);
  });

  it.each<{ name: string; given: JsonSchema; pruned: JsonSchema }>([
    {
      name: "an object",
      given: needing(pair),
      pruned: { ...needing(cutLeaf), properties: { on: cutPair, off: cutLeaf } },
    },
    {
      name: "a list of objects",
      given: needing({ type: "array", items: pair }),
      pruned: {
        required: ["on"],
        properties: {
          on: { type: "array", items: cutPair },
          off: { type: "array", items: { type: "object" }, description: note },
        },
      },
    },
    {
      name: "alternatives, of which a value may then fit several",
      given: { required: ["on"], properties: { on: { oneOf: [pair, leaf] } } },
      pruned: { required: ["on"], properties: { on: { anyOf: [cutPair, leaf] } } },
    },
    {
      name: "a definition, also within itself",
      given: {
        ...needing(node),
        $defs: { Node: { ...Node, required: ["next"], additionalProperties: false } },
      },
      pruned: {
        ...needing(node),
        $defs: {
          Node: {
            type: "object",
            description: `A node. ${note}`,
            required: ["next"],
            properties: { next: node },
          },
        },
      },
    },
  ])("keeps what no call can be made without, of $name", ({ given, pruned }) => {
    expect(pruneSchema(given, () => false)).toEqual(pruned);
  });

  it("keeps the required fields of optional objects if they fit", () => {
    const pruned = { properties: { on: cutPair, off: cutPair } };
    expect(prunedAs({ properties: { on: pair, off: pair } }, pruned)).toEqual(pruned);
  });

  it.each<{ name: string; given: JsonSchema }>([
    { name: "a list of texts", given: { properties: { list, text } } },
    {
      name: "values beside long descriptions, which are what makes it large",
      given: {
        properties: {
          few: few(9),
          text: { ...text, description: "A text. ".repeat(500) },
        },
      },
    },
    {
      name: "a definition of a text",
      given: { properties: { kind: { $ref: "#/$defs/Kind" } }, $defs: { Kind: { enum: ["a"] } } },
    },
    { name: "an object without fields", given: { properties: { any: { type: "object" } } } },
  ])("keeps $name, however large", ({ given }) => {
    expect(pruneSchema(given, () => false)).toEqual(given);
  });

  it("stays the same object where it fits", () => {
    const given = { properties: { leaf } };
    expect(pruneSchema(given, () => true)).toBe(given);
  });
});

/** An object with many fields, several levels deep. */
function bush(levels: number): JsonSchema {
  const properties = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`field_${at}`, levels === 0 ? text : bush(levels - 1)]),
  );
  return { type: "object", description: "A bush.", additionalProperties: false, properties };
}

function posting(schema: unknown): object {
  return { requestBody: { content: { "application/json": { schema } } } };
}

describe("an import", () => {
  const document = documentOf({
    "/bush": { post: { operationId: "big", ...posting(bush(4)) } },
    "/leaf": { post: { operationId: "small", ...posting(leaf) } },
  });
  const { services, pruned, tokens } = servicesFromOpenApi(document);

  it("reports which tools were too large, and what they cost now", () => {
    expect(pruned).toEqual([
      { service: "big", before: expect.any(Number), tokens: tokens.dearest[0]?.tokens },
    ]);
    expect(pruned[0]?.before).toBeGreaterThan(100_000);
    expect(pruned[0]?.tokens).toBeLessThanOrEqual(4_000);
    expect(pruned[0]?.tokens).toBeGreaterThan(1_000);
  });

  it("sends arguments in places that were left out as they are given", async () => {
    const service = ServiceDefinition.parse(services[0]);
    const args = { field_0: { field_1: { field_2: { field_3: { field_4: "x" } } } } };
    const { name, parameters: schema } = service;
    expect(await checkArguments({ name, schema }, args)).toBeUndefined();
    const { body } = buildRequest(service, args, { headers: {}, query: {} });
    expect(body).toBe(JSON.stringify(args));
  });

  it("of a long chain of alternatives is written in time", () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [
        `s${at}`,
        { oneOf: [listOf(at + 1), listOf(at + 1)] },
      ]),
    );
    const parameters = {
      type: "object",
      properties: { a: { $ref: "#/$defs/s0" } },
      $defs: { ...definitions, s3000: { type: "string" } },
    };
    // Without fields it is left out whole.
    const { $defs: _chain, ...rest } = parameters;
    const left = { ...rest, properties: { a: { description: note } } };
    expect(pruneSchema(parameters, () => false)).toEqual(left);
  }, 20_000);
});
