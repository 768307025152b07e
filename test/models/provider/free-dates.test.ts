import { expect, it } from "vitest";

import { responseSchema, withFreeDates } from "../../../src/models/provider/json-protocol.js";
import { formOf } from "../../support/tool-forms.js";

const date = { type: "string", format: "date", pattern: "^x$", description: "The day" };
const free = { type: "string", description: "The day" };

it.each([
  { name: "a date", schema: date, is: free },
  {
    name: "a date and time",
    schema: { type: "string", format: "date-time" },
    is: { type: "string" },
  },
  {
    name: "dates inside",
    schema: { properties: { days: { items: date }, span: { anyOf: [date, { type: "null" }] } } },
    is: { properties: { days: { items: free }, span: { anyOf: [free, { type: "null" }] } } },
  },
  {
    name: "a parameter that is called format",
    schema: { properties: { format: { type: "string" } }, required: ["format"] },
    is: { properties: { format: { type: "string" } }, required: ["format"] },
  },
  {
    name: "another format",
    schema: { type: "string", format: "email", pattern: "@" },
    is: { type: "string", format: "email", pattern: "@" },
  },
  { name: "no schema", schema: true, is: true },
])("a schema with $name leaves dates to be written in words", ({ schema, is }) => {
  expect(withFreeDates(schema)).toEqual(is);
});

it("the form of a turn lets a day be written in words", () => {
  const parameters = { type: "object", properties: { day: date } };
  const form = JSON.stringify(responseSchema([{ ...formOf("a"), parameters }]).schema);
  expect(form).toContain('"day":{"type":"string","description":"The day"}');
});
