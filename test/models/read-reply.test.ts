import { AIMessage, AIMessageChunk, type AIMessageFields } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { replyProblem, withReadableCalls } from "../../src/models/reply.js";

const call = { id: "1", name: "search", args: { query: "x" } };

const broken = (args: string | undefined, name: string | undefined = "search") => ({
  id: "1",
  error: "Malformed args.",
  ...(name === undefined ? {} : { name }),
  ...(args === undefined ? {} : { args }),
});

/** A reply whose call came in one streamed chunk with this text for arguments. */
const streamed = (args: string, finish = "tool_calls") =>
  new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ type: "tool_call_chunk", index: 0, id: "1", name: "search", args }],
    response_metadata: { finish_reason: finish },
  });

/** A reply whose call LangChain parsed from whatever JSON the arguments were. */
function parsed(args: string): AIMessage {
  const reply = new AIMessage("");
  reply.tool_calls = [{ ...call, args: JSON.parse(args) }];
  return reply;
}

const message = (fields: AIMessageFields) => new AIMessage({ content: "", ...fields });

describe("replyProblem", () => {
  it.each([
    { name: "a text", reply: new AIMessage("hello") },
    {
      name: "a text that was cut",
      reply: message({ content: "hel", response_metadata: { finish_reason: "length" } }),
    },
    { name: "a call", reply: message({ tool_calls: [call] }) },
    { name: "a call and a text", reply: message({ content: "hm", tool_calls: [call] }) },
    { name: "a streamed call", reply: streamed('{"query":"x"}') },
    { name: "a streamed call without arguments", reply: streamed("") },
    { name: "a streamed call with null", reply: streamed("null") },
  ])("finds nothing wrong with $name", ({ reply }) => {
    expect(replyProblem(withReadableCalls(reply))).toBe(undefined);
  });

  it.each(
    [
      { name: "finish_reason length", metadata: { finish_reason: "length" } },
      { name: "Anthropic's max_tokens", metadata: { stop_reason: "max_tokens" } },
      { name: "Google's MAX_TOKENS", metadata: { finish_reason: "MAX_TOKENS" } },
    ].flatMap((row) => [
      { ...row, of: "a whole call", calls: { tool_calls: [call] } },
      { ...row, of: "a broken call", calls: { invalid_tool_calls: [broken('{"query')] } },
      { ...row, of: "a call without arguments", calls: { invalid_tool_calls: [broken("")] } },
    ]),
  )("takes $of for cut off at $name", ({ metadata, calls }) => {
    const reply = message({ ...calls, response_metadata: metadata });
    expect(replyProblem(withReadableCalls(reply))).toMatch(/cut off.*was not run/);
  });

  it.each([
    { name: "cut JSON", args: '{"path":"/data/im' },
    { name: "cut JSON that looks complete when closed", args: '{"path":"/data/im"' },
    { name: "an open brace", args: "{" },
    { name: "text", args: "go on" },
    { name: "a list", args: "[1]" },
    { name: "a number", args: "5" },
    { name: "a text in quotes", args: '"go"' },
    { name: "true", args: "true" },
    { name: "two objects in one", args: '{"a":1}{"a":2}' },
  ])("quotes malformed arguments, however they came: $name", ({ args }) => {
    const quoted = `They were: ${args}.`;
    for (const reply of [streamed(args), message({ invalid_tool_calls: [broken(args)] })]) {
      const problem = replyProblem(withReadableCalls(reply));
      expect(problem).toContain(quoted);
      expect(problem).toContain('"search"');
    }
  });

  it.each(["[1]", "5", '"go"', "true"])("does not let %s through as parsed arguments", (args) => {
    expect(replyProblem(withReadableCalls(parsed(args)))).toContain(`They were: ${args}.`);
  });

  it("quotes the end of long arguments only", () => {
    const args = `{"a":"${"x".repeat(5_000)}end`;
    const problem = replyProblem(message({ invalid_tool_calls: [broken(args)] })) ?? "";
    expect(problem).toMatch(/xend\. Make/);
    expect(problem.length).toBeLessThan(600);
  });

  it("speaks of a tool where the call has no name", () => {
    expect(replyProblem(message({ invalid_tool_calls: [broken("{", "")] }))).toContain("of a tool");
  });

  it("finds the malformed call beside others", () => {
    const reply = message({
      tool_calls: [call],
      invalid_tool_calls: [broken("", "now"), broken('{"query')],
    });
    expect(replyProblem(withReadableCalls(reply))).toContain('They were: {"query.');
  });

  it.each(["", " \n "])("calls %j empty", (content) => {
    expect(replyProblem(message({ content }))).toBe("your reply was empty");
  });
});

