import { describe, expect, it } from "vitest";

import { isWholeCall } from "../../../src/models/protocol/json-calls.js";
import { formOf, forms } from "../../support/tool-forms.js";

const free = { ...formOf("free"), parameters: { type: "object" } };
const tools = [...forms, free];
const whole = { room: "A3", people: 6 };

describe("isWholeCall", () => {
  it.each([
    { name: "all arguments", input: whole },
    { name: "some arguments in closed JSON", input: { room: "A3" } },
    { name: "arguments of its own in closed JSON", input: { room: "A3", note: "x" } },
    { name: "some arguments that are closed", input: { room: "A3" }, missing: 0 },
    { name: "all arguments that are open", input: whole, missing: 1 },
    {
      name: "all arguments in an open list of names and values",
      input: [
        { name: "room", value: "A3" },
        { name: "people", value: 6 },
      ],
      missing: 2,
    },
    { name: "other things beside all arguments", input: whole, beside: ["people", "note"] },
  ])("takes a call with $name", ({ input, ...rest }) => {
    expect(isWholeCall({ ...rest, name: "book", input }, tools)).toBe(true);
  });

  it.each([
    { name: "some arguments that are open", input: { room: "A3" }, missing: 1 },
    { name: "a value that is open", input: { room: "A3", people: { n: 6 } }, missing: 2 },
    { name: "an open list of values", input: ["A3", 6], missing: 1 },
    { name: "an argument in a value", input: { room: { name: "A3", people: 6 } }, missing: 0 },
    { name: "what is no argument", input: { ...whole, thought: "x" }, missing: 0 },
    { name: "an argument beside the others", input: { room: "A3" }, beside: ["people"] },
  ])("refuses a call with $name", ({ input, ...rest }) => {
    expect(isWholeCall({ ...rest, name: "book", input }, tools)).toBe(false);
  });

  it("leaves a tool that does not exist to the runner, and knows no end of free arguments", () => {
    expect(isWholeCall({ name: "gone", input: whole, missing: 1 }, tools)).toBe(true);
    expect(isWholeCall({ name: "free", input: whole, missing: 1 }, tools)).toBe(false);
    expect(isWholeCall({ name: "now", input: {}, missing: 0 }, tools)).toBe(true);
  });
});
