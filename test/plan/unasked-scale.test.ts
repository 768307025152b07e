import { describe, expect, it } from "vitest";

import { unaskedScale } from "../../src/plan/unasked-scale.js";

describe("a scale that nothing asks for", () => {
  it.each([
    { calculation: "(188 / 104) * 100", question: "How many times as long is it?", scale: 100 },
    { calculation: "40/5/1000", question: "How many books a year has she written?", scale: 1000 },
    { calculation: "100 * 3150 / 7", question: "How many trees for each?", scale: 100 },
    { calculation: "{{E1}} ÷ {{E2}} ÷ 10000", question: "How large is it?", scale: 10_000 },
    { calculation: "(3 + 4) × 1000", question: "How many is it?", scale: 1000 },
    {
      calculation: "(3150 / 7) * 100",
      question: "How many trees stand on each hectare?",
      results: ["3150 trees on 7 hectares."],
      scale: 100,
    },
    {
      calculation: "(352 + 188) / 1000",
      question: "How many metres long are they?",
      results: ["It is 352 metres long.", "It is 188 metres long."],
      scale: 1000,
    },
    {
      calculation: "(1955 - 1976) / 12",
      question: "How many years lie between the births of Odo Pell and Greta Voss?",
      results: ["Odo Pell, born in 1955.", "Greta Voss, born in 1976."],
      scale: 12,
    },
    {
      calculation: "365 * (3 + 4)",
      question: "How many books did they write a year?",
      results: ["She wrote 3 books a year.", "He wrote 4 books a year."],
      scale: 365,
    },
    {
      calculation: "(22 + 7) * 60",
      question: "How long are the lines together?",
      results: ["It is 22 kilometres long.", "It is 7 kilometres long."],
      scale: 60,
    },
  ])("is $scale in $calculation: $question", ({ calculation, question, results, scale }) => {
    expect(unaskedScale(calculation, question, results)).toBe(scale);
  });

  it.each([
    { name: "a percentage", calculation: "3 / 4 * 100", question: "What percentage is it?" },
    { name: "a share", calculation: "3 / 4 * 100", question: "What share of it is that?" },
    { name: "a figure with %", calculation: "80 * 15 / 100", question: "What is 15% of it?" },
    { name: "a share in Chinese", calculation: "3 / 4 * 100", question: "占百分之几？" },
    { name: "another unit", calculation: "(7 + 8) * 1000", question: "How many metres is it?" },
    {
      name: "a unit that the results have not",
      calculation: "(7 + 8) * 1000",
      question: "How many metres is it?",
      results: ["It is 7.5 kilometres long."],
    },
    {
      name: "a scale in words",
      calculation: "(8550 + 20) / 1000",
      question: "How many thousand crowns is it?",
      results: ["revenue: 8550"],
    },
    { name: "a unit in Chinese", calculation: "(7 + 8) * 1000", question: "有多少米？" },
    { name: "a figure of the question", calculation: "5 * 3 * 100", question: "What do 100 cost?" },
    {
      name: "a figure of a result",
      calculation: "5 * 3 * 1000",
      question: "How many eggs are that?",
      results: ["A box has 1,000 eggs."],
    },
    {
      name: "months",
      calculation: "(26 + 38) * 12",
      question: "What do both subscriptions cost in a year?",
      results: ["26 crowns a month.", "38 crowns a month."],
    },
    {
      name: "hours of what takes minutes",
      calculation: "(44 + 36) / 60",
      question: "How many hours do both lines take?",
      results: ["It takes 44 minutes.", "It takes 36 minutes."],
    },
    {
      name: "a price for a day",
      calculation: "365 * (3 + 4)",
      question: "What do both cost in a year?",
      results: ["3 crowns daily", "4 crowns daily"],
    },
    {
      name: "units that nobody has seen",
      calculation: "({{E1}} + {{E2}}) * 12",
      question: "How much a year?",
    },
    {
      name: "a figure that was calculated",
      calculation: "12 * (38 + 2)",
      question: "What do they cost?",
      results: ["A lamp costs 38 crowns.", "A bulb costs 2 crowns.", "12"],
    },
    {
      name: "dozens",
      calculation: "(3 + 2) * 12",
      question: "How many eggs are 3 dozen and 2 dozen?",
      results: ["Eggs are sold in boxes."],
    },
    {
      name: "months in Chinese",
      calculation: "(26 + 38) * 12",
      question: "一年一共多少钱?",
      results: ["每月26元", "每月38元"],
    },
    { name: "one figure alone", calculation: "{{E1}} / 1000", question: "How many is it?" },
    { name: "another figure", calculation: "5 * 3 * 1004", question: "How many?" },
    { name: "a decimal", calculation: "5 * 3 * 100.5", question: "How many?" },
    { name: "the end of a figure", calculation: "2100 * 5 * 3", question: "How many?" },
    { name: "a sum", calculation: "5 + 3 + 100", question: "How many?" },
    { name: "ten", calculation: "5 * 3 * 10", question: "How many?" },
  ])("is none with $name", ({ calculation, question, results }) => {
    expect(unaskedScale(calculation, question, results)).toBeUndefined();
  });

  const inThousands = "The workers of a firm, and its revenue (in thousand crowns).";

  it.each([
    { name: "the unit of the results", question: "What is it in thousand crowns?", scale: 1000 },
    { name: "nothing of the kind", question: "How many workers have both?", scale: 1000 },
    { name: "the same unit without its scale", question: "How many crowns is it?" },
    { name: "a larger scale", question: "How many million crowns is it?" },
  ])("is told by the words of the tools where the question names $name", ({ question, scale }) => {
    const results = ['{"revenue":8550}', '{"revenue":3450}'];
    expect(unaskedScale("(8550 + 3450) * 1000", question, results, [inThousands])).toBe(scale);
  });

  it("takes no longer for a long calculation", () => {
    expect(unaskedScale("1 *".repeat(20_000), "How many?")).toBeUndefined();
  });
});
