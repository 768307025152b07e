import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { jsonProtocol } from "../../../src/models/provider/json-protocol.js";
import { refusalOf } from "../../../src/models/provider/refusals.js";
import type { ProviderRequest } from "../../../src/models/provider/tool-protocol.js";
import type { MissingCapability } from "../../../src/state/capability.js";
import { formOf } from "../../support/tool-forms.js";
import { callsOf, question, resultOf, system, requestOf } from "../../support/provider-requests.js";

const refusedCapability = (error: unknown, sent: ProviderRequest) =>
  refusalOf(error, sent)?.capability;
const suspectedCapabilities = (error: unknown, sent: ProviderRequest) =>
  refusalOf(error, sent)?.suspected ?? [];

/** An error as OpenAI's client throws it. */
function answered(status: number, message: string): Error {
  return Object.assign(new Error(`${status} ${message}`), { status });
}

const offered = requestOf({ tools: [formOf("search", "query")] });
const instructed = requestOf({ messages: [system, question] });
const called = requestOf({ messages: [question, callsOf("a"), resultOf("a")] });
const calledTwice = requestOf({
  messages: [question, callsOf("a", "b"), resultOf("a"), resultOf("b")],
});
const holding = (type: string) =>
  requestOf({ messages: [new HumanMessage({ content: [{ type, [type]: {} }] })] });
const shown = holding("image_url");
const spoken = holding("input_audio");
const withStop = requestOf({ options: { stop: ["x"] } });
const schema = requestOf({
  mode: "json_schema",
  options: { response_format: { type: "json_schema" } },
});
const strict = requestOf({
  mode: "json_schema",
  options: { response_format: { json_schema: { strict: true } } },
});
const forced = requestOf({ mode: "forced_tool" });
const jsonMode = requestOf({ mode: "json_mode" });
const written = requestOf({ protocol: jsonProtocol, tools: [] });

const knowing = (
  sent: ProviderRequest,
  ...missing: readonly MissingCapability[]
): ProviderRequest => ({
  ...sent,
  missing: new Set(missing),
});

const turns = "Conversation roles must alternate user/assistant/user/assistant/...";
const noTools = "registry.ollama.ai/library/x does not support tools";

