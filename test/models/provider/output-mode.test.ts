import { describe, expect, it } from "vitest";

import { jsonProtocol } from "../../../src/models/provider/json-protocol.js";
import { nativeProtocol } from "../../../src/models/provider/native-protocol.js";
import {
  outputOptions,
  outputTool,
  outputModeFor,
} from "../../../src/models/provider/output-mode.js";
import type { MissingCapability } from "../../../src/state/capability.js";

const closed = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const form = { name: "response", schema: closed };
const none: ReadonlySet<MissingCapability> = new Set();

/** Whether a schema is asked for strictly. */
function isStrict(schema: Readonly<Record<string, unknown>>): boolean {
  const options = outputOptions({ name: "response", schema }, "json_schema", none);
  return JSON.stringify(options).includes('"strict":true');
}

describe("outputModeFor", () => {
  const all: readonly MissingCapability[] = ["no_json_schema", "no_forced_tool", "no_json_mode"];

  it.each<{ missing: readonly MissingCapability[]; mode: string; inJson: string }>([
    { missing: [], mode: "json_schema", inJson: "json_schema" },
    { missing: ["no_json_schema"], mode: "forced_tool", inJson: "json_mode" },
    { missing: ["no_json_schema", "no_forced_tool"], mode: "json_mode", inJson: "json_mode" },
    { missing: ["no_json_schema", "no_json_mode"], mode: "forced_tool", inJson: "prompt" },
    { missing: all, mode: "prompt", inJson: "prompt" },
    {
      missing: ["no_forced_tool", "no_json_mode", "no_strict"],
      mode: "json_schema",
      inJson: "json_schema",
    },
    { missing: ["no_system", "no_stop"], mode: "json_schema", inJson: "json_schema" },
  ])(
    "with $missing asks by $mode, in the JSON protocol by $inJson",
    ({ missing, mode, inJson }) => {
      expect(outputModeFor(new Set(missing), nativeProtocol.modes)).toBe(mode);
      expect(outputModeFor(new Set(missing), jsonProtocol.modes)).toBe(inJson);
    },
  );
});

describe("outputOptions", () => {
  it.each([
    { mode: "forced_tool", options: { tool_choice: "response" } },
    { mode: "json_mode", options: { response_format: { type: "json_object" } } },
    { mode: "prompt", options: {} },
  ] as const)("asks by $mode with nothing else", ({ mode, options }) => {
    expect(outputOptions(form, mode, none)).toEqual(options);
  });

  it("asks by json_schema with the schema and its name", () => {
    const response_format = { type: "json_schema", json_schema: { ...form, strict: true } };
    expect(outputOptions(form, "json_schema", none)).toEqual({ response_format });
  });

  it("leaves strict away where it was refused", () => {
    const response_format = { type: "json_schema", json_schema: form };
    const options = outputOptions(form, "json_schema", new Set(["no_strict"]));
    expect(options).toEqual({ response_format });
  });

  it.each([
    { name: "a closed object", schema: closed, strict: true },
    { name: "closed branches", schema: { anyOf: [closed, closed] }, strict: true },
    { name: "a closed object in a list", schema: { type: "array", items: closed }, strict: true },
    {
      name: "a field named type",
      schema: {
        ...closed,
        properties: { city: { type: "string" }, type: {} },
        required: ["city", "type"],
      },
      strict: true,
    },
    { name: "an open object", schema: { type: "object" }, strict: false },
    { name: "a field that may be missing", schema: { ...closed, required: [] }, strict: false },
    {
      name: "an open object in a field",
      schema: { ...closed, properties: { city: { type: "object" } } },
      strict: false,
    },
    { name: "an open branch", schema: { anyOf: [closed, { type: "object" }] }, strict: false },
  ])("of $name is strict: $strict", ({ schema, strict }) => {
    expect(isStrict(schema)).toBe(strict);
  });
});

it("makes of a form a tool of its name with its schema", () => {
  const named = { name: "response", description: expect.any(String), parameters: closed };
  expect(outputTool(form)).toEqual({ type: "function", function: named });
});
