import { describe, expect, it } from "vitest";

import { skipThoughts } from "../../../src/models/protocol/skip-thoughts.js";

describe("skipping the thoughts of a reply that streams in", () => {
  it.each([
    { name: "text alone", text: "1. search(a)", rest: "1. search(a)" },
    { name: "JSON", text: '{"steps":[]}', rest: '{"steps":[]}' },
    {
      name: "a block before the text",
      text: "<think>1. no()</think>\n1. yes()",
      rest: "\n1. yes()",
    },
    { name: "another tag", text: " <Reasoning>no</Reasoning>yes", rest: "yes" },
    { name: "a block that never ends", text: "<think>1. no()", rest: "" },
    { name: "a tag that is none", text: "<thing>yes", rest: "<thing>yes" },
    { name: "a block behind text", text: "yes <think>too</think>", rest: "yes <think>too</think>" },
    { name: "blanks", text: "\n\nyes", rest: "\n\nyes" },
  ])("gives $name what is left of it, in any pieces", ({ text, rest }) => {
    for (const size of [1, 2, 3, 7, text.length]) {
      const skip = skipThoughts();
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      expect(pieces.map(skip).join("")).toBe(rest);
    }
  });
});
