import { expect, it } from "vitest";

import { onlyChoice, valueChoices } from "../../../src/runtime/plan/repair-arguments.js";
import { observation } from "../../support/observations.js";

const parameters = {
  type: "object",
  properties: {
    expression: { type: "string" },
    room: { type: "object" },
    minutes: { type: "integer" },
  },
};
const evidence = [
  observation({ callId: "E1", args: { query: "height of it" }, content: "It is 61 m high." }),
  observation({ callId: "E2", args: {}, content: "2400 hectares, 540 of them orchards" }),
  observation({ callId: "E3", args: { query: "Lake 7" }, content: 'Nothing found for "Lake 7".' }),
  observation({ callId: "E4", args: { expression: "3 * 1" }, content: "3", value: 3 }),
];

it.each([
  { name: "the only figure", expression: "{{E1}} * 2", figures: [[61]], only: { E1: 61 } },
  {
    name: "one of several figures, which nobody knows yet",
    expression: "{{E1}} / {{E2}}",
    figures: [[61], [2400, 540]],
    only: undefined,
  },
  {
    name: "no figure that was asked with",
    expression: "{{E3}} + {{E1}}",
    figures: [[], [61]],
    only: undefined,
  },
  {
    name: "the value of a result that is one",
    expression: "{{E4}} + {{E1}}",
    figures: [[3], [61]],
    only: { E4: 3, E1: 61 },
  },
  {
    name: "no figure of a step that is not there",
    expression: "{{E9}} + 1",
    figures: [[]],
    only: undefined,
  },
])("gives a calculation $name", ({ expression, figures, only }) => {
  const choices = valueChoices({ expression }, evidence, parameters);
  expect(choices.map((choice) => choice.figures)).toEqual(figures);
  const values = onlyChoice(choices);
  expect(values === undefined ? undefined : Object.fromEntries(values)).toEqual(only);
});

it("gives an argument that is a number the only figure", () => {
  const choices = valueChoices({ minutes: "{{E1}}" }, evidence, parameters);
  expect(onlyChoice(choices)).toEqual(new Map([["E1", 61]]));
});

it.each([
  {
    name: "one of the figures, or none",
    args: { expression: "{{E2}} / 2" },
    schema: { type: ["number", "null"], enum: [2400, 540, null] },
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
