import { describe, expect, it } from "vitest";

import { isTold } from "../../src/runtime/open-points.js";
import { calculated, call, counted, found, missing, tools } from "../support/look-ups.js";

const inn = found("Falbo Inn");

describe("what a question asks is told", () => {
  it.each([
    { question: "How many rooms does the Falbo Inn have?", before: [inn] },
    { question: "How many people did Ossel have in 2025?", before: [counted("Ossel")] },
    {
      question: "How many rooms does the Falbo Inn have?",
      before: [missing("census", "Falbo Inn"), inn],
    },
  ])("$question", ({ question, before }) => {
    expect(isTold({ question, turns: [], before }, tools)).toBe(true);
    expect(isTold({ question, turns: before.map((made) => [made]) }, tools)).toBe(true);
  });

  const outside = call("look_up", { name: "Falbo Inn" }, "Falbo Inn: 30 rooms.");
  it.each([
    { name: "without a call", question: "How many rooms does the Falbo Inn have?", before: [] },
    {
      name: "by a call that failed",
      question: "How many rooms does the Falbo Inn have?",
      before: [missing("look_up", "Falbo Inn")],
    },
    {
      name: "by what an untrusted tool says",
      question: "How many rooms does the Falbo Inn have?",
      before: [{ ...outside, trust: "untrusted" as const }],
    },
    {
      name: "by what a graph wrote",
      question: "How many rooms does the Falbo Inn have?",
      before: [{ ...outside, run: { outcome: { status: "answered" as const }, observations: [] } }],
    },
    {
      name: "by what was found of another thing",
      question: "How many rooms does the Falbo Inn have?",
      before: [call("look_up", { name: "Falbo Inn by Vane Brewery" }, "Vane Brewery: 12 rooms.")],
    },
    {
      name: "by a passage that has the name",
      question: "How many rooms does the Falbo Inn have?",
      before: [
        found("Falbo Inn", `Guests of the Falbo Inn drink tea. ${"It is green. ".repeat(50)}`),
      ],
    },
    {
      name: "about another name",
      question: "How many rooms does the Renn Inn have?",
      before: [inn],
    },
    { name: "about no name at all", question: "How many rooms are there?", before: [inn] },
    {
      name: "about one of two names",
      question: "How many rooms do the Falbo Inn and the Renn Inn have?",
      before: [inn],
    },
    {
      name: "about both of two names, which may be calculated with",
      question: "How many rooms more than the Falbo Inn does the Renn Inn have?",
      before: [inn, found("Renn Inn")],
    },
    {
      name: "in another year",
      question: "How many people did Ossel have in 2020?",
      before: [counted("Ossel", 2025)],
    },
    {
      name: "in two years, which may be calculated with",
      question: "By how much did the people of Ossel grow from 2020 to 2025?",
      before: [counted("Ossel", 2020), counted("Ossel", 2025)],
    },
    {
      name: "where a calculation is asked for",
      question: "How many rooms does the Falbo Inn have for each guest?",
      before: [inn],
    },
    {
      name: "where the question has a figure of its own",
      question: "How many rooms does the Falbo Inn have, with 15 more?",
      before: [inn],
    },
    {
      name: "in a chain whose next link is not looked up",
      question: "In which year was the firm founded that built the Falbo Inn?",
      before: [found("Falbo Inn", "The Falbo Inn was built by Tarn Glass in 1906.")],
    },
    {
      name: "by a calculation alone",
      question: "How many rooms does the Falbo Inn have?",
      before: [calculated("30 * 2", "60")],
    },
  ])("not $name", ({ question, before }) => {
    expect(isTold({ question, turns: [], before }, tools)).toBe(false);
  });
});
