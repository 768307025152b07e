import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { describe, expect, it } from "vitest";

import { knownQuirks } from "../../../src/models/provider/capabilities.js";
import { scriptedModel } from "../../../src/testing/index.js";

/** A model that says something else of itself. */
function modelWith(fields: Readonly<Record<string, unknown>>): BaseChatModel {
  const model = scriptedModel([]);
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(model, name, { value, configurable: true });
  }
  return model;
}

describe("knownQuirks", () => {
  it.each([
    { name: "says nothing", fields: { profile: {} }, quirks: [] },
    { name: "has no profile", fields: { profile: undefined }, quirks: [] },
    { name: "calls no tools", fields: { profile: { toolCalling: false } }, quirks: ["json_calls"] },
    {
      name: "cannot be forced",
      fields: { profile: { toolChoice: false } },
      quirks: ["no_forced_tool"],
    },
    {
      name: "takes no schemas",
      fields: { profile: { structuredOutput: false } },
      quirks: ["no_json_schema"],
    },
    {
      name: "reads text alone",
      fields: {
        profile: { imageInputs: false, audioInputs: false, videoInputs: false, pdfInputs: false },
      },
      quirks: ["no_images", "no_audio", "no_video", "no_files"],
    },
    {
      name: "takes all",
      fields: { profile: { toolCalling: true, structuredOutput: true } },
      quirks: [],
    },
    {
      name: "cannot bind tools",
      fields: { bindTools: undefined },
      quirks: ["json_calls", "no_forced_tool"],
    },
    {
      name: "knows no response_format",
      fields: { _llmType: () => "anthropic" },
      quirks: ["no_json_schema", "no_json_mode"],
    },
  ])("of a model that $name are $quirks", ({ fields, quirks }) => {
    expect([...knownQuirks(modelWith(fields))]).toEqual(quirks);
  });

  it("are each model's own", () => {
    const model = scriptedModel([]);
    knownQuirks(model).add("no_stop");
    expect(knownQuirks(model)).toEqual(new Set());
  });
});