describe("withReadableCalls", () => {
  it.each([
    { name: "nothing", args: undefined },
    { name: "an empty text", args: "" },
    { name: "blanks", args: "  " },
    { name: "null", args: "null" },
  ])("takes $name for no arguments", ({ args }) => {
    const reply = withReadableCalls(message({ invalid_tool_calls: [broken(args, "now")] }));
    expect(reply.tool_calls).toEqual([{ id: "1", name: "now", args: {} }]);
    expect(reply.invalid_tool_calls).toEqual([]);
  });

  it.each([
    { name: "null", args: "null", object: {} },
    { name: "an object within a text", args: '"{\\"query\\":\\"x\\"}"', object: { query: "x" } },
  ])("reads $name the same, parsed and streamed", ({ args, object }) => {
    for (const reply of [parsed(args), streamed(args)]) {
      expect(withReadableCalls(reply).tool_calls).toMatchObject([{ id: "1", args: object }]);
      expect(replyProblem(reply)).toBe(undefined);
    }
  });

  it.each([
    { name: "single quotes", args: "{'query':'x'}" },
    { name: "Chinese signs", args: "｛“query”：“x”｝" },
    { name: "a trailing comma", args: '{"query":"x",}' },
  ])("reads arguments with $name, whole and streamed", ({ args }) => {
    for (const reply of [message({ invalid_tool_calls: [broken(args)] }), streamed(args)]) {
      expect(withReadableCalls(reply).tool_calls).toMatchObject([{ id: "1", args: call.args }]);
      expect(replyProblem(reply)).toBe(undefined);
    }
  });

  it("keeps the calls that stay malformed", () => {
    const reply = message({ invalid_tool_calls: [broken(""), broken("{")] });
    expect(withReadableCalls(reply).invalid_tool_calls).toEqual([broken("{")]);
  });

  it("leaves good calls as they are", () => {
    expect(withReadableCalls(message({ tool_calls: [call] })).tool_calls).toEqual([
      expect.objectContaining(call),
    ]);
  });
});

describe("withReadableCalls with the tools of a run", () => {
  const tools = [{ name: "lookup" }, { name: "Order" }, { name: "order" }];

  it.each([
    { name: "Lookup", read: "lookup" },
    { name: "ORDER", read: "ORDER" },
    { name: "Order", read: "Order" },
    { name: "gone", read: "gone" },
  ])("reads the name $name as $read", ({ name, read }) => {
    const reply = new AIMessage({ content: "", tool_calls: [{ id: "1", name, args: {} }] });
    expect(withReadableCalls(reply, tools).tool_calls).toMatchObject([{ name: read, args: {} }]);
  });

  it("reads arguments that are pairs of name and value", () => {
    const args = '[{"name":"order","value":17}]';
    const listed = { type: "invalid_tool_call" as const, id: "1", name: "lookup", args };
    const reply = withReadableCalls(new AIMessage({ content: "", invalid_tool_calls: [listed] }));
    expect(reply.tool_calls).toMatchObject([{ name: "lookup", args: { order: 17 } }]);
    expect(replyProblem(reply)).toBeUndefined();
  });
});
