import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { describe, expect, it } from "vitest";

import { knownMissing } from "../../../src/models/provider/capabilities.js";
import { scriptedModel } from "../../../src/testing/index.js";

/** A model that says something else of itself. */
function modelWith(fields: Readonly<Record<string, unknown>>): BaseChatModel {
  const model = scriptedModel([]);
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(model, name, { value, configurable: true });
  }
  return model;
}

describe("knownMissing", () => {
  it.each([
    { name: "says nothing", fields: { profile: {} }, missing: [] },
    { name: "has no profile", fields: { profile: undefined }, missing: [] },
    {
      name: "calls no tools",
      fields: { profile: { toolCalling: false } },
      missing: ["json_calls"],
    },
    {
      name: "cannot be forced",
      fields: { profile: { toolChoice: false } },
      missing: ["no_forced_tool"],
    },
    {
      name: "takes no schemas",
      fields: { profile: { structuredOutput: false } },
      missing: ["no_json_schema"],
    },
    {
      name: "reads text alone",
      fields: {
        profile: { imageInputs: false, audioInputs: false, videoInputs: false, pdfInputs: false },
      },
      missing: ["no_images", "no_audio", "no_video", "no_files"],
    },
    {
      name: "takes all",
      fields: { profile: { toolCalling: true, structuredOutput: true } },
      missing: [],
    },
    {
      name: "cannot bind tools",
      fields: { bindTools: undefined },
      missing: ["json_calls", "no_forced_tool"],
    },
    {
      name: "knows no response_format",
      fields: { _llmType: () => "anthropic" },
      missing: ["no_json_schema", "no_json_mode"],
    },
  ])("of a model that $name are $missing", ({ fields, missing }) => {
    expect([...knownMissing(modelWith(fields))]).toEqual(missing);
  });

  it("are each model's own", () => {
    const model = scriptedModel([]);
    knownMissing(model).add("no_stop");
    expect(knownMissing(model)).toEqual(new Set());
  });
});
