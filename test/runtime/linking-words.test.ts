import { describe, expect, it } from "vitest";

import { doersIn, linkingWords } from "../../src/runtime/linking-words.js";
import { openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { found, tools } from "../support/look-ups.js";

describe("the words by which a question asks about something by way of something else", () => {
  it.each([
    {
      question: "How old is the head of the firm that built the inn?",
      words: ["head", "firm", "built"],
    },
    { question: "How large are the districts in which the parks lie?", words: ["districts"] },
    { question: "Find the birth year of the head of Tarn Glass.", words: ["head"] },
    { question: "Find the head of the firm that makes the lamp.", words: ["firm", "makes"] },
    { question: "Look up who is the head of the firm.", words: [] },
    { question: "Find the firm that built the inn.", words: [] },
    { question: "Who is the elder of Ossel?", words: [] },
    { question: "Who is the elder of the district where the inn stands?", words: ["district"] },
    { question: "Give the price of the lamp.", words: [] },
    { question: "How many rooms has the inn?", words: [] },
  ])("are $words in $question", ({ question, words }) => {
    expect(linkingWords(question)).toEqual(words);
  });
});

it.each([
  { question: "How old is the firm that built the inn?", doers: [["firm", "built"]] },
  { question: "Find the number of firms that built the inn.", doers: [["firms", "built"]] },
  { question: "What has the head of the firm written that built the inn?", doers: [] },
  { question: "How large are the districts in which the parks lie?", doers: [] },
])("knows who has done something in $question", ({ question, doers }) => {
  expect(doersIn(question).map(({ doer, verb }) => [doer, verb])).toEqual(doers);
});

const toldOf = (question: string, ...calls: readonly Observation[]) =>
  openPoint({ question, turns: calls.map((each) => [each]), namesAll: true }, tools)?.told;

describe("a task that asks for the very thing to which a chain leads", () => {
  const lamp = found("Rill lamp", "The Rill lamp by Tarn Glass costs 38 crowns.");
  const glass = found("Tarn Glass", "Tarn Glass has its seat in Ossel. It is headed by Ida Marsh.");
  it("goes on to the next link, and ends where it is told", () => {
    const task = "Find the head of the firm that makes the Rill lamp.";
    expect(toldOf(task, lamp)).toContain('Look up what the results name: "Tarn Glass".');
    expect(toldOf(task, lamp, glass)).toBeUndefined();
  });

  it("knows whoever has done something by the name", () => {
    const task = "Find the number of barges of the firm that built the Rill Inn.";
    const inn = found("Rill Inn", "The Rill Inn was built by Tarn Glass.");
    expect(toldOf(task, inn)).toContain('Look up what the results name: "Tarn Glass".');
    const barges = found("Tarn Glass", "Tarn Glass, headed by Ida Marsh, owns 10 barges.");
    expect(toldOf(task, inn, barges)).toBeUndefined();
  });

  it("goes on behind it where something else of it is asked", () => {
    const task = "Find the birth year of the head of the firm that makes the Rill lamp.";
    expect(toldOf(task, lamp, glass)).toContain('"Ida Marsh"');
  });
});
