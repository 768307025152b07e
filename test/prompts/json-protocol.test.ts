import { describe, expect, it } from "vitest";

import { readAction } from "../../src/models/protocol/read-action.js";
import {
  actionText,
  jsonInstructions,
  observationText,
  wantedAction,
} from "../../src/prompts/tool-protocol.js";
import { formOf, forms } from "../support/tool-forms.js";

describe("jsonInstructions", () => {
  it("tell the form of each call, what it is for, and the form of the answer", () => {
    const described = { ...formOf("search", "query"), description: "Searches\n  the web. " };
    expect(jsonInstructions([described, formOf("now")]).split("\n")).toEqual([
      "In each turn, reply with exactly one JSON object and nothing else: one tool call, or the final answer.",
      "The tool calls, with types in place of values:",
      '{"thought": string, "action": "search", "action_input": {"query": string}}',
      "  Searches the web.",
      '{"thought": string, "action": "now", "action_input": {}}',
      "  Does now.",
      "The final answer, once the observations hold all that it needs:",
      '{"thought": string, "action": "final_answer", "action_input": string}',
      'The user then sends the tool\'s result, as "Observation: …". Wait for it; never write it yourself.',
    ]);
  });
});

it.each([
  { name: "an object", input: { query: 'a "b"\n' } },
  { name: "an empty object", input: {} },
])("actionText writes a call as it is read back, with $name", ({ input }) => {
  expect(readAction(actionText("Hm.", "search", input), forms, false)).toEqual({
    kind: "calls",
    thought: "Hm.",
    calls: [{ name: "search", args: input }],
    isOwn: true,
    isAlone: true,
  });
});

it("actionText writes an answer as it is read back", () => {
  const text = 'It is {4},\nas "they" say.';
  expect(readAction(actionText("", "final_answer", text), forms, false)).toEqual({
    kind: "answer",
    thought: "",
    text,
  });
});

it("observationText labels a result", () => {
  expect(observationText("4")).toBe("Observation: 4");
});

it("wantedAction shows the form with the names that exist", () => {
  expect(wantedAction([formOf("search", "query"), formOf("now")], false)).toBe(
    'reply with one JSON object in the form {"thought": string, "action": "search" | "now" | "final_answer", "action_input": …}',
  );
});
