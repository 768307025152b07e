import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { readResult } from "../../src/tools/tool-result.js";

const message = (fields: object) =>
  new ToolMessage({ content: "text", tool_call_id: "c1", ...fields });

const circular: Record<string, unknown> = {};
circular["self"] = circular;

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("readResult", () => {
  it.each([
    { name: "a text", output: "hello", read: { content: "hello" } },
    {
      name: "an object in a text",
      output: '{"a":1}',
      read: { content: '{"a":1}', value: { a: 1 } },
    },
    { name: "a list in a text", output: " [1,2]", read: { content: " [1,2]", value: [1, 2] } },
    { name: "a number in a text", output: "12.5", read: { content: "12.5", value: 12.5 } },
    { name: "a truth value in a text", output: "false", read: { content: "false", value: false } },
    { name: "a number with leading zeros, an id", output: "00123", read: { content: "00123" } },
    {
      name: "a number of too many digits, an id",
      output: "1234567890123456",
      read: { content: "1234567890123456" },
    },
    {
      name: "a sentence that starts with a bracket",
      output: "[1] Source",
      read: { content: "[1] Source" },
    },
    {
      name: "lists in lists, too deep to go through",
      output: nested(100_000),
      read: { content: nested(100_000) },
    },
    { name: "nothing", output: undefined, read: { content: "(no result)", value: null } },
    { name: "null", output: null, read: { content: "(no result)", value: null } },
    { name: "an empty text", output: "", read: { content: "(no result)", value: "" } },
    { name: "an object", output: { a: [1] }, read: { content: '{"a":[1]}', value: { a: [1] } } },
    {
      name: "an object with what JSON cannot hold",
      output: { a: 1, f: () => 1 },
      read: { content: '{"a":1}', value: { a: 1 } },
    },
    { name: "a number", output: 3, read: { content: "3", value: 3 } },
    { name: "an empty list", output: [], read: { content: "[]", value: [] } },
    { name: "a BigInt", output: { n: 5n }, read: { content: '{"n":5}', value: { n: 5 } } },
    {
      name: "text blocks",
      output: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      read: { content: "a\nb" },
    },
    {
      name: "an image",
      output: [{ type: "image", data: "aGk=" }],
      read: {
        content: "[image] (This cannot be read here.)",
        value: [{ type: "image", data: "aGk=" }],
        unread: "image",
      },
    },
    {
      name: "the address of an image",
      output: [{ type: "image", url: "https://a.b/c" }],
      read: {
        content: '[{"type":"image","url":"https://a.b/c"}]',
        value: [{ type: "image", url: "https://a.b/c" }],
      },
    },
  ])("reads $name", ({ output, read }) => {
    expect(readResult(output)).toEqual({ ...read, failed: false });
  });

  it.each([
    { name: "a circular object", output: circular },
    { name: "a function", output: () => 1 },
  ])("throws for $name", ({ output }) => {
    expect(() => readResult(output)).toThrow("its result cannot be read");
  });

  it.each([
    { name: "its content", fields: {}, read: { content: "text" } },
    {
      name: "its blocks",
      fields: { content: [{ type: "text", text: "a" }] },
      read: { content: "a" },
    },
    {
      name: "its artifact as the value",
      fields: { artifact: { rows: [1] } },
      read: { content: "text", value: { rows: [1] }, artifact: { rows: [1] } },
    },
    {
      name: "the content's value where there is no artifact",
      fields: { content: "[1]" },
      read: { content: "[1]", value: [1] },
    },
    {
      name: "the digits of its artifact's BigInts",
      fields: { artifact: { n: 12345678901234567890n } },
      read: {
        content: "text",
        value: { n: "12345678901234567890" },
        artifact: { n: "12345678901234567890" },
      },
    },
    {
      name: "no artifact of a failure",
      fields: { artifact: circular, status: "error" },
      read: { content: "text", failed: true },
    },
    {
      name: "no value for an artifact that nests too deep",
      fields: { artifact: JSON.parse(nested(1_000)) },
      read: { content: "text" },
    },
    { name: "its status", fields: { status: "error" }, read: { content: "text", failed: true } },
    {
      name: "how to show it",
      fields: { artifact: { render: { component: "card", props: { a: 1 } } } },
      read: {
        content: "text",
        value: { render: { component: "card", props: { a: 1 } } },
        artifact: { render: { component: "card", props: { a: 1 } } },
        render: { component: "card", props: { a: 1 } },
      },
    },
    {
      name: "a component without properties",
      fields: { artifact: { render: { component: "card", props: [1] } } },
      read: {
        content: "text",
        value: { render: { component: "card", props: [1] } },
        artifact: { render: { component: "card", props: [1] } },
        render: { component: "card", props: {} },
      },
    },
    {
      name: "the value beside what shows it",
      fields: { artifact: { value: [1], render: { component: "card", props: {} } } },
      read: {
        content: "text",
        value: [1],
        artifact: { value: [1], render: { component: "card", props: {} } },
        render: { component: "card", props: {} },
      },
    },
    {
      name: "no component without a name",
      fields: { artifact: { render: { props: {} } } },
      read: {
        content: "text",
        value: { render: { props: {} } },
        artifact: { render: { props: {} } },
      },
    },
  ])("reads of a ToolMessage $name", ({ fields, read }) => {
    expect(readResult(message(fields))).toEqual({ failed: false, ...read });
  });

  it.each<{ name: string; result: unknown; content: string; value?: unknown }>([
    { name: "an object", result: { a: 1 }, content: '{"a":1}', value: { a: 1 } },
    { name: "a list of objects", result: [{ a: 1 }], content: '[{"a":1}]', value: [{ a: 1 }] },
    { name: "a number", result: 3, content: "3", value: 3 },
    { name: "nothing", result: undefined, content: "(no result)", value: "" },
    { name: "a text", result: "hello", content: "hello" },
  ])("reads what a LangChain tool makes of $name", async ({ result, content, value }) => {
    const made = tool(() => result, { name: "t", description: "d", schema: z.object({}) });
    const read = readResult(await made.invoke({ type: "tool_call", id: "c", name: "t", args: {} }));
    expect(read).toEqual({ content, ...(value === undefined ? {} : { value }), failed: false });
  });

  it("reads content and artifact of a LangChain tool", async () => {
    const made = tool(() => ["two rows", [{ a: 1 }, { a: 2 }]], {
      name: "t",
      description: "d",
      schema: z.object({}),
      responseFormat: "content_and_artifact",
    });
    const read = readResult(await made.invoke({ type: "tool_call", id: "c", name: "t", args: {} }));
    const rows = [{ a: 1 }, { a: 2 }];
    expect(read).toEqual({ content: "two rows", value: rows, artifact: rows, failed: false });
  });
});
