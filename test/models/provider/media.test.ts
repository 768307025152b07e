import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { mediaKind, unreadableIn, withNotes } from "../../../src/models/provider/media.js";
import { shapeMessages } from "../../../src/models/provider/messages.js";
import type { MissingCapability } from "../../../src/state/capability.js";

const photo = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
const words = { type: "text", text: "What is this?" };
const shown = new HumanMessage({ content: [photo, words] });
const asked = new HumanMessage("And now?");
const said = new AIMessage("A cat.");
const called = new AIMessage({ content: "", tool_calls: [{ id: "1", name: "look", args: {} }] });
const looked = new ToolMessage({ content: [{ type: "audio", data: "aGk=" }], tool_call_id: "1" });

describe("mediaKind", () => {
  it.each([
    { block: words, kind: undefined },
    { block: "text", kind: undefined },
    { block: photo, kind: "image" },
    { block: { type: "image", source_type: "url", url: "https://a.b/c.png" }, kind: "image" },
    { block: { type: "input_audio", input_audio: {} }, kind: "audio" },
    { block: { type: "video_url", video_url: {} }, kind: "video" },
    { block: { type: "file", file: {} }, kind: "file" },
    { block: { type: "file", source_type: "text", text: "plain" }, kind: undefined },
    { block: { type: "media", mimeType: "video/mp4" }, kind: "video" },
    { block: { type: "media", mime_type: "application/pdf" }, kind: "file" },
  ])("calls $block.type $kind", ({ block, kind }) => {
    expect(mediaKind(block)).toBe(kind);
  });
});

describe("what a model cannot read", () => {
  it.each<{
    name: string;
    messages: readonly BaseMessage[];
    missing: MissingCapability[];
    kinds: string[];
  }>([
    {
      name: "an image of the question",
      messages: [shown],
      missing: ["no_images"],
      kinds: ["image"],
    },
    { name: "nothing that it can read", messages: [shown], missing: ["no_audio"], kinds: [] },
    {
      name: "an image with the words in a message of their own",
      messages: [said, new HumanMessage({ content: [photo] }), asked],
      missing: ["no_images"],
      kinds: ["image"],
    },
    {
      name: "nothing of a question that was answered",
      messages: [shown, said, asked],
      missing: ["no_images"],
      kinds: [],
    },
    {
      name: "what a tool returned since",
      messages: [asked, called, looked],
      missing: ["no_audio"],
      kinds: ["audio"],
    },
  ])("is $name", ({ messages, missing, kinds }) => {
    expect(unreadableIn(messages, new Set(missing))).toEqual(kinds);
  });

  it("has a note in its place where it is of an earlier question, and the rest stands", () => {
    const messages = [shown, said, called, looked, asked];
    const missing = new Set<MissingCapability>(["no_images", "no_audio"]);
    const [first, second, third, fourth, fifth] = shapeMessages(messages, missing);
    const note = { type: "text", text: "[an image, which you cannot read]" };
    expect(first?.content).toEqual([note, words]);
    expect([second, third, fifth]).toEqual([said, called, asked]);
    expect(fourth).toMatchObject({ tool_call_id: "1" });
    expect(fourth?.text).toBe("[audio] (This cannot be read here.)");
    expect(shown.content).toEqual([photo, words]);
  });

  it("leaves messages as they are that a model can read", () => {
    const messages = [shown, said];
    expect(withNotes(messages, new Set(["no_video"]))).toBe(messages);
  });
});
