import { expect, it } from "vitest";

import { valueChoices } from "../../../src/runtime/plan/repair-arguments.js";
import { observation } from "../../support/observations.js";

const parameters = {
  type: "object",
  properties: {
    expression: { type: "string" },
    room: { type: "object" },
    minutes: { type: "integer" },
    figures: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, figure: { type: "number" } },
      },
    },
  },
};
const evidence = [
  { callId: "E1", args: { query: "it" }, content: "It is 61 m high.", purpose: "height of it" },
  { callId: "E2", args: {}, content: "2400 hectares, 540 of them orchards" },
  { callId: "E3", args: { query: "Lake 7" }, content: 'Nothing found for "Lake 7".' },
  { callId: "E4", args: { expression: "3 * 1" }, content: "3", value: 3 },
  { callId: "E5", args: {}, content: "It has 40 rooms.", purpose: "the height of it" },
  { callId: "E6", args: {}, content: "540 orchards and 30 farms", purpose: "its orchards" },
  {
    callId: "E7",
    args: { year: 2025 },
    content: '{"year":2025,"people":7300}',
    value: { year: 2025, people: 7300 },
  },
  {
    callId: "E8",
    args: { year: 2025 },
    content: '{"year":2025,"people":7300,"homes":1800,"parks":[12]}',
    value: { year: 2025, people: 7300, homes: 1800, parks: [12] },
  },
].map(({ purpose = "", ...seen }) => ({ ...observation(seen), purpose }));

it.each([
  {
    name: "no figure for a search without a purpose",
    expression: "{{E9}} + {{E7}}",
    meant: [undefined, undefined],
  },
  { name: "the figure beside its words", expression: "{{E1}} * 2", meant: [61] },
  {
    name: "no figure where words do not say which",
    expression: "{{E1}} / {{E2}}",
    meant: [61, undefined],
  },
  { name: "no figure that was asked with", expression: "{{E3}} + {{E1}}", meant: [undefined, 61] },
  { name: "the value of a result that is one", expression: "{{E4}} + {{E1}}", meant: [3, 61] },
  { name: "no figure of a step that is not there", expression: "{{E9}} + 1", meant: [undefined] },
  { name: "no figure of something else", expression: "{{E5}} + 1", meant: [undefined] },
  { name: "the figure that the step was for", expression: "{{E6}} + 1", meant: [540] },
  {
    name: "the field that a path names nearly",
    expression: "{{E7.population}} + 1",
    meant: [7300],
  },
  { name: "no field with another name", expression: "{{E7.homes}} + 1", meant: [undefined] },
])("takes for a calculation $name", ({ expression, meant }) => {
  const choices = valueChoices({ expression }, evidence, parameters);
  expect(choices.map((choice) => choice.meant)).toEqual(meant);
});

it.each([
  { name: "an argument that is a number", args: { minutes: "{{E1}}" } },
  { name: "a number in a list of objects", args: { figures: [{ name: "It", figure: "{{E1}}" }] } },
])("takes the figure that is meant for $name", ({ args }) => {
  expect(valueChoices(args, evidence, parameters)).toMatchObject([{ name: "E1", meant: 61 }]);
});

it("takes no figure for a text", () => {
  const [choice] = valueChoices({ expression: "{{E1}}" }, evidence, parameters);
  expect(choice).not.toHaveProperty("meant");
});

it.each([
  {
    name: "one of the figures, or none",
    args: { expression: "{{E2}} / 2" },
    schema: { type: ["number", "null"], enum: [2400, 540, null] },
  },
  {
    name: "one of the figures of data, without those of the call",
    args: { expression: "{{E8}} / 2" },
    schema: { type: ["number", "null"], enum: [7300, 1800, 12, null] },
  },
  {
    name: "any number where the result has none in figures",
    args: { expression: "{{E3}} / 2" },
    schema: { type: ["number", "null"] },
  },
  {
    name: "what the argument is, where it is all of it",
    args: { room: "{{E2}}" },
    schema: { type: "object" },
  },
  {
    name: "figure or text, inside a text",
    args: { expression: "half of {{E2}}" },
    schema: { anyOf: [{ type: "number" }, { type: "string" }] },
  },
  {
    name: "figure or text, where nothing tells more",
    args: { other: ["{{E2}}"] },
    schema: { anyOf: [{ type: "number" }, { type: "string" }] },
  },
])("lets a model write $name", ({ args, schema }) => {
  const choices = valueChoices(args, evidence, parameters);
  expect(choices.map((choice) => choice.schema)).toEqual([schema]);
});

