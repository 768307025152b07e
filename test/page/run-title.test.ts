import { describe, expect, it } from "vitest";

import { beginningOf, titleOf } from "../../src/page/model/run-title.js";

describe("the title of a run", () => {
  it.each([
    { name: "is its question", run: { question: "Where?" }, title: "Where?" },
    {
      name: "is what was written below a file",
      run: { question: "a.txt:\nHi\nWhat?", words: "What?" },
      title: "What?",
    },
    {
      name: "is the name of a file alone",
      run: { question: "note.txt:\nHello\n" },
      title: "note.txt",
    },
    {
      name: "is the name of the last of several files alone",
      run: { question: "…", words: "b.md:\nHello\n" },
      title: "b.md",
    },
    { name: "is not known without content", run: {}, title: undefined },
  ])("$name", ({ run, title }) => {
    expect(titleOf(run)).toBe(title);
  });
});

describe("the beginning of a text", () => {
  it.each([
    { name: "a short one, as it is", text: " a  b\nc ", most: 10, beginning: "a b c" },
    { name: "up to a word's end", text: "one two three four", most: 12, beginning: "one two…" },
    {
      name: "in a word without an end",
      text: "x".repeat(30),
      most: 10,
      beginning: `${"x".repeat(9)}…`,
    },
  ])("is $name", ({ text, most, beginning }) => {
    expect(beginningOf(text, most)).toBe(beginning);
  });
});
