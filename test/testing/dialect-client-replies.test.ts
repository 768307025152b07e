import { beforeEach, expect, it, vi } from "vitest";

import type { DialectName, ScriptedReply } from "../../src/testing/index.js";
import { client, serve, ways } from "./client.js";

// The client warns of calls it cannot read, and of content that is a list.
beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "log").mockReturnValue();
  return () => vi.restoreAllMocks();
});

const args = { a: 2, b: 3 };
const text = '{"a":2,"b":3}';
const one = { toolCalls: [{ name: "add", args }] };
const two = { toolCalls: [...one.toolCalls, { name: "sub", args: { c: 1 } }] };
const calls = (...ids: string[]) => ids.map((id, at) => ({ ...two.toolCalls[at], id }));
const id = "call_1";

type Row = {
  readonly dialect: DialectName;
  readonly reply: string | ScriptedReply;
  readonly invoked: object;
  /** Default: as invoked. */
  readonly streamed?: object;
};

const rows: readonly Row[] = [
  {
    dialect: "reasoning-content",
    reply: { text: "five", reasoning: "2 + 3" },
    invoked: { content: "five", additional_kwargs: { reasoning_content: "2 + 3" } },
  },
  {
    dialect: "thinking-no-forced-tools",
    reply: one,
    invoked: {
      tool_calls: calls(id),
      additional_kwargs: { reasoning_content: "Let me see what is asked here." },
    },
  },
  {
    dialect: "reasoning-demanded-back",
    reply: "five",
    invoked: { additional_kwargs: { reasoning_content: "Let me see what is asked here." } },
  },
  {
    dialect: "inline-thinking",
    reply: { text: "five", reasoning: "2 + 3" },
    invoked: { content: "<think>\n2 + 3\n</think>\n\nfive" },
  },
  {
    dialect: "inline-thinking-unopened",
    reply: { reasoning: "2 + 3", ...one },
    invoked: { content: "2 + 3\n</think>\n\n", tool_calls: calls(id) },
  },
  {
    dialect: "object-arguments",
    reply: one,
    invoked: {
      tool_calls: [],
      invalid_tool_calls: [
        { name: "add", args, id, error: expect.stringContaining("are not valid JSON") },
      ],
      additional_kwargs: { tool_calls: [{ function: { name: "add", arguments: args } }] },
    },
    streamed: {
      tool_calls: [],
      invalid_tool_calls: [{ name: "add", args: "[object Object]", id, error: "Malformed args." }],
      tool_call_chunks: [{ name: "add", args, id, index: 0 }],
      additional_kwargs: { tool_calls: [{ function: { name: "add", arguments: args } }] },
    },
  },
  {
    dialect: "same-call-index",
    reply: two,
    invoked: { tool_calls: calls(id, "call_2"), invalid_tool_calls: [] },
  },
  {
    dialect: "calls-finish-with-stop",
    reply: one,
    invoked: { tool_calls: calls(id), response_metadata: { finish_reason: "stop" } },
  },
  {
    dialect: "same-call-id",
    reply: two,
    invoked: { tool_calls: calls("call_0", "call_0"), invalid_tool_calls: [] },
  },
  {
    dialect: "empty-call-id",
    reply: one,
    invoked: { tool_calls: calls(""), invalid_tool_calls: [] },
    streamed: {
      tool_calls: [],
      invalid_tool_calls: [{ name: "add", args: text, id: "", error: "Malformed args." }],
    },
  },
  {
    dialect: "calls-as-fenced-text",
    reply: one,
    invoked: {
      content: `\`\`\`json\n{"name": "add", "arguments": ${text}}\n\`\`\``,
      tool_calls: [],
      invalid_tool_calls: [],
    },
  },
  {
    dialect: "calls-as-tagged-text",
    reply: one,
    invoked: {
      content: `<tool_call>\n{"name": "add", "arguments": ${text}}\n</tool_call>`,
      tool_calls: [],
      invalid_tool_calls: [],
    },
  },
  { dialect: "content-null", reply: one, invoked: { content: "", tool_calls: calls(id) } },
  { dialect: "content-missing", reply: one, invoked: { content: "", tool_calls: calls(id) } },
  {
    // A part of a stream whose content is a list is thrown away.
    dialect: "content-parts",
    reply: { text: "five", reasoning: "2 + 3" },
    invoked: {
      text: "five",
      content: [{ type: "thinking" }, { type: "text", text: "five" }],
    },
    streamed: { text: "", content: "" },
  },
  {
    dialect: "empty-tool-calls",
    reply: "five",
    invoked: { content: "five", tool_calls: [], additional_kwargs: { tool_calls: [] } },
  },
  {
    dialect: "usage-null",
    reply: "five",
    invoked: { usage_metadata: { input_token_details: {}, output_token_details: {} } },
    streamed: { usage_metadata: undefined },
  },
];

const asked = rows.flatMap(({ invoked, streamed = invoked, ...row }) =>
  ways.map(({ way, ask }) => ({ ...row, way, ask, seen: way === "invoke" ? invoked : streamed })),
);

it.each(asked)("$way reads what $dialect writes", async ({ dialect, reply, ask, seen }) => {
  const server = await serve({ replies: [reply], dialect });
  expect(await ask(client(server))).toMatchObject(seen);
  server.assertExhausted();
});

it.each(ways)("$way loses thoughts that come as reasoning", async ({ ask }) => {
  const reply = { text: "five", reasoning: "2 + 3" };
  const server = await serve({ replies: [reply], dialect: "reasoning" });
  const message = await ask(client(server));
  expect(message.text).toBe("five");
  expect(JSON.stringify(message)).not.toContain("2 + 3");
});

it("a forced call comes as text from a server that ignores the force", async () => {
  const server = await serve({ replies: [one, one], dialect: "forced-tools-ignored" });
  const tools = [{ type: "function" as const, function: { name: "add", parameters: {} } }];
  const forced = client(server).withConfig({ tools, tool_choice: "required" });
  expect(await forced.invoke("q")).toMatchObject({ content: text, tool_calls: [] });
  const free = client(server).withConfig({ tools });
  expect(await free.invoke("q")).toMatchObject({ content: "", tool_calls: [{ args }] });
  server.assertExhausted();
});