const built = {
  ...observation({
    callId: "E1",
    args: { name: "Chain Bridge" },
    content: "The Chain Bridge was built by Tarrant Glass.",
  }),
  purpose: "",
};
const textField = (schema: object) => ({
  type: "object",
  properties: { firm: { type: "string", ...schema } },
});

it.each([
  { name: "a text", schema: {}, meant: "Tarrant Glass" },
  { name: "a short text", schema: { maxLength: 30 }, meant: "Tarrant Glass" },
  {
    name: "one of a list with it",
    schema: { enum: ["Tarrant Glass", "Orsk"] },
    meant: "Tarrant Glass",
  },
  { name: "a shorter text", schema: { maxLength: 8 }, meant: undefined },
  { name: "one of another list", schema: { enum: ["Orsk"] }, meant: undefined },
  { name: "a text of a form", schema: { pattern: "^[A-Z]{3}$" }, meant: undefined },
  { name: "a date", schema: { format: "date" }, meant: undefined },
  { name: "an object", schema: { type: "object" }, meant: undefined },
])("takes the only name of a result for $name: $meant", ({ schema, meant }) => {
  const [choice] = valueChoices({ firm: "{{E1}}" }, [built], textField(schema));
  expect(choice?.meant).toBe(meant);
});

it("takes no name for a figure, and no figure for a name", () => {
  const parameter = { type: "object", properties: { n: { type: "number" } } };
  const [choice] = valueChoices({ n: "{{E1}}" }, [built], parameter);
  expect(choice?.meant).toBeUndefined();
  const [text] = valueChoices({ firm: "{{E1}}" }, evidence.slice(0, 1), textField({}));
  expect(text?.meant).toBeUndefined();
});

const elder = {
  ...observation({
    callId: "E2",
    tool: "look_up",
    args: { firm: "Low Meadow" },
    content: "Low Meadow is a district of Harrowmere. Its elder is Emil Hark, born in Millrow.",
  }),
  purpose: "",
};

it.each([
  {
    name: "the names that the same tool can look up next, without that of the call",
    tool: "look_up",
    schema: { type: "string", enum: ["Harrowmere", "Emil Hark", "Millrow"] },
  },
  { name: "any name for another tool", tool: "census", schema: { type: "string" } },
])("lets a model choose from $name", ({ tool, schema }) => {
  const needs = { aim: "", question: "", tool };
  const [choice] = valueChoices({ firm: "{{E2}}" }, [elder], textField({}), needs);
  expect(choice).toEqual({ name: "E2", schema });
});

const visitors = {
  ...observation({
    callId: "E1",
    args: { name: "Clock Museum" },
    content: '{"visitors":68500}',
    value: { visitors: 68_500 },
  }),
  purpose: "The price of a ticket",
};
const ticket = {
  ...observation({
    callId: "E2",
    args: { name: "Clock Museum" },
    content: "A ticket costs 4 crowns.",
  }),
  purpose: "",
};

it.each([
  { name: "what another result tells", others: [ticket], meant: 4 },
  { name: "nothing where no other is to be read", others: [], meant: undefined },
])("takes for what a result does not tell $name", ({ others, meant }) => {
  const needs = { aim: "", question: "", others };
  const all = [visitors, ticket];
  const [choice] = valueChoices({ expression: "{{E1}} * 2" }, all, parameters, needs);
  expect(choice?.meant).toBe(meant);
});
