import { describe, expect, it } from "vitest";

import { choice } from "../../src/runtime/choice.js";

describe("a choice between several by a figure", () => {
  it.each([
    "Which is older, the inn or the tower?",
    "Where did most people live, in Ossel or in Renn?",
    "Who has written more books?",
    "哪个更大?",
  ])("is asked by: %s", (question) => {
    expect(choice.test(question)).toBe(true);
  });

  it.each([
    "How many rooms has the inn?",
    "How many hectares do the districts, in which the parks lie, cover together?",
    "Which number has the inn?",
    "In which house did they live after that?",
    "Is the inn older?",
  ])("is not asked by: %s", (question) => {
    expect(choice.test(question)).toBe(false);
  });
});
