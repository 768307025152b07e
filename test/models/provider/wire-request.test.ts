import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { wireRequest } from "../../../src/models/provider/request.js";
import type { Quirk } from "../../../src/state/capability.js";
import { callsOf, question, resultOf, system } from "../../support/wires.js";

const search = tool(() => "found", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const tools = [search];
const form = { name: "response", schema: { type: "object" } };
const history = [system, question, callsOf("a"), resultOf("a")];

const request = (asked: Partial<Parameters<typeof wireRequest>[0]>, ...quirks: readonly Quirk[]) =>
  wireRequest({ protocol: "auto", ...asked }, history, new Set(quirks));

describe("wireRequest", () => {
  it("sends tools and messages as they are where nothing is known", () => {
    const wire = request({ tools });
    expect(wire).toMatchObject({ protocol: "native", options: {}, mayAdapt: true });
    expect(wire.tools).toBe(tools);
    expect(wire.messages).toBe(history);
    expect(wire).not.toHaveProperty("rung");
  });

  it.each<{
    name: string;
    protocol: "native" | "json" | "auto";
    quirks: Quirk[];
    as: string;
    mayAdapt: boolean;
  }>([
    {
      name: "native stays native",
      protocol: "native",
      quirks: ["json_calls"],
      as: "native",
      mayAdapt: false,
    },
    { name: "json is json", protocol: "json", quirks: [], as: "json", mayAdapt: false },
    { name: "auto begins native", protocol: "auto", quirks: [], as: "native", mayAdapt: true },
    {
      name: "auto goes over to json",
      protocol: "auto",
      quirks: ["json_calls"],
      as: "json",
      mayAdapt: true,
    },
  ])("$name", ({ protocol, quirks, as, mayAdapt }) => {
    expect(request({ protocol, tools }, ...quirks)).toMatchObject({ protocol: as, mayAdapt });
  });

  it("in JSON binds no tools, tells of them, and asks for an action by schema", () => {
    const { messages, options, ...wire } = request({ tools }, "json_calls");
    expect(wire).toMatchObject({ tools: [], rung: "json_schema" });
    expect(options).toMatchObject({ response_format: { json_schema: { name: "action" } } });
    expect(options).not.toHaveProperty("stop");
    expect(messages.map(({ type }) => type)).toEqual(["system", "human", "ai", "human"]);
    expect(messages[0]?.text).toContain('"action": "search", "action_input": {"query": string}');
  });

  it.each<{ name: string; quirks: Quirk[]; options: object; rung: string }>([
    {
      name: "in JSON mode with a stop",
      quirks: ["no_json_schema"],
      options: { response_format: { type: "json_object" }, stop: ["\nObservation"] },
      rung: "json_mode",
    },
    {
      name: "by prompt with a stop",
      quirks: ["no_json_schema", "no_json_mode"],
      options: { stop: ["\nObservation"] },
      rung: "prompt",
    },
    {
      name: "by prompt alone",
      quirks: ["no_json_schema", "no_json_mode", "no_stop"],
      options: {},
      rung: "prompt",
    },
  ])("asks for an action $name", ({ quirks, options, rung }) => {
    const wire = request({ tools }, "json_calls", ...quirks);
    expect([wire.options, wire.rung]).toEqual([options, rung]);
  });

  it("asks for an answer without tools as for any", () => {
    const wire = request({}, "json_calls");
    expect(wire).toMatchObject({ protocol: "json", tools: [], options: {} });
    expect(wire).not.toHaveProperty("rung");
    expect(wire.messages.map(({ text }) => text).join()).not.toContain("JSON object");
  });

  it("asks for an object as the arguments of a tool that has to be called", () => {
    const wire = request({ form }, "no_json_schema");
    expect(wire).toMatchObject({ rung: "forced_tool", options: { tool_choice: "response" } });
    expect(wire.tools).toMatchObject([{ function: { name: "response", parameters: form.schema } }]);
  });

  it.each<{ quirks: Quirk[]; rung: string }>([
    { quirks: [], rung: "json_schema" },
    { quirks: ["no_json_schema", "no_forced_tool"], rung: "json_mode" },
    { quirks: ["no_json_schema", "json_calls"], rung: "json_mode" },
    { quirks: ["no_json_schema", "no_forced_tool", "no_json_mode"], rung: "prompt" },
  ])("with $quirks asks for an object by $rung, without tools", ({ quirks, rung }) => {
    expect(request({ form }, ...quirks)).toMatchObject({ rung, tools: [] });
  });

  it("binds the same list of tools again, so that it is translated once", () => {
    const [first, second] = [
      request({ form }, "no_json_schema"),
      request({ form }, "no_json_schema"),
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
    const quirks = new Set<Quirk>();
    const wire = wireRequest({ protocol: "auto", tools }, history, quirks);
    quirks.add("json_calls");
    expect([...wire.quirks]).toEqual([]);
  });
});