describe("the capability that a refusal names", () => {
  it.each([
    { said: "Unsupported parameter: 'stop'", sent: withStop, capability: "no_stop" },
    {
      said: "body.response_format.json_schema.strict: Extra inputs",
      sent: strict,
      capability: "no_strict",
    },
    {
      said: "Extra inputs are not permitted: response_format",
      sent: strict,
      capability: "no_json_schema",
    },
    {
      said: "This response_format type is unavailable now",
      sent: schema,
      capability: "no_json_schema",
    },
    { said: "Unsupported: structured output", sent: schema, capability: "no_json_schema" },
    {
      said: "deepseek-reasoner does not support this tool_choice",
      sent: forced,
      capability: "no_forced_tool",
    },
    { said: "Invalid tool_choice type: 'object'", sent: forced, capability: "no_forced_tool" },
    {
      said: "'response_format.type' must be 'json_schema'",
      sent: jsonMode,
      capability: "no_json_mode",
    },
    {
      said: "This model only supports single tool-calls at once!",
      sent: calledTwice,
      capability: "single_calls",
    },
    { said: "System role not supported", sent: instructed, capability: "no_system" },
    { said: "Developer instruction is not enabled", sent: instructed, capability: "no_system" },
    { said: turns, sent: requestOf(), capability: "alternating" },
    {
      said: "After the optional system message, conversation roles must alternate",
      sent: instructed,
      capability: "alternating",
    },
    { said: turns, sent: knowing(called, "alternating"), capability: "json_calls" },
    { said: turns, sent: knowing(instructed, "alternating"), capability: "no_system" },
    {
      said: turns,
      sent: { ...knowing(instructed, "alternating"), tools: offered.tools },
      capability: "no_system",
    },
    {
      said: "Unrecognized request argument supplied: stream_options",
      sent: requestOf(),
      capability: "no_stream_usage",
    },
    { said: noTools, sent: offered, capability: "json_calls" },
    {
      said: '"auto" tool choice requires --enable-auto-tool-choice',
      sent: offered,
      capability: "json_calls",
    },
    {
      said: "image input is not supported, provide the mmproj",
      sent: shown,
      capability: "no_images",
    },
    { said: "unknown variant `image_url`, expected `text`", sent: shown, capability: "no_images" },
    { said: "'messages.0.content' : value must be a string", sent: shown, capability: "no_images" },
    { said: "This is not a multimodal model", sent: shown, capability: "no_images" },
    { said: "Audio input is not enabled for this model", sent: spoken, capability: "no_audio" },
    {
      said: "Unsupported parameter: 'stop'",
      sent: { ...shown, options: { stop: ["x"] } },
      capability: "no_stop",
    },
    {
      said: "The `reasoning_content` in the thinking mode must be passed back",
      sent: called,
      capability: "json_calls",
    },
  ])("learns $capability from $said", ({ said, sent, capability }) => {
    expect(refusedCapability(answered(400, said), sent)).toBe(capability);
    expect(refusedCapability(answered(422, said), sent)).toBe(capability);
    expect(refusedCapability(new Error("failed", { cause: answered(400, said) }), sent)).toBe(
      capability,
    );
  });

  it.each([
    { name: "a stop that was not sent", said: "Unsupported parameter: 'stop'", sent: requestOf() },
    {
      name: "a schema where none was asked for",
      said: "response_format is wrong",
      sent: requestOf(),
    },
    { name: "tools where there are none", said: noTools, sent: requestOf() },
    {
      name: "tools where no other way is allowed",
      said: noTools,
      sent: { ...offered, mayAdapt: false },
    },
    { name: "tools where they are written already", said: noTools, sent: written },
    {
      name: "what was known when the request was made",
      said: noTools,
      sent: knowing(offered, "json_calls"),
    },
    {
      name: "turns where nothing is left to change",
      said: turns,
      sent: knowing(offered, "alternating"),
    },
    { name: "something else", said: "temperature must be below 2", sent: offered },
    {
      name: "a content filter",
      said: "The prompt triggered the content management policy.",
      sent: offered,
    },
    {
      name: "a history that is too long",
      said: "This model's maximum context length is 10 tokens, tools included",
      sent: offered,
    },
  ])("learns nothing from $name", ({ said, sent }) => {
    expect(refusedCapability(answered(400, said), sent)).toBe(undefined);
  });

  it.each([
    {
      said: "Jinja Exception: System message must be at the beginning.",
      sent: instructed,
      capability: "no_system",
    },
    { said: `Error: Jinja Exception: ${turns}`, sent: requestOf(), capability: "alternating" },
    { said: "tools param requires --jinja flag", sent: offered, capability: "json_calls" },
    { said: "Unsupported param: tools", sent: offered, capability: "json_calls" },
    { said: "Failed to parse grammar", sent: schema, capability: "no_json_schema" },
  ])("learns $capability from a 500 that says $said", ({ said, sent, capability }) => {
    expect(refusedCapability(answered(500, said), sent)).toBe(capability);
  });

  it.each([
    { said: "A server error has occurred\n\nFUNCTION_INVOCATION_FAILED", sent: offered },
    { said: "Internal error in the tool runtime, contact support", sent: offered },
    { said: "The system could not process the message", sent: instructed },
    { said: "Database schema is being migrated", sent: schema },
    { said: "Worker was forced to end", sent: forced },
    { said: "The server had an error. stop", sent: withStop },
  ])("takes a 500 for an outage that says $said", ({ said, sent }) => {
    expect(refusedCapability(answered(500, said), sent)).toBe(undefined);
  });

  it.each([401, 403, 404, 429, 502, 503])("learns nothing from a %i", (status) => {
    expect(refusedCapability(answered(status, noTools), offered)).toBe(undefined);
  });

  it.each([new Error(noTools), new TypeError("fetch failed"), "tools", undefined])(
    "learns nothing from %s, which no server answered",
    (error) => {
      expect(refusedCapability(error, offered)).toBe(undefined);
    },
  );
});

describe("the capabilities that a refusal may mean", () => {
  const silent = answered(400, "status code (no body)");

  it.each([
    { name: "a schema", sent: schema, missing: [["no_json_schema"]] },
    { name: "a forced tool", sent: forced, missing: [["no_forced_tool"]] },
    { name: "JSON mode", sent: jsonMode, missing: [["no_json_mode"]] },
    { name: "a prompt", sent: requestOf({ mode: "prompt" }), missing: [] },
    { name: "no object", sent: offered, missing: [] },
  ])("suspects the way of asking: $name", ({ sent, missing }) => {
    expect(suspectedCapabilities(answered(400, "Bad request"), sent)).toEqual(missing);
    expect(suspectedCapabilities(answered(422, "Bad request"), sent)).toEqual(missing);
  });

  it("suspects all that the request had where no word came through, the tools at last", () => {
    const messages = [system, ...calledTwice.messages];
    const [mild, all, ...others] = suspectedCapabilities(silent, { ...calledTwice, messages });
    expect(new Set(mild)).toEqual(new Set(["single_calls", "alternating", "no_system"]));
    expect(new Set(all)).toEqual(new Set([...(mild ?? []), "json_calls", "no_stream_usage"]));
    expect(others).toEqual([]);
  });

  it("suspects nothing twice", () => {
    const known = knowing(offered, "alternating", "no_stream_usage");
    expect(suspectedCapabilities(silent, known)).toEqual([["json_calls"]]);
    expect(suspectedCapabilities(silent, knowing(schema, "alternating"))).toEqual([
      ["no_json_schema"],
      ["no_json_schema", "no_stream_usage"],
    ]);
  });

  it.each([401, 404, 429, 500, 503])("suspects nothing behind a %i", (status) => {
    expect(suspectedCapabilities(answered(status, "status code (no body)"), schema)).toEqual([]);
  });

  it("suspects nothing where the history was too long", () => {
    expect(suspectedCapabilities(answered(400, "maximum context length is 10"), schema)).toEqual(
      [],
    );
  });
});
