import { runInNewContext } from "node:vm";

import { DynamicStructuredTool, StructuredTool, tool } from "@langchain/core/tools";
import { IterableReadableStream } from "@langchain/core/utils/stream";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { toolRun } from "../support/tool-run.js";

const fields = { name: "work", description: "d", schema: z.object({}) };

/** A class of a user's own, with something that only it can reach. */
class OwnTool extends StructuredTool {
  name = "work";
  description = "d";
  schema = z.object({});
  readonly #body: () => unknown;
  constructor(body: () => unknown) {
    super();
    this.#body = body;
  }
  protected _call(): Promise<unknown> {
    return Promise.resolve(this.#body());
  }
}

class Closed {
  readonly #id: number;
  constructor(id: number) {
    this.#id = id;
  }
  get id() {
    return this.#id;
  }
}

class Open {
  readonly id = 7;
}

const makers: { readonly [name: string]: (body: () => unknown) => StructuredTool } = {
  "tool()": (body) => tool(body, fields),
  DynamicStructuredTool: (body) =>
    new DynamicStructuredTool({ ...fields, func: () => Promise.resolve(body()) }),
  "a class of the user's own": (body) => new OwnTool(body),
};

const circular: Record<string, unknown> = {};
circular["self"] = circular;

async function* events(): AsyncGenerator<string, unknown> {
  yield await Promise.resolve("half done");
  return undefined;
}

async function* ending(end: unknown): AsyncGenerator<string, unknown> {
  yield await Promise.resolve("half done");
  return end;
}

function* numbers() {
  yield 1;
}

describe.each(Object.entries(makers))("what a tool made with %s returns", (_, make) => {
  it.each<{ name: string; body: () => unknown; says: string }>([
    { name: "a circular object", body: () => circular, says: "cannot be written as text" },
    {
      name: "an object that cannot be written",
      body: () => ({
        toJSON: () => {
          throw new Error("no text");
        },
      }),
      says: "no text",
    },
    {
      name: "an error",
      body: () => new Error("no order 7"),
      says: "returned an error: Error: no order 7",
    },
    {
      name: "a response",
      body: () => new Response("x", { status: 201 }),
      says: "a Response (status 201)",
    },
    { name: "a response inside", body: () => ({ a: [new Response("x")] }), says: "a Response" },
    { name: "a generator", body: () => numbers(), says: "an iterator" },
    { name: "a stream", body: () => new Response("x").body, says: "an async iterator" },
    { name: "an async generator", body: () => events(), says: "an async generator" },
    {
      name: "an async generator that ends with a circle",
      body: () => ending(circular),
      says: "circular structure",
    },
    {
      name: "an async generator that ends with a response",
      body: () => ending(new Response("x")),
      says: "a Response",
    },
    { name: "an async generator inside", body: () => ({ a: events() }), says: "an async iterator" },
    {
      name: "an async iterator",
      body: () => ({ [Symbol.asyncIterator]: () => events() }),
      says: "an async iterator",
    },
    {
      name: "a stream that reads like a generator",
      body: () => IterableReadableStream.fromAsyncGenerator(events()),
      says: "an async generator",
    },
    { name: "a Blob", body: () => new Blob(["x"]), says: "a value of class Blob" },
    { name: "an ArrayBuffer", body: () => new ArrayBuffer(2), says: "class ArrayBuffer" },
    { name: "headers", body: () => ({ a: new Headers({ b: "c" }) }), says: "class Headers" },
    { name: "a form", body: () => new FormData(), says: "class FormData" },
    { name: "a pattern inside", body: () => [{ a: /x/ }], says: "class RegExp" },
    {
      name: "an object that keeps its data to itself",
      body: () => new Closed(7),
      says: "class Closed",
    },
    { name: "a function", body: () => () => 1, says: "a function" },
    { name: "a Promise inside", body: () => ({ a: Promise.resolve(1) }), says: "a Promise" },
  ])("is an error that says what came: $name", async ({ body, says }) => {
    const { ok, content, error } = await toolRun([make(body)]).observe("work", {});
    expect(ok).toBe(false);
    expect(error?.message).toContain(says);
    expect(content).not.toMatch(/\[object|^\{\}$|no result/);
  });

  it.each<{ name: string; body: () => unknown; content: string; value?: unknown }>([
    { name: "a BigInt", body: () => 12345678901234567890n, content: "12345678901234567890" },
    {
      name: "BigInts inside",
      body: () => ({ a: [5n, 12345678901234567890n] }),
      content: '{"a":[5,"12345678901234567890"]}',
      value: { a: [5, "12345678901234567890"] },
    },
    {
      name: "a Map",
      body: () => new Map([["a", new Map([[1, 2]])]]),
      content: '{"a":{"1":2}}',
      value: { a: { 1: 2 } },
    },
    {
      name: "numbers that JSON has not",
      body: () => ({ a: NaN, b: [-Infinity] }),
      content: '{"a":"NaN","b":["-Infinity"]}',
      value: { a: "NaN", b: ["-Infinity"] },
    },
    {
      name: "a list of numbers of a kind",
      body: () => ({ a: new Float64Array([1.5, 2]), b: new BigInt64Array([5n]) }),
      content: '{"a":[1.5,2],"b":[5]}',
      value: { a: [1.5, 2], b: [5] },
    },
    { name: "a Set", body: () => new Set([1, 2]), content: "[1,2]", value: [1, 2] },
    {
      name: "a Map whose keys are no names",
      body: () => new Map([[{ a: 1 }, 2]]),
      content: '[[{"a":1},2]]',
      value: [[{ a: 1 }, 2]],
    },
    {
      name: "an error inside",
      body: () => ({ error: new Error("no") }),
      content: '{"error":"Error: no"}',
      value: { error: "Error: no" },
    },
    {
      name: "an object",
      body: () => ({ a: 1, at: new Date(0) }),
      content: '{"a":1,"at":"1970-01-01T00:00:00.000Z"}',
      value: { a: 1, at: "1970-01-01T00:00:00.000Z" },
    },
    { name: "an empty object", body: () => ({}), content: "{}", value: {} },
    { name: "an empty list", body: () => [], content: "[]", value: [] },
    {
      name: "empty objects inside",
      body: () => ({ a: {}, b: [], c: Object.create(null), d: runInNewContext("({})") }),
      content: '{"a":{},"b":[],"c":{},"d":{}}',
      value: { a: {}, b: [], c: {}, d: {} },
    },
    { name: "an object of a class", body: () => new Open(), content: '{"id":7}', value: { id: 7 } },
    { name: "nothing", body: () => undefined, content: "(no result)", value: "" },
    {
      name: "what a generator returns at its end",
      body: () => ending({ n: 5n }),
      content: '{"n":5}',
      value: { n: 5 },
    },
    { name: "a text", body: () => "hi", content: "hi" },
    { name: "a number", body: () => 3, content: "3", value: 3 },
    { name: "text blocks", body: () => [{ type: "text", text: "hi" }], content: "hi" },
  ])("is read: $name", async ({ body, content, value }) => {
    const seen = await toolRun([make(body)]).observe("work", {});
    expect(seen).toMatchObject({ ok: true, content });
    expect(seen.value).toEqual(value);
  });
});

describe("the content beside an artifact", () => {
  it("is written the same, and the artifact stays as it is", async () => {
    const made = tool(() => [new Map([["a", 1]]), { rows: [1] }], {
      ...fields,
      responseFormat: "content_and_artifact",
    });
    const seen = await toolRun([made]).observe("work", {});
    expect(seen).toMatchObject({ ok: true, content: '{"a":1}', value: { rows: [1] } });
  });
});

describe("a tool that ran, and whose result is no data", () => {
  it.each<{ effect: "read" | "write" | "idempotent" | undefined; isTold: boolean }>([
    { effect: "write", isTold: true },
    { effect: "idempotent", isTold: true },
    { effect: undefined, isTold: true },
    { effect: "read", isTold: false },
  ])("may have taken effect, where its effect is $effect: $isTold", async ({ effect, isTold }) => {
    let calls = 0;
    const made = tool(() => {
      calls += 1;
      return circular;
    }, fields);
    const policies = effect === undefined ? {} : { work: { effect } };
    const seen = await toolRun([made], policies).observe("work", {}, { isCommitted: true });
    expect(seen.ok).toBe(false);
    expect(seen.content.includes("may have taken effect: find out")).toBe(isTold);
    expect(seen.maybeDuplicate ?? false).toBe(isTold);
    expect(calls).toBe(1);
  });

  it("is in no doubt where it returned its own error", async () => {
    const made = tool(() => new Error("no order 7"), fields);
    const seen = await toolRun([made]).observe("work", {});
    expect(seen.content).toBe("Error (rejected): the tool returned an error: Error: no order 7");
    expect(seen).not.toHaveProperty("maybeDuplicate");
  });
});
