import { describe, expect, it } from "vitest";

import { taggedCalls } from "../../../src/models/protocol/tagged-calls.js";
import { forms, longTexts } from "../../support/tool-forms.js";

const search = { name: "search", args: { query: "x" } };
const book = { name: "book", args: { room: "A3", people: 6 } };

describe("taggedCalls", () => {
  it.each([
    { name: "a function tag", text: '<function=search>{"query":"x"}</function>', calls: [search] },
    { name: "the mark of a list", text: '[TOOL_CALLS]search{"query":"x"}', calls: [search] },
    {
      name: "the same with a mark of arguments",
      text: '[TOOL_CALLS]search[ARGS]{"query":"x"}',
      calls: [search],
    },
    {
      name: "a channel",
      text: '<|channel|>commentary to=functions.search <|message|>{"query":"x"}',
      calls: [search],
    },
    {
      name: "a separator",
      text: 'function<｜tool▁sep｜>search\n```json\n{"query":"x"}\n```',
      calls: [search],
    },
    { name: "a name before brackets", text: 'search({"query":"x"})', calls: [search] },
    { name: "its namespace", text: 'functions.search({"query":"x"})', calls: [search] },
    {
      name: "such a call behind words",
      text: 'I look it up: search({"query":"x"})',
      calls: [search],
    },
    {
      name: "such a call on a line of its own",
      text: 'I will.\nsearch({"query":"x"})\nThen I go on.',
      calls: [search],
    },
    {
      name: "parameter tags",
      text: "<function=search>\n<parameter=query>\nx\n</parameter>\n</function>",
      calls: [search],
    },
    {
      name: "several",
      text: '<function=search>{"query":"x"}</function><function=now>{}</function>',
      calls: [search, { name: "now", args: {} }],
    },
    { name: "Python's form", text: 'search(query="x")', calls: [search] },
    {
      name: "a list in Python's form",
      text: '[search(query="x"), book(room="A3", people=6,)]',
      calls: [search, book],
    },
    {
      name: "Python's form in a fence",
      text: '```tool_code\nbook(room="A3", people=6)\n```',
      calls: [book],
    },
    { name: "Python's form without arguments", text: "now()", calls: [{ name: "now", args: {} }] },
    {
      name: "Python's form with a namespace",
      text: "functions.now()",
      calls: [{ name: "now", args: {} }],
    },
  ])("reads $name", ({ text, calls }) => {
    expect(taggedCalls(text, forms)).toEqual(calls);
  });

  it.each([
    { name: "prose", text: "It is 4." },
    { name: "a tool that does not exist", text: '<function=gone>{"query":"x"}</function>' },
    {
      name: "a call that is talked about",
      text: 'You could call remove({"path":"/"}) to delete all.',
    },
    { name: "the same with a comma", text: 'I never use remove({"path":"/"}), as it deletes all.' },
    { name: "Python's form in a sentence", text: 'I used search(query="x") for it.' },
    { name: "arguments that nobody wrote", text: "search(query)" },
    { name: "a list before brackets", text: "search([1])" },
    { name: "part of another name", text: 'research({"query":"x"})' },
  ])("finds nothing in $name", ({ text }) => {
    expect(taggedCalls(text, forms)).toEqual([]);
  });

  it.each(longTexts)("is quick about $name", ({ text }) => {
    expect(taggedCalls(text, forms)).toEqual([]);
  });
});
