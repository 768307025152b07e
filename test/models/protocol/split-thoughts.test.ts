import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { splitThoughts } from "../../../src/models/protocol/text.js";

describe("splitThoughts", () => {
  it.each([
    {
      name: "a block before the answer",
      text: "<think>\nHm.\n</think>\n\nIt is 4.",
      thoughts: "Hm.",
      rest: "It is 4.",
    },
    {
      name: "a block on the answer's line",
      text: "<think>Hm.</think>It is 4.",
      thoughts: "Hm.",
      rest: "It is 4.",
    },
    {
      name: "an empty block",
      text: "<think>\n\n</think>\n\nIt is 4.",
      thoughts: "",
      rest: "It is 4.",
    },
    {
      name: "a block behind the answer",
      text: "It is 4.\n<think>Sure?</think>",
      thoughts: "Sure?",
      rest: "It is 4.",
    },
    {
      name: "several blocks",
      text: "<think>a</think>\nx\n<thinking>b</thinking>\ny",
      thoughts: "a\nb",
      rest: "x\n\ny",
    },
    { name: "a block of reasoning", text: "<reasoning>a</reasoning>x", thoughts: "a", rest: "x" },
    { name: "tags in capitals", text: "<THINK>a</THINK>x", thoughts: "a", rest: "x" },
    {
      name: "a block of several lines",
      text: "<think>a\n\nb</think>x",
      thoughts: "a\n\nb",
      rest: "x",
    },
    {
      name: "a block that never ends",
      text: "<think>\nHm. Or\nmaybe",
      thoughts: "Hm. Or\nmaybe",
      rest: "",
    },
    { name: "a block behind blanks", text: "\n  <think>a</think>x", thoughts: "a", rest: "x" },
    {
      name: "a block whose beginning is missing",
      text: "Hm.\n</think>\n\nIt is 4.",
      thoughts: "Hm.",
      rest: "It is 4.",
    },
    { name: "the same before JSON", text: 'Hm.</think>{"a":1}', thoughts: "Hm.", rest: '{"a":1}' },
    { name: "the same before a word", text: "Hm.</think>Four.", thoughts: "Hm.", rest: "Four." },
    { name: "the same with nothing behind it", text: "Hm.\n</think>", thoughts: "Hm.", rest: "" },
    {
      name: "a mention in the thoughts",
      text: "<think>About <think> tags.</think>x",
      thoughts: "About <think> tags.",
      rest: "x",
    },
  ])("parts $name", ({ text, thoughts, rest }) => {
    expect(splitThoughts(text)).toEqual({ thoughts, rest });
  });

  it.each([
    { name: "no tags", text: " It is 4.\n" },
    { name: "a closing tag in a sentence", text: "The tag </think> ends it." },
    { name: "an opening tag in a sentence", text: "DeepSeek writes <think> before it answers." },
    { name: "both tags in a sentence", text: "It thinks between <think> and </think> tags." },
    { name: "a closing tag in quotes", text: "The thoughts end with `</think>`." },
    {
      name: "a tag in an action",
      text: '{"action":"final_answer","action_input":"It writes <think> first."}',
    },
    { name: "another tag", text: "<thinker>a</thinker>" },
  ])("leaves a text alone that has $name", ({ text }) => {
    expect(splitThoughts(text)).toEqual({ thoughts: "", rest: text });
  });

  it("finds any thoughts before any answer", () => {
    const words = fc.string({ unit: fc.constantFrom(...Array.from("ab {}\n.\"'")) });
    fc.assert(
      fc.property(words, words, (thoughts, rest) => {
        const parted = { thoughts: thoughts.trim(), rest: rest.trim() };
        expect(splitThoughts(`<think>${thoughts}</think>\n${rest}`)).toEqual(parted);
      }),
    );
  });

  it.each(["<think>", "</think>", "<think", "<think>\n", "\n"])(
    "is quick about %j again and again",
    (part) => {
      const { rest } = splitThoughts(`${part.repeat(100_000)}x`);
      expect(rest.length).toBeLessThanOrEqual(part.length * 100_000 + 1);
    },
  );
});
