import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { bareInput, positional } from "../../../src/models/protocol/json-calls.js";
import { formOf, longTexts } from "../../support/tool-forms.js";

const none = formOf("now").parameters;
const one = formOf("search", "query").parameters;
const two = formOf("book", "room", "people").parameters;
const list = { type: "object", properties: { numbers: { type: "array" } } };
const textAndList = { type: "object", properties: { to: {}, lines: { type: "array" } } };

describe("bareInput", () => {
  it.each([
    { name: "a text", text: "Mount Kenya", args: { query: "Mount Kenya" } },
    { name: "a text with commas", text: "red, green, blue", args: { query: "red, green, blue" } },
    { name: "a text in quotation marks", text: ' "Mount Kenya" ', args: { query: "Mount Kenya" } },
    { name: "a text in curly ones", text: "“Mount Kenya”", args: { query: "Mount Kenya" } },
    { name: "a text in back-ticks", text: "`Mount Kenya`", args: { query: "Mount Kenya" } },
    { name: "two texts in quotation marks", text: '"a" OR "b"', args: { query: '"a" OR "b"' } },
    { name: "an open quotation mark", text: '\'tis "so"', args: { query: '\'tis "so"' } },
    { name: "an assignment", text: "query=Mount Kenya", args: { query: "Mount Kenya" } },
    { name: "a name with a colon", text: 'query: "a"', args: { query: "a" } },
    { name: "a name in quotes", text: '"query": "a"', args: { query: "a" } },
    {
      name: "a text that begins like the name",
      text: "query planning",
      args: { query: "query planning" },
    },
    { name: "another name", text: "colour: red", args: { query: "colour: red" } },
    { name: "nothing", text: "", args: { query: "" } },
  ])("takes $name for the only parameter", ({ text, args }) => {
    expect(bareInput(text, one)).toEqual(args);
  });

  it.each([
    { name: "by their order", text: "A3, 6", args: { room: "A3", people: "6" } },
    { name: "by their names", text: "people=6, room=A3", args: { room: "A3", people: "6" } },
    {
      name: "by names with colons",
      text: "people: 6, room：A3",
      args: { room: "A3", people: "6" },
    },
    { name: "by names with blanks", text: "people 6, room A3", args: { room: "A3", people: "6" } },
    { name: "between Chinese commas", text: "A3，6", args: { room: "A3", people: "6" } },
    { name: "on lines", text: "room: A3\npeople: 6", args: { room: "A3", people: "6" } },
    { name: "by name and order", text: "people=6, A3", args: { room: "A3", people: "6" } },
    {
      name: "with commas in quotes",
      text: '"A3, left", 6',
      args: { room: "A3, left", people: "6" },
    },
    { name: "the last with all the rest", text: "A3, 6, 7", args: { room: "A3", people: "6, 7" } },
    { name: "as far as there are any", text: "A3", args: { room: "A3" } },
    { name: "without names that nothing stands for", text: "room, people", args: {} },
    { name: "with a value behind such a name", text: "room, people, 6", args: { people: "6" } },
    { name: "of nothing", text: " , ", args: {} },
  ])("takes pieces $name", ({ text, args }) => {
    expect(bareInput(text, two)).toEqual(args);
  });

  it.each([
    { name: "no parameters", parameters: none },
    { name: "no schema", parameters: undefined },
    { name: "a schema without properties", parameters: { type: "object" } },
  ])("gives nothing to a tool with $name", ({ parameters }) => {
    expect(bareInput("x", parameters)).toEqual({});
  });

  it("never throws, and gives texts to parameters that exist", () => {
    const unit = fc.constantFrom(...Array.from("ab'\"`“”,;:=\n room people"));
    fc.assert(
      fc.property(fc.string({ unit }), fc.constantFrom(none, one, two), (text, parameters) => {
        for (const [name, value] of Object.entries(bareInput(text, parameters))) {
          expect(["query", "room", "people"]).toContain(name);
          expect(value).toBeTypeOf("string");
        }
      }),
    );
  });

  it.each(longTexts)("is quick about $name", ({ text }) => {
    expect(bareInput(text, two)).toHaveProperty("room");
    expect(bareInput(text, one)).toHaveProperty("query");
  });
});

describe("positional", () => {
  it.each([
    { name: "by their order", values: ["A3", 6], parameters: two, args: { room: "A3", people: 6 } },
    { name: "as far as there are any", values: ["A3"], parameters: two, args: { room: "A3" } },
    { name: "of none", values: [], parameters: two, args: {} },
    { name: "for no parameters", values: [1], parameters: none, args: {} },
    { name: "one for one", values: ["a"], parameters: one, args: { query: "a" } },
    {
      name: "all that are too many",
      values: ["a", "b"],
      parameters: one,
      args: { query: ["a", "b"] },
    },
    {
      name: "the last with the rest",
      values: [1, 2, 3],
      parameters: two,
      args: { room: 1, people: [2, 3] },
    },
    {
      name: "as the list that is wanted",
      values: [1, 2],
      parameters: list,
      args: { numbers: [1, 2] },
    },
    { name: "as a list of one", values: [1], parameters: list, args: { numbers: [1] } },
    {
      name: "before a list",
      values: ["x", 1, 2],
      parameters: textAndList,
      args: { to: "x", lines: [1, 2] },
    },
  ])("takes values $name", ({ values, parameters, args }) => {
    expect(positional(values, parameters)).toEqual(args);
  });
});
