import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ChatOpenAICallOptions } from "@langchain/openai";
import { expect, it } from "vitest";

import type { DialectName } from "../../src/testing/index.js";
import { client, collect, serve } from "./client.js";

const user = new HumanMessage("2 + 3?");
const system = new SystemMessage("Be brief.");
const calls = (...ids: string[]) =>
  new AIMessage({
    content: "",
    tool_calls: ids.map((id) => ({ id, name: "add", args: {} })),
    additional_kwargs: { reasoning_content: "hm" },
  });
const result = (id: string) => new ToolMessage({ content: "5", tool_call_id: id });

const add = { type: "function" as const, function: { name: "add", parameters: {} } };
const tools = [add];
const tool_choice = { type: "function" as const, function: { name: "add" } };
const json_schema = { name: "city", schema: { type: "object" } };
// Neither the message of older vLLM nor that of Mistral stands where OpenAI's client reads one.
const wordless = (status: number) => ({ status, message: `${status} status code (no body)` });

type Row = {
  readonly dialect: DialectName;
  readonly options?: Partial<ChatOpenAICallOptions>;
  readonly history?: BaseMessage[];
  readonly error: { readonly status: number; readonly message: unknown };
};

const says = (message: string, status = 400) => ({
  status,
  message: expect.stringContaining(message),
});

const rows: readonly Row[] = [
  {
    dialect: "no-json-schema",
    options: { response_format: { type: "json_schema", json_schema } },
    error: says("This response_format type is unavailable now"),
  },
  {
    dialect: "no-json-object",
    options: { response_format: { type: "json_object" } },
    error: says("\"'response_format.type' must be 'json_schema' or 'text'\""),
  },
  {
    dialect: "json-word-needed",
    options: { response_format: { type: "json_object" } },
    error: says("Prompt must contain the word 'json'"),
  },
  {
    dialect: "no-response-format",
    options: { response_format: { type: "json_object" } },
    error: says("Unrecognized request argument supplied: response_format"),
  },
  {
    dialect: "no-strict",
    options: { tools: [{ ...add, function: { ...add.function, strict: true } }] },
    error: wordless(422),
  },
  {
    dialect: "no-forced-tools",
    options: { tools, tool_choice },
    error: says("deepseek-reasoner does not support this tool_choice"),
  },
  {
    dialect: "no-named-tool-choice",
    options: { tools, tool_choice },
    error: says("Invalid tool_choice type: 'object'"),
  },
  {
    dialect: "no-parallel-tool-calls",
    options: { tools, parallel_tool_calls: false },
    error: says("Unsupported parameter: 'parallel_tool_calls'"),
  },
  { dialect: "no-stop", options: { stop: ["x"] }, error: says("Unsupported parameter: 'stop'") },
  { dialect: "no-tools", options: { tools }, error: says("any does not support tools") },
  { dialect: "no-auto-tools", options: { tools }, error: wordless(400) },
  {
    dialect: "one-call-per-message",
    history: [user, calls("1", "2"), result("1"), result("2")],
    error: says("This model only supports single tool-calls at once!"),
  },
  { dialect: "no-system-message", history: [system, user], error: wordless(400) },
  {
    dialect: "system-message-first",
    history: [system, system, user],
    error: says("System message must be at the beginning.", 500),
  },
  {
    dialect: "alternating-roles",
    history: [user, user],
    error: says("conversation roles must alternate user and assistant roles", 500),
  },
  { dialect: "strictly-alternating-roles", history: [user, user], error: wordless(400) },
  {
    dialect: "thinking-no-forced-tools",
    options: { tools, tool_choice: "required" },
    error: says("Thinking mode does not support this tool_choice"),
  },
  {
    // The client keeps the reasoning of a message, but never sends it back.
    dialect: "reasoning-demanded-back",
    history: [user, calls("1"), result("1")],
    error: says("must be passed back to the API"),
  },
];

it.each(rows)("the client fails on what $dialect refuses", async (row) => {
  const { dialect, options = {}, history = [user], error } = row;
  const server = await serve({ replies: ["kept"], dialect });
  const model = client(server).withConfig(options);
  await expect(model.invoke(history)).rejects.toMatchObject(error);
  await expect(model.stream(history).then(collect)).rejects.toMatchObject(error);
  expect(server.requests.map(({ status }) => status)).toEqual([error.status, error.status]);
  expect((await client(server).invoke("q")).text).toBe("kept");
  server.assertExhausted();
});

it("the client asks for usage only when it streams, and only unless it is told not to", async () => {
  const server = await serve({ replies: () => "x", dialect: "no-stream-options" });
  await expect(client(server).stream("q").then(collect)).rejects.toMatchObject(
    says("Unrecognized request argument supplied: stream_options"),
  );
  expect((await client(server).invoke("q")).text).toBe("x");
  const { whole } = await collect(await client(server, { streamUsage: false }).stream("q"));
  expect(whole.text).toBe("x");
});
