import { describe, expect, it } from "vitest";

import { outputOptions } from "../../../src/models/provider/output-mode.js";
import { responseSchema } from "../../../src/models/provider/json-protocol.js";
import { formOf } from "../../support/tool-forms.js";

const branch = (action: string, input: object) => ({
  type: "object",
  properties: { thought: { type: "string" }, action: { const: action }, action_input: input },
  required: ["thought", "action", "action_input"],
  additionalProperties: false,
});
const answer = branch("final_answer", { type: "string", minLength: 1 });
const inputs = (parameters: unknown) => {
  const [first] = Object.values(responseSchema([{ ...formOf("a"), parameters }]).schema);
  return first;
};

const asked = (parameters: unknown) =>
  JSON.stringify(
    outputOptions(responseSchema([{ ...formOf("a"), parameters }]), "json_schema", new Set()),
  );

describe("responseSchema", () => {
  it("has a branch for each tool, with its arguments, and one for the answer", () => {
    const search = formOf("search", "query");
    const now = formOf("now");
    expect(responseSchema([search, now])).toEqual({
      name: "action",
      schema: {
        anyOf: [
          branch("search", Object(search.parameters)),
          branch("now", Object(now.parameters)),
          answer,
        ],
      },
    });
  });

  it("names the answer otherwise where a tool has its name", () => {
    const own = formOf("final_answer", "text");
    expect(responseSchema([own]).schema).toEqual({
      anyOf: [
        branch("final_answer", Object(own.parameters)),
        branch("give_final_answer", { type: "string", minLength: 1 }),
      ],
    });
  });

  it.each([
    {
      name: "arguments without a type",
      given: { properties: {} },
      input: { type: "object", properties: {} },
    },
    {
      name: "arguments with their dialect",
      given: { $schema: "x", type: "object" },
      input: { type: "object" },
    },
    {
      name: "arguments that refer to definitions",
      given: { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
      input: { type: "object" },
    },
    { name: "no schema", given: undefined, input: { type: "object" } },
  ])("takes $name", ({ given, input }) => {
    expect(inputs(given)).toEqual([branch("a", input), answer]);
  });

  it("is asked for strictly where every tool's arguments are closed", () => {
    const closed = { type: "object", properties: {}, additionalProperties: false };
    expect(asked(closed)).toContain('"strict":true');
    expect(asked({ type: "object", properties: {} })).not.toContain("strict");
  });
});
