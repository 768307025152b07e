import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { quirkIn, quirksBehind } from "../../../src/models/provider/refusals.js";
import type { Wire } from "../../../src/models/provider/request.js";
import type { Quirk } from "../../../src/state/capability.js";
import { formOf } from "../../support/tool-forms.js";
import { callsOf, question, resultOf, system, wireOf } from "../../support/wires.js";

/** An error as OpenAI's client throws it. */
function answered(status: number, message: string): Error {
  return Object.assign(new Error(`${status} ${message}`), { status });
}

const offered = wireOf({ tools: [formOf("search", "query")] });
const instructed = wireOf({ messages: [system, question] });
const called = wireOf({ messages: [question, callsOf("a"), resultOf("a")] });
const calledTwice = wireOf({
  messages: [question, callsOf("a", "b"), resultOf("a"), resultOf("b")],
});
const holding = (type: string) =>
  wireOf({ messages: [new HumanMessage({ content: [{ type, [type]: {} }] })] });
const shown = holding("image_url");
const spoken = holding("input_audio");
const withStop = wireOf({ options: { stop: ["x"] } });
const schema = wireOf({
  rung: "json_schema",
  options: { response_format: { type: "json_schema" } },
});
const strict = wireOf({
  rung: "json_schema",
  options: { response_format: { json_schema: { strict: true } } },
});
const forced = wireOf({ rung: "forced_tool" });
const jsonMode = wireOf({ rung: "json_mode" });
const written = wireOf({ protocol: "json", tools: [] });

const knowing = (wire: Wire, ...quirks: readonly Quirk[]): Wire => ({
  ...wire,
  quirks: new Set(quirks),
});

const turns = "Conversation roles must alternate user/assistant/user/assistant/...";
const noTools = "registry.ollama.ai/library/x does not support tools";

describe("quirkIn", () => {
  it.each([
    { said: "Unsupported parameter: 'stop'", wire: withStop, quirk: "no_stop" },
    {
      said: "body.response_format.json_schema.strict: Extra inputs",
      wire: strict,
      quirk: "no_strict",
    },
    {
      said: "Extra inputs are not permitted: response_format",
      wire: strict,
      quirk: "no_json_schema",
    },
    { said: "This response_format type is unavailable now", wire: schema, quirk: "no_json_schema" },
    { said: "Unsupported: structured output", wire: schema, quirk: "no_json_schema" },
    {
      said: "deepseek-reasoner does not support this tool_choice",
      wire: forced,
      quirk: "no_forced_tool",
    },
    { said: "Invalid tool_choice type: 'object'", wire: forced, quirk: "no_forced_tool" },
    { said: "'response_format.type' must be 'json_schema'", wire: jsonMode, quirk: "no_json_mode" },
    {
      said: "This model only supports single tool-calls at once!",
      wire: calledTwice,
      quirk: "single_calls",
    },
    { said: "System role not supported", wire: instructed, quirk: "no_system" },
    { said: "Developer instruction is not enabled", wire: instructed, quirk: "no_system" },
    { said: turns, wire: wireOf(), quirk: "alternating" },
    {
      said: "After the optional system message, conversation roles must alternate",
      wire: instructed,
      quirk: "alternating",
    },
    { said: turns, wire: knowing(called, "alternating"), quirk: "json_calls" },
    { said: turns, wire: knowing(instructed, "alternating"), quirk: "no_system" },
    {
      said: turns,
      wire: { ...knowing(instructed, "alternating"), tools: offered.tools },
      quirk: "no_system",
    },
    {
      said: "Unrecognized request argument supplied: stream_options",
      wire: wireOf(),
      quirk: "no_stream_usage",
    },
    { said: noTools, wire: offered, quirk: "json_calls" },
    {
      said: '"auto" tool choice requires --enable-auto-tool-choice',
      wire: offered,
      quirk: "json_calls",
    },
    { said: "image input is not supported, provide the mmproj", wire: shown, quirk: "no_images" },
    { said: "unknown variant `image_url`, expected `text`", wire: shown, quirk: "no_images" },
    { said: "'messages.0.content' : value must be a string", wire: shown, quirk: "no_images" },
    { said: "This is not a multimodal model", wire: shown, quirk: "no_images" },
    { said: "Audio input is not enabled for this model", wire: spoken, quirk: "no_audio" },
    {
      said: "Unsupported parameter: 'stop'",
      wire: { ...shown, options: { stop: ["x"] } },
      quirk: "no_stop",
    },
    {
      said: "The `reasoning_content` in the thinking mode must be passed back",
      wire: called,
      quirk: "json_calls",
    },
  ])("learns $quirk from $said", ({ said, wire, quirk }) => {
    expect(quirkIn(answered(400, said), wire)).toBe(quirk);
    expect(quirkIn(answered(422, said), wire)).toBe(quirk);
    expect(quirkIn(new Error("failed", { cause: answered(400, said) }), wire)).toBe(quirk);
  });

  it.each([
    { name: "a stop that was not sent", said: "Unsupported parameter: 'stop'", wire: wireOf() },
    { name: "a schema where none was asked for", said: "response_format is wrong", wire: wireOf() },
    { name: "tools where there are none", said: noTools, wire: wireOf() },
    {
      name: "tools where no other way is allowed",
      said: noTools,
      wire: { ...offered, mayAdapt: false },
    },
    { name: "tools where they are written already", said: noTools, wire: written },
    {
      name: "what was known when the request was made",
      said: noTools,
      wire: knowing(offered, "json_calls"),
    },
    {
      name: "turns where nothing is left to change",
      said: turns,
      wire: knowing(offered, "alternating"),
    },
    { name: "something else", said: "temperature must be below 2", wire: offered },
    {
      name: "a content filter",
      said: "The prompt triggered the content management policy.",
      wire: offered,
    },
    {
      name: "a history that is too long",
      said: "This model's maximum context length is 10 tokens, tools included",
      wire: offered,
    },
  ])("learns nothing from $name", ({ said, wire }) => {
    expect(quirkIn(answered(400, said), wire)).toBe(undefined);
  });

  it.each([
    {
      said: "Jinja Exception: System message must be at the beginning.",
      wire: instructed,
      quirk: "no_system",
    },
    { said: `Error: Jinja Exception: ${turns}`, wire: wireOf(), quirk: "alternating" },
    { said: "tools param requires --jinja flag", wire: offered, quirk: "json_calls" },
    { said: "Unsupported param: tools", wire: offered, quirk: "json_calls" },
    { said: "Failed to parse grammar", wire: schema, quirk: "no_json_schema" },
  ])("learns $quirk from a 500 that says $said", ({ said, wire, quirk }) => {
    expect(quirkIn(answered(500, said), wire)).toBe(quirk);
  });

  it.each([
    { said: "A server error has occurred\n\nFUNCTION_INVOCATION_FAILED", wire: offered },
    { said: "Internal error in the tool runtime, contact support", wire: offered },
    { said: "The system could not process the message", wire: instructed },
    { said: "Database schema is being migrated", wire: schema },
    { said: "Worker was forced to end", wire: forced },
    { said: "The server had an error. stop", wire: withStop },
  ])("takes a 500 for an outage that says $said", ({ said, wire }) => {
    expect(quirkIn(answered(500, said), wire)).toBe(undefined);
  });

  it.each([401, 403, 404, 429, 502, 503])("learns nothing from a %i", (status) => {
    expect(quirkIn(answered(status, noTools), offered)).toBe(undefined);
  });

  it.each([new Error(noTools), new TypeError("fetch failed"), "tools", undefined])(
    "learns nothing from %s, which no server answered",
    (error) => {
      expect(quirkIn(error, offered)).toBe(undefined);
    },
  );
});

