import { expect, it } from "vitest";

import {
  answerTask,
  formPrompt,
  structuredPrompt,
  structuredRepairPrompt,
} from "../../src/prompts/structured.js";

const schema = { type: "object", properties: { city: { type: "string" } } };

it("says the form of the reply apart from the request, as one line of JSON", () => {
  expect(formPrompt(schema).split("\n").at(-1)).toBe(JSON.stringify(schema));
  expect(formPrompt(schema, '{"city": string}').split("\n").at(-1)).toBe('{"city": string}');
  const prompt = structuredPrompt(answerTask("Bonn."));
  expect(prompt).toContain("one JSON object");
  expect(prompt).toContain("Your answer was: Bonn.");
  expect(prompt).not.toContain("{");
});

it("shows results that are in no message before the answer", () => {
  expect(answerTask("3.", ["- price: 3"])).toMatch(
    /^The results:\n- price: 3\n\nYour answer was: 3\./,
  );
});

it("sends back what was said, and what was wrong", () => {
  expect(structuredRepairPrompt("{}", "city is missing")).toBe(
    "That does not fit: city is missing\nYour reply was:\n{}\nReply with the corrected JSON object only.",
  );
});

it.each([
  { fault: "again", told: "You gave the same reply twice. Give another one." },
  { fault: "loop", told: "Your reply said the same again and again. Say each thing once." },
] as const)("does not show a reply that came $fault: a model copies what it reads", (row) => {
  expect(structuredRepairPrompt("{}", "city is missing", row.fault)).toBe(
    `That does not fit: city is missing\n${row.told}\nReply with the corrected JSON object only.`,
  );
});

it("quotes a long reply in part", () => {
  expect(structuredRepairPrompt("x".repeat(9_000), "p").length).toBeLessThan(1_400);
});
