import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { providerRequest } from "../../../src/models/provider/request.js";
import type { MissingCapability } from "../../../src/state/capability.js";
import { callsOf, question, resultOf, system } from "../../support/provider-requests.js";

const search = tool(() => "found", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const tools = [search];
const output = { name: "response", schema: { type: "object" } };
const history = [system, question, callsOf("a"), resultOf("a")];

const request = (
  asked: Partial<Parameters<typeof providerRequest>[0]>,
  ...missing: readonly MissingCapability[]
) => providerRequest({ protocol: "auto", ...asked }, history, new Set(missing));

describe("providerRequest", () => {
  it("sends tools and messages as they are where nothing is known", () => {
    const sent = request({ tools });
    expect(sent).toMatchObject({ protocol: { name: "native" }, options: {}, mayAdapt: true });
    expect(sent.tools).toBe(tools);
    expect(sent.messages).toBe(history);
    expect(sent).not.toHaveProperty("mode");
  });

  it.each<{
    name: string;
    protocol: "native" | "json" | "auto";
    missing: MissingCapability[];
    as: string;
    mayAdapt: boolean;
  }>([
    {
      name: "native stays native",
      protocol: "native",
      missing: ["json_calls"],
      as: "native",
      mayAdapt: false,
    },
    { name: "json is json", protocol: "json", missing: [], as: "json", mayAdapt: false },
    { name: "auto begins native", protocol: "auto", missing: [], as: "native", mayAdapt: true },
    {
      name: "auto goes over to json",
      protocol: "auto",
      missing: ["json_calls"],
      as: "json",
      mayAdapt: true,
    },
  ])("$name", ({ protocol, missing, as, mayAdapt }) => {
    expect(request({ protocol, tools }, ...missing)).toMatchObject({
      protocol: { name: as },
      mayAdapt,
    });
  });

  it("in JSON binds no tools, tells of them, and asks for an action by schema", () => {
    const { messages, options, ...sent } = request({ tools }, "json_calls");
    expect(sent).toMatchObject({ tools: [], mode: "json_schema" });
    expect(options).toMatchObject({ response_format: { json_schema: { name: "action" } } });
    expect(options).not.toHaveProperty("stop");
    expect(messages.map(({ type }) => type)).toEqual(["system", "human", "ai", "human"]);
    expect(messages[0]?.text).toContain('"action": "search", "action_input": {"query": string}');
  });

  it.each<{ name: string; missing: MissingCapability[]; options: object; mode: string }>([
    {
      name: "in JSON mode with a stop",
      missing: ["no_json_schema"],
      options: { response_format: { type: "json_object" }, stop: ["\nObservation"] },
      mode: "json_mode",
    },
    {
      name: "by prompt with a stop",
      missing: ["no_json_schema", "no_json_mode"],
      options: { stop: ["\nObservation"] },
      mode: "prompt",
    },
    {
      name: "by prompt alone",
      missing: ["no_json_schema", "no_json_mode", "no_stop"],
      options: {},
      mode: "prompt",
    },
  ])("asks for an action $name", ({ missing, options, mode }) => {
    const sent = request({ tools }, "json_calls", ...missing);
    expect([sent.options, sent.mode]).toEqual([options, mode]);
  });

  it("asks for an answer without tools as for any", () => {
    const sent = request({}, "json_calls");
    expect(sent).toMatchObject({ protocol: { name: "json" }, tools: [], options: {} });
    expect(sent).not.toHaveProperty("mode");
    expect(sent.messages.map(({ text }) => text).join()).not.toContain("JSON object");
  });

  it("asks for an object as the arguments of a tool that has to be called", () => {
    const sent = request({ output }, "no_json_schema");
    expect(sent).toMatchObject({ mode: "forced_tool", options: { tool_choice: "response" } });
    expect(sent.tools).toMatchObject([
      { function: { name: "response", parameters: output.schema } },
    ]);
  });

  it.each<{ missing: MissingCapability[]; mode: string }>([
    { missing: [], mode: "json_schema" },
    { missing: ["no_json_schema", "no_forced_tool"], mode: "json_mode" },
    { missing: ["no_json_schema", "json_calls"], mode: "json_mode" },
    { missing: ["no_json_schema", "no_forced_tool", "no_json_mode"], mode: "prompt" },
  ])("with $missing asks for an object by $mode, without tools", ({ missing, mode }) => {
    expect(request({ output }, ...missing)).toMatchObject({ mode, tools: [] });
  });

  it("binds the same list of tools again, so that it is translated once", () => {
    const [first, second] = [
      request({ output }, "no_json_schema"),
      request({ output }, "no_json_schema"),
    ];
    expect(first.tools).toBe(second.tools);
    expect(request({ tools }, "json_calls").options["response_format"]).toEqual(
      request({ tools }, "json_calls").options["response_format"],
    );
  });

  it("keeps the caller's options, but for those that need tools where there are none", () => {
    const options = { temperature: 0, tool_choice: "any", parallel_tool_calls: false };
    expect(request({ tools, options }).options).toEqual(options);
    const written = request({ tools, options }, "json_calls", "no_json_schema", "no_json_mode");
    expect(written.options).toEqual({ temperature: 0, stop: ["\nObservation"] });
  });

  it("asks for no usage where that was refused", () => {
    expect(request({ tools }, "no_stream_usage").options).toEqual({ stream_options: null });
  });

  it("shapes the messages as the model takes them", () => {
    const [first] = request({ tools }, "no_system").messages;
    expect(first?.type).toBe("human");
    const [written] = request({ tools }, "no_system", "json_calls").messages;
    expect(written?.text).toMatch(/^Be brief\.\n\nIn each turn.*\n\nq$/s);
  });

  it("remembers what was known when it was made", () => {
    const missing = new Set<MissingCapability>();
    const sent = providerRequest({ protocol: "auto", tools }, history, missing);
    missing.add("json_calls");
    expect([...sent.missing]).toEqual([]);
  });
});
