import { describe, expect, it } from "vitest";

import { finalAnswerPrompt, failedSentence, stoppedSentence } from "../../src/prompts/endings.js";
import { limitNames } from "../../src/state/limits.js";

describe.each(limitNames)("at the limit %s", (limit) => {
  it("the prompt and the sentence name it in words", () => {
    const words = /the limit on ([a-z ]+) was reached/;
    const [, named] = words.exec(finalAnswerPrompt(limit)) ?? [];
    expect(named).toBeDefined();
    expect(stoppedSentence(limit)).toContain(`the limit on ${named} was reached`);
  });
});

it("asks for an answer without tools, and for what is missing", () => {
  expect(finalAnswerPrompt("modelCalls")).toMatch(/no tool can be called.*missing/);
});

it.each([
  { name: "none", results: [], starts: "Stop here: " },
  {
    name: "two",
    results: ["- a", "- b"],
    starts: "Results so far:\n- a\n- b\n\nStop here: ",
  },
])("shows results that the conversation does not: $name", ({ results, starts }) => {
  expect(finalAnswerPrompt("seconds", { results }).startsWith(starts)).toBe(true);
});

it.each([
  { name: "none", results: [], ends: "There are no results yet." },
  { name: "one", results: ["- a"], ends: "Results so far:\n- a" },
  { name: "two", results: ["- a", "- b"], ends: "Results so far:\n- a\n- b" },
])("says with the limit what results there are: $name", ({ results, ends }) => {
  expect(stoppedSentence("seconds", { results }).endsWith(ends)).toBe(true);
});

it.each([
  { name: "none", results: [], sentence: "I could not finish: no key." },
  {
    name: "one",
    results: ["- a"],
    sentence: "I could not finish: no key.\nResults so far:\n- a",
  },
])("says why a run failed and what results there are: $name", ({ results, sentence }) => {
  expect(failedSentence("no key.", { results })).toBe(sentence);
});

describe("names what failed, and what was not done", () => {
  const failures = ["- a: Error", "- b: Error"];
  const open = ["- d"];
  it.each([
    {
      name: "in the prompt, where the conversation does not show it",
      said: finalAnswerPrompt("seconds", { results: ["- c"], failures, open }),
      tells:
        /^Results so far:\n- c\n\nWhat failed:\n- a: Error\n- b: Error\n\nNot done:\n- d\n\nStop here: /,
    },
    {
      name: "at a limit, behind the results",
      said: stoppedSentence("replans", { results: ["- c"], failures, open }),
      tells: /Results so far:\n- c\nWhat failed:\n- a: Error\n- b: Error\nNot done:\n- d$/,
    },
    {
      name: "at a limit without results",
      said: stoppedSentence("replans", { failures, open }),
      tells: /There are no results yet\.\nWhat failed:\n- a: Error\n- b: Error\nNot done:\n- d$/,
    },
    {
      name: "in a run that failed",
      said: failedSentence("no key.", { results: ["- c"], failures, open }),
      tells:
        /^I could not finish: no key\.\nResults so far:\n- c\nWhat failed:\n- a: Error\n- b: Error\nNot done:\n- d$/,
    },
  ])("$name", ({ said, tells }) => {
    expect(said).toMatch(tells);
  });
});
