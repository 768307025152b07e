import { describe, expect, it } from "vitest";

import { readClassicLines } from "../../../src/models/protocol/react-lines.js";
import { longTexts } from "../../support/tool-forms.js";

describe("readClassicLines", () => {
  it.each([
    { name: "Action and Action Input", text: "Action: search\nAction Input: x", input: "x" },
    { name: "bold labels", text: "**Action:** search\n**Action Input:** x", input: "x" },
    {
      name: "bold labels before the colon",
      text: "**Action**: search\n**Action Input**: x",
      input: "x",
    },
    { name: "numbered labels", text: "Action 1: search\nAction Input 1: x", input: "x" },
    { name: "labels in small letters", text: "action: search\naction input: x", input: "x" },
    { name: "quoted and listed lines", text: "> Action: search\n- Action Input: x", input: "x" },
    { name: "Chinese labels", text: "行动：search\n行动输入：x", input: "x" },
    { name: "a name in marks", text: "Action: `search`\nAction Input: x", input: "x" },
    { name: "an input in brackets", text: "Action: search[x]", input: "x" },
    { name: "an input in parentheses", text: "Action: search(x).", input: "x" },
    { name: "an input without its line", text: "Action: search", input: "" },
    {
      name: "words behind the name's line",
      text: "Action: search\nI do it now.\nAction Input: x",
      input: "x",
    },
    {
      name: "an invented observation",
      text: "Action: search\nAction Input: x\nObservation: y",
      input: "x",
    },
    {
      name: "talk behind a blank line",
      text: "Action: search\nAction Input: x\n\nI wait.",
      input: "x",
    },
    { name: "an input over lines", text: "Action: search\nAction Input: x\ny", input: "x\ny" },
    { name: "JSON", text: 'Action: search\nAction Input: {"query":"x"}', input: { query: "x" } },
    {
      name: "JSON with talk behind it",
      text: 'Action: search\nAction Input: {"a":1} I wait.',
      input: { a: 1 },
    },
    {
      name: "JSON with a blank line in it",
      text: 'Action: search\nAction Input: {"a":1,\n\n"b":2}',
      input: { a: 1, b: 2 },
    },
    {
      name: "JSON in a fence",
      text: 'Action: search\nAction Input:\n```json\n{"a":1}\n```',
      input: { a: 1 },
    },
    {
      name: "a blank line in a fence",
      text: "Action: search\nAction Input:\n```text\nx\n\ny\n```\n\nI wait.",
      input: "x\n\ny",
    },
    { name: "a name in a fence", text: "Action:\n```\nsearch\n```\nAction Input: x", input: "x" },
    { name: "a list", text: "Action: search\nAction Input: [1, 2]", input: [1, 2] },
    {
      name: "a list in a sum",
      text: "Action: search\nAction Input: sum([1, 2])",
      input: "sum([1, 2])",
    },
    {
      name: "a list that is summed up",
      text: "Action: search\nAction Input: [1, 2] + [3]",
      input: "[1, 2] + [3]",
    },
    {
      name: "an object in a sentence",
      text: 'Action: search\nAction Input: what is {"a":1}',
      input: 'what is {"a":1}',
    },
    { name: "half an object", text: 'Action: search\nAction Input: {"a":"x', input: '{"a":"x' },
  ])("reads a call with $name", ({ text, input }) => {
    expect(readClassicLines(text)).toMatchObject({
      kind: "call",
      at: 0,
      thought: "",
      name: "search",
      input,
    });
  });

  it.each([
    { name: "Final Answer", text: "Final Answer: It is 4.", answer: "It is 4." },
    { name: "Answer", text: "Answer: It is 4.", answer: "It is 4." },
    { name: "a Chinese label", text: "最终答案：好", answer: "好" },
    { name: "several lines", text: "Final Answer: a\nb\n\nc", answer: "a\nb\n\nc" },
    { name: "a letter of its own label", text: "Final Answer: A", answer: "A" },
    { name: "a word in its own label", text: "Answer: we", answer: "we" },
    { name: "nothing", text: "Final Answer:", answer: "" },
    { name: "labels within it", text: "Final Answer: a\nThought: b", answer: "a\nThought: b" },
    {
      name: "an action before it that is none",
      text: "Action: None\nFinal Answer: x",
      answer: "x",
    },
    { name: "the same in Chinese", text: "行动: 无\n最终答案: 好", answer: "好" },
    { name: "an action of its name", text: "Action: Final Answer\nAction Input: x", answer: "x" },
    { name: "the paper's Finish", text: "Action: Finish[42]", answer: "42" },
    {
      name: "an action that is none and no more",
      text: "Action: None (no tool needed)",
      answer: "",
    },
  ])("reads an answer with $name", ({ text, answer }) => {
    expect(readClassicLines(text)).toEqual({ kind: "answer", at: 0, thought: "", text: answer });
  });

  it.each(["finish-task", "answer_mail", "none-such", "finisher", "无线"])(
    "does not take the tool %s for an end",
    (name) => {
      const lines = readClassicLines(`Action: ${name}\nAction Input: x`);
      expect(lines).toMatchObject({ kind: "call", name });
    },
  );

  it("gives the thoughts before the action, and where it begins", () => {
    const before = "Thought: a\nQuestion: b\nThought: c\n";
    const text = `${before}Action: search\nAction Input: x\nThought: d`;
    expect(readClassicLines(text)).toMatchObject({ at: before.length, thought: "a\nc" });
  });

  it("reads the first of several actions, and no answer behind it", () => {
    const text = "Action: a\nAction Input: 1\nAction: b\nAction Input: 2\nFinal Answer: 3";
    expect(readClassicLines(text)).toMatchObject({ kind: "call", name: "a", input: "1" });
  });

  it.each([
    { name: "nothing", text: "" },
    { name: "prose", text: "The action: searching. My answer is 4." },
    { name: "a thought alone", text: "Thought: I need the height." },
    { name: "a label without a colon", text: "Action\nsearch" },
  ])("finds nothing in $name", ({ text }) => {
    expect(readClassicLines(text)).toBe(undefined);
  });

  it.each(longTexts)("is quick about $name", ({ text }) => {
    expect(readClassicLines(text)?.kind).not.toBe("answer");
  });
});
