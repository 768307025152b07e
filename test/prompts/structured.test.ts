import { expect, it } from "vitest";

import {
  answerTask,
  structuredPrompt,
  structuredRepairPrompt,
} from "../../src/prompts/structured.js";

const schema = { type: "object", properties: { city: { type: "string" } } };

it("asks for one object, with the schema as one line of JSON", () => {
  const prompt = structuredPrompt(schema, answerTask("Bonn."));
  expect(prompt.split("\n").at(-1)).toBe(JSON.stringify(schema));
  expect(prompt).toContain("one JSON object");
  expect(prompt).toContain("Your answer was: Bonn.");
});

it("shows results that are in no message before the answer", () => {
  expect(answerTask("3.", ["- price: 3"])).toMatch(
    /^The results:\n- price: 3\n\nYour answer was: 3\./,
  );
});

it("sends back what was said, what was wrong and the schema", () => {
  expect(structuredRepairPrompt("{}", "city is missing", schema)).toBe(
    `That does not fit: city is missing\nYour reply was:\n{}\nReply with the corrected JSON object only. The schema is:\n${JSON.stringify(schema)}`,
  );
});

it("quotes a long reply in part", () => {
  expect(structuredRepairPrompt("x".repeat(9_000), "p", schema).length).toBeLessThan(1_400);
});
