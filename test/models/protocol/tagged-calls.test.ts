import { describe, expect, it } from "vitest";

import { isBehindCall, taggedCalls } from "../../../src/models/protocol/tagged-calls.js";
import { forms, longTexts } from "../../support/tool-forms.js";

const search = { name: "search", input: { query: "x" } };
const book = { name: "book", input: { room: "A3", people: 6 } };

const read = (text: string, isCut = false) => taggedCalls(text, forms, isCut);

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
      name: "a channel, with blanks before the JSON",
      text: '<|channel|>commentary to=functions.search <|message|> \n {"query":"x"}',
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
      calls: [search, { name: "now", input: {} }],
    },
    {
      name: "invoke tags",
      text: '<function_calls>\n<invoke name="search">\n<parameter name="query">x</parameter>\n</invoke>\n</function_calls>',
      calls: [search],
    },
    {
      name: "an invoke tag around JSON",
      text: '<invoke name="search">{"query":"x"}</invoke>',
      calls: [search],
    },
    {
      name: "tags for keys and values",
      text: "<tool_call>book\n<arg_key>room</arg_key>\n<arg_value>A3</arg_value>\n<arg_key>people</arg_key><arg_value>6</arg_value>\n</tool_call>",
      calls: [{ name: "book", input: { room: "A3", people: "6" } }],
    },
    {
      name: "a name before JSON in a tag",
      text: '<tool_call>search\n{"query":"x"}</tool_call>',
      calls: [search],
    },
    {
      name: "values without names",
      text: 'book("A3", 6)',
      calls: [{ name: "book", input: ["A3", 6] }],
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
    {
      name: "Python's form in tags, with tags in a text",
      text: '<tool_call>search(query="<b>x</b>")</tool_call>',
      calls: [{ name: "search", input: { query: "<b>x</b>" } }],
    },
    {
      name: "Python's form with blanks around its signs",
      text: 'book(room =  "A3" , people = 6 )',
      calls: [],
    },
    {
      name: "Python's form with blanks before its values",
      text: 'book(room =  "A3",\n  people = 6 )',
      calls: [book],
    },
    {
      name: "Python's form with a blank value",
      text: "search(query= )",
      calls: [{ name: "search", input: { query: "" } }],
    },
    { name: "Python's form without arguments", text: "now()", calls: [{ name: "now", input: {} }] },
    {
      name: "Python's form with a namespace",
      text: "functions.now()",
      calls: [{ name: "now", input: {} }],
    },
  ])("reads $name", ({ text, calls }) => {
    expect(read(text)).toMatchObject(calls);
  });

  it.each([
    { name: "prose", text: "It is 4." },
    {
      name: "tags of which one is open",
      text: "<function=book><parameter=room>A3</parameter><parameter=people>6",
    },
    { name: "JSON that goes on behind its end", text: 'book({"room":"A3"}}, "people":6})' },
    { name: "a tool that does not exist", text: '<function=gone>{"query":"x"}</function>' },
    { name: "Python's form in a sentence", text: 'I used search(query="x") for it.' },
    { name: "arguments that nobody wrote", text: "search(query)" },
    { name: "a list before brackets", text: "search([1])" },
    { name: "part of another name", text: 'research({"query":"x"})' },
  ])("finds nothing in $name", ({ text }) => {
    expect(read(text)).toEqual([]);
  });

  it.each([
    { name: "an open tag", text: "<function=search><parameter=query>x</parameter>" },
    { name: "an open bracket", text: '<function=search>{"query":"x"' },
  ])("tells of $name, which nobody knows the end of in a reply that was cut", ({ text }) => {
    expect(read(text)).toMatchObject([{ ...search, missing: 1 }]);
    expect(read(text, true)).toEqual([]);
  });

  it.each([
    { name: "a function tag", text: "<function=search><parameter=query>a\n", is: true },
    { name: "an invoke tag", text: '<invoke name="search">', is: true },
    { name: "a bracket with a text", text: 'search(query="a\n', is: true },
    { name: "prose", text: "I search (or not).\n", is: false },
  ])("tells whether what stands behind $name may be a part of it: $is", ({ text, is }) => {
    expect(isBehindCall(`${text}Action: now`, text.length)).toBe(is);
  });

  it.each(longTexts)("is quick about $name", ({ text }) => {
    expect(read(text)).toEqual([]);
  });
});
