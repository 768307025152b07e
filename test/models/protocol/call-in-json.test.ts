import { describe, expect, it } from "vitest";

import {
  callsInJson,
  isToolSchema,
  plainName,
  readCall,
} from "../../../src/models/protocol/json-calls.js";
import { formOf, forms } from "../../support/tool-forms.js";

const input = { query: "x" };
const whole = { name: "search", input, isWhole: true, thought: "", beside: [] };

const read = (value: unknown) => callsInJson(value, forms);

describe("callsInJson", () => {
  it.each([
    { name: "an action with its input", value: { action: "search", action_input: input } },
    { name: "a name with arguments", value: { name: "search", arguments: input } },
    { name: "a name with parameters", value: { name: "search", parameters: input } },
    { name: "a tool with args", value: { tool: "search", args: input } },
    { name: "a tool's name with its input", value: { tool_name: "search", tool_input: input } },
    { name: "an action in camel case", value: { action: "search", actionInput: input } },
    { name: "a function by its name", value: { function: "search", input } },
    {
      name: "a function in an object",
      value: { type: "function", function: { name: "search", arguments: input } },
    },
    { name: "a list", value: [{ name: "search", arguments: input }] },
    {
      name: "a list of tool_calls",
      value: { tool_calls: [{ function: { name: "search", arguments: input } }] },
    },
    {
      name: "tool_uses",
      value: { tool_uses: [{ recipient_name: "functions.search", parameters: input }] },
    },
    { name: "function_name", value: { function_name: "search", arguments: input } },
    { name: "tool_args", value: { tool_name: "search", tool_args: input } },
    { name: "one of Tools", value: { Tools: { name: "search", parameters: input } } },
    { name: "a list of Tools", value: { Tools: [{ name: "search", parameters: input }] } },
    { name: "a name with a namespace", value: { name: "functions.search", arguments: input } },
  ])("reads $name", ({ value }) => {
    expect(callsInJson(value)).toEqual([whole]);
  });

  it.each([
    { name: "a text", value: "search" },
    { name: "nothing", value: null },
    { name: "an object of something else", value: { query: "x" } },
    { name: "a name that is none", value: { name: 7, arguments: input } },
    { name: "an empty list", value: [] },
    { name: "a tool's definition", value: { name: "search", parameters: forms[0]?.parameters } },
  ])("finds no call in $name", ({ value }) => {
    expect(callsInJson(value)).toEqual([]);
  });

  it.each([
    { name: "an action", value: { thought: "Hm.", action: "search", query: "x" }, reads: true },
    { name: "a name", value: { name: "search", query: "x" }, reads: true },
    { name: "one that was not closed", value: { action: "search", query: "x" }, missing: 1 },
    { name: "other things, too", value: { action: "search", query: "x", version: "1" } },
    { name: "those of no tool", value: { action: "gone", query: "x" } },
  ])(
    "reads arguments beside the name, and no others: $name",
    ({ value, missing, reads = false }) => {
      const [call] = callsInJson(value, forms, missing);
      expect([call?.isWhole, call?.input]).toEqual(reads ? [true, input] : [false, undefined]);
    },
  );

  it("reads a tool's name as the key of its arguments, and of nothing else", () => {
    const { beside: _none, ...call } = whole;
    expect(read({ search: input })).toEqual([call]);
    expect(read({ thought: "Hm.", search: input })).toEqual([{ ...call, thought: "Hm." }]);
    expect(read({ search: input, found: 3 })).toEqual([]);
    expect(read({ search: { results: [] } })).toEqual([]);
    expect(read({ search: "x" })).toEqual([]);
    expect(read({ gone: input })).toEqual([]);
  });

  it.each([
    { name: "the call's", value: { name: "search", arguments: input }, missing: 1, inInput: 0 },
    { name: "the arguments'", value: { name: "search", arguments: input }, missing: 2, inInput: 1 },
    {
      name: "the list's",
      value: { tool_calls: [{ name: "search", arguments: input }] },
      missing: 4,
      inInput: 1,
    },
    { name: "not theirs", value: { arguments: input, name: "search" }, missing: 2, inInput: 0 },
  ])("counts the brackets that arguments lack: $name", ({ value, missing, inInput }) => {
    expect(callsInJson(value, [], missing)).toMatchObject([{ missing: inInput }]);
  });

  it("reads every call of a list, and the thought of each", () => {
    const value = [{ thought: "First.", action: "search", action_input: input }, { action: "now" }];
    expect(callsInJson(value)).toEqual([
      { ...whole, thought: "First." },
      { name: "now", input: undefined, isWhole: true, thought: "", beside: [] },
    ]);
  });

  it.each([
    { name: "a name alone", value: { name: "now" }, isWhole: true },
    { name: "a name with an id", value: { id: "1", type: "function", name: "now" }, isWhole: true },
    {
      name: "a name with null for arguments",
      value: { name: "now", arguments: null },
      isWhole: true,
    },
    { name: "a name beside other things", value: { name: "now", version: "1" }, isWhole: false },
  ])("tells whether $name is nothing but a call", ({ value, isWhole }) => {
    expect(callsInJson(value)).toMatchObject([{ name: "now", isWhole }]);
  });
});