describe("quirksBehind", () => {
  const silent = answered(400, "status code (no body)");

  it.each([
    { name: "a schema", wire: schema, quirks: [["no_json_schema"]] },
    { name: "a forced tool", wire: forced, quirks: [["no_forced_tool"]] },
    { name: "JSON mode", wire: jsonMode, quirks: [["no_json_mode"]] },
    { name: "a prompt", wire: wireOf({ rung: "prompt" }), quirks: [] },
    { name: "no object", wire: offered, quirks: [] },
  ])("suspects the way of asking: $name", ({ wire, quirks }) => {
    expect(quirksBehind(answered(400, "Bad request"), wire)).toEqual(quirks);
    expect(quirksBehind(answered(422, "Bad request"), wire)).toEqual(quirks);
  });

  it("suspects all that the request had where no word came through, the tools at last", () => {
    const messages = [system, ...calledTwice.messages];
    const [mild, all, ...others] = quirksBehind(silent, { ...calledTwice, messages });
    expect(new Set(mild)).toEqual(new Set(["single_calls", "alternating", "no_system"]));
    expect(new Set(all)).toEqual(new Set([...(mild ?? []), "json_calls", "no_stream_usage"]));
    expect(others).toEqual([]);
  });

  it("suspects nothing twice", () => {
    const known = knowing(offered, "alternating", "no_stream_usage");
    expect(quirksBehind(silent, known)).toEqual([["json_calls"]]);
    expect(quirksBehind(silent, knowing(schema, "alternating"))).toEqual([
      ["no_json_schema"],
      ["no_json_schema", "no_stream_usage"],
    ]);
  });

  it.each([401, 404, 429, 500, 503])("suspects nothing behind a %i", (status) => {
    expect(quirksBehind(answered(status, "status code (no body)"), schema)).toEqual([]);
  });

  it("suspects nothing where the history was too long", () => {
    expect(quirksBehind(answered(400, "maximum context length is 10"), schema)).toEqual([]);
  });
});
