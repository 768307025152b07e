import { expect, it } from "vitest";

import { askedRatio, undividedRatio } from "../../src/plan/asked-ratio.js";

it.each([
  {
    question: "How many pupils of 2025 has it for each of its teachers?",
    ratio: ["pupils", "for each of its teachers", "teachers"],
  },
  { question: "How many people are there per home?", ratio: ["people", "per home", "home"] },
  {
    question: "how many boxes of eggs are sold in each shop?",
    ratio: ["eggs", "in each shop", "shop"],
  },
  {
    question: "Where did more people live on each hectare in 2025, in A or in B?",
    ratio: ["people", "on each hectare", "hectare"],
  },
  {
    question: "Which school has the fewest pupils for each of its rooms, and how many?",
    ratio: ["pupils", "for each of its rooms", "rooms"],
  },
])("asks for a ratio: $question", ({ question, ratio }) => {
  const { counted, phrase, each } = askedRatio(question) ?? {};
  expect([counted, phrase, each]).toEqual(ratio);
});

it.each([
  "The revenue grows by 10% in each of two years. How many crowns is it then?",
  "How many pupils do the schools have together?",
  "What does each lamp cost?",
  "How many steps has the Per Brahe Tower?",
  "How many guests came in each of the three years?",
  "Each home has a garden. How many homes are there?",
])("asks for none: %s", (question) => {
  expect(askedRatio(question)).toBeUndefined();
});

const calculations = (...expressions: readonly string[]) =>
  expressions.map((expression) => ({ args: { expression } }));

it.each([
  { calls: calculations("{{E1}} + {{E2}}"), is: true },
  { calls: calculations("{{E1}} * 2", "{{E3}} - 1"), is: true },
  { calls: [{ args: { figures: [], find: "largest" } }], is: false },
  { calls: calculations("{{E1}} + {{E2}}", "{{E3}} / {{E4}}"), is: false },
  { calls: calculations("12 ÷ 4"), is: false },
  { calls: [], is: false },
])("nothing is divided: $is, of $calls", ({ calls, is }) => {
  const ratio = undividedRatio("How many people are there per home?", calls);
  expect(ratio?.phrase).toBe(is ? "per home" : undefined);
});