describe("isToolSchema", () => {
  it.each([
    { name: "a schema", value: { type: "object", properties: {} }, is: true },
    { name: "arguments with a type", value: { type: "object" }, is: false },
    { name: "a list", value: [], is: false },
    { name: "nothing", value: undefined, is: false },
  ])("tells of $name: $is", ({ value, is }) => {
    expect(isToolSchema(value)).toBe(is);
  });
});

describe("plainName", () => {
  it.each([
    "search",
    " search\n",
    "functions.search",
    "function.search",
    "`search`",
    '"search"',
    "“search”",
    "search:",
    "search.",
    "**search**",
    "[search]",
    "*[search]:.",
    "search***",
  ])("takes %j for search", (name) => {
    expect(plainName(name)).toBe("search");
  });

  it.each(["find-it", "find_it", "find.it", "a:b", ".find"])("keeps %j", (name) => {
    expect(plainName(name)).toBe(name);
  });

  it.each(["*]:", "``", "]"])("leaves nothing of %j, which is all marks", (name) => {
    expect(plainName(name)).toBe("");
  });
});

describe("readCall", () => {
  it.each([
    { name: "an object", tool: "search", given: input, args: input },
    { name: "a text of JSON", tool: "search", given: '{"query":"x"}', args: input },
    { name: "a text with a slip of form", tool: "search", given: "{'query':'x',}", args: input },
    { name: "a text for the only parameter", tool: "search", given: "x", args: input },
    { name: "a text in a text", tool: "search", given: '"{\\"query\\":\\"x\\"}"', args: input },
    { name: "a text that is a list", tool: "search", given: "[x]", args: { query: "[x]" } },
    { name: "a text that is a number", tool: "search", given: "7", args: { query: "7" } },
    { name: "a number", tool: "search", given: 7, args: { query: 7 } },
    { name: "a list by order", tool: "book", given: ["A3", 6], args: { room: "A3", people: 6 } },
    {
      name: "a list with more than there are parameters",
      tool: "search",
      given: ["a", "b"],
      args: { query: ["a", "b"] },
    },
    {
      name: "a list of names and values",
      tool: "book",
      given: [
        { name: "people", value: 6 },
        { name: "room", value: "A3" },
      ],
      args: { people: 6, room: "A3" },
    },
    {
      name: "a list of which only one looks so",
      tool: "book",
      given: ["A3", { name: "people", value: 6 }],
      args: { room: "A3", people: { name: "people", value: 6 } },
    },
    { name: "nothing", tool: "now", given: undefined, args: {} },
    { name: "null", tool: "now", given: null, args: {} },
    { name: "an empty text", tool: "search", given: "", args: {} },
    { name: "a text for a tool that does not exist", tool: "gone", given: "x", args: {} },
    { name: "an object for one", tool: "gone", given: input, args: input },
  ])("takes $name for arguments", ({ tool, given, args }) => {
    expect(readCall(tool, given, forms)).toEqual({ name: tool, args });
  });

  it("gives a copy, which may be changed", () => {
    const given = { query: "x" };
    readCall("search", given, forms).args["query"] = "y";
    expect(given).toEqual({ query: "x" });
  });

  it("gives a list to the parameter that wants one", () => {
    const numbers = { type: "object", properties: { numbers: { type: "array" } } };
    const sum = { ...formOf("sum"), parameters: numbers };
    expect(readCall("sum", [1, 2, 3], [sum]).args).toEqual({ numbers: [1, 2, 3] });
  });
});
