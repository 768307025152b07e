import { expect, it } from "vitest";

import { type DialectName, dialects } from "../../src/testing/index.js";
import { serve } from "./client.js";
import { post } from "./post.js";

const user = { role: "user", content: "2 + 3?" };
const assistant = { role: "assistant", content: "5" };
const system = { role: "system", content: "Be brief." };
const wireCall = (id: string) => ({
  id,
  type: "function",
  function: { name: "add", arguments: "{}" },
});
const calls = (...ids: string[]) => ({
  role: "assistant",
  content: "",
  tool_calls: ids.map(wireCall),
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "5" });
const history = (...messages: object[]) => ({ messages });

const add = { type: "function", function: { name: "add", parameters: { type: "object" } } };
const strictAdd = { ...add, function: { ...add.function, strict: true } };
const tools = [add];
const tool_choice = { type: "function", function: { name: "add" } };
const format = (type: string, json_schema?: object) => ({ response_format: { type, json_schema } });

type Row = {
  readonly dialect: DialectName;
  readonly status?: number;
  readonly says: string;
  readonly refused: readonly object[];
  readonly taken: readonly object[];
};

const rows: readonly Row[] = [
  {
    dialect: "no-json-schema",
    says: "This response_format type is unavailable now",
    refused: [format("json_schema", { name: "city" })],
    taken: [format("json_object"), {}],
  },
  {
    dialect: "no-json-object",
    says: "'response_format.type' must be 'json_schema' or 'text'",
    refused: [format("json_object")],
    taken: [format("json_schema", { name: "city" }), {}],
  },
  {
    dialect: "json-word-needed",
    says: "Prompt must contain the word 'json'",
    refused: [format("json_object")],
    taken: [{ ...format("json_object"), messages: [{ role: "user", content: "In JSON." }] }, {}],
  },
  {
    dialect: "no-response-format",
    says: "Unrecognized request argument supplied: response_format",
    refused: [format("json_object"), format("json_schema", { name: "city" })],
    taken: [{}, { response_format: null }],
  },
  {
    dialect: "no-strict",
    status: 422,
    says: '"function","strict"],"msg":"Extra inputs are not permitted","input":true',
    refused: [{ tools: [add, strictAdd] }],
    taken: [{ tools }, format("json_schema", { name: "city" })],
  },
  {
    dialect: "no-strict",
    status: 422,
    says: '["body","response_format","json_schema","strict"]',
    refused: [format("json_schema", { name: "city", strict: false })],
    taken: [],
  },
  {
    dialect: "no-forced-tools",
    says: "deepseek-reasoner does not support this tool_choice",
    refused: [
      { tools, tool_choice },
      { tools, tool_choice: "required" },
    ],
    taken: [{ tools, tool_choice: "auto" }, { tools }],
  },
  {
    dialect: "no-named-tool-choice",
    says: "Invalid tool_choice type: 'object'",
    refused: [{ tools, tool_choice }],
    taken: [{ tools, tool_choice: "required" }, { tools }],
  },
  {
    dialect: "no-parallel-tool-calls",
    says: "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    refused: [{ tools, parallel_tool_calls: false }],
    taken: [{ tools }],
  },
  {
    dialect: "no-stop",
    says: "Unsupported parameter: 'stop' is not supported with this model.",
    refused: [{ stop: ["Observation:"] }],
    taken: [{}],
  },
  {
    dialect: "no-stream-options",
    says: "Unrecognized request argument supplied: stream_options",
    refused: [{ stream_options: { include_usage: true } }],
    taken: [{}],
  },
  {
    dialect: "no-tools",
    says: "registry.ollama.ai/library/any does not support tools",
    refused: [{ tools }, { tools, tool_choice: "none" }],
    taken: [{}, { tools: [] }],
  },
  {
    dialect: "no-auto-tools",
    says: "tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
    refused: [{ tools }, { tools, tool_choice: "auto" }],
    taken: [{ tools, tool_choice }, { tools, tool_choice: "none" }, {}],
  },
  {
    dialect: "one-call-per-message",
    says: "This model only supports single tool-calls at once!",
    refused: [history(user, calls("1", "2"), result("1"), result("2"))],
    taken: [history(user, calls("1"), result("1"), calls("2"), result("2"))],
  },
  {
    dialect: "no-system-message",
    says: "System role not supported",
    refused: [history(system, user), history({ ...system, role: "developer" }, user)],
    taken: [history(user, assistant, user)],
  },
  {
    dialect: "system-message-first",
    status: 500,
    says: "Jinja Exception: System message must be at the beginning.",
    refused: [history(system, system, user), history(user, system), history(system, user, system)],
    taken: [history(system, user, assistant), history(user)],
  },
  {
    dialect: "alternating-roles",
    status: 500,
    says: "conversation roles must alternate user and assistant roles except for tool calls",
    refused: [
      history(user, user),
      history(system, user, assistant, assistant),
      history(assistant),
      history(user, calls("1"), result("1"), user),
    ],
    taken: [history(system, user, calls("1"), result("1"), assistant, user), history(user)],
  },
  {
    dialect: "strictly-alternating-roles",
    says: "Conversation roles must alternate user/assistant/user/assistant/...",
    refused: [history(user, user), history(user, calls("1"), result("1"))],
    taken: [history(system, user, assistant, user), history(user, calls("1"))],
  },
  {
    dialect: "thinking-no-forced-tools",
    says: "Thinking mode does not support this tool_choice",
    refused: [
      { tools, tool_choice },
      { tools, tool_choice: "required", reasoning_effort: "high" },
    ],
    taken: [
      { tools, tool_choice: "auto" },
      { tools, tool_choice, thinking: { type: "disabled" } },
      { tools, tool_choice, reasoning_effort: "none" },
    ],
  },
  {
    dialect: "reasoning-demanded-back",
    says: "The `reasoning_content` in the thinking mode must be passed back to the API.",
    refused: [history(user, calls("1"), result("1"))],
    taken: [
      history(user, { ...calls("1"), reasoning_content: "hm" }, result("1")),
      { ...history(user, calls("1"), result("1")), thinking: { type: "disabled" } },
      history(user, assistant, user),
    ],
  },
];

const asked = (kind: "refused" | "taken") =>
  rows.flatMap(({ [kind]: requests, ...row }) =>
    requests.flatMap((request) =>
      [false, true].map((stream) => ({ ...row, request: { ...request, stream } })),
    ),
  );

it.each(asked("refused"))("$dialect refuses $request", async (row) => {
  const { dialect, status = 400, says, request } = row;
  const server = await serve({ replies: ["kept"], dialect });
  const { status: seen, bodies } = await post(server, request);
  expect(seen).toBe(status);
  expect(JSON.stringify(bodies)).toContain(says);
  expect(() => server.assertExhausted()).toThrow("never asked for");
});

it.each(asked("taken"))("$dialect takes $request", async ({ dialect, request }) => {
  const server = await serve({ replies: ["kept"], dialect });
  expect(await post(server, request)).toMatchObject({ status: 200 });
  server.assertExhausted();
});

it("has a row for every dialect that refuses anything", () => {
  const refusing = Object.entries(dialects).filter(([, { refuses }]) => refuses !== undefined);
  expect(new Set(rows.map(({ dialect }) => dialect))).toEqual(
    new Set(refusing.map(([name]) => name)),
  );
});
