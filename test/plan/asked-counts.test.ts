import { describe, expect, it } from "vitest";

import { askedCounts, isMultipliedBy } from "../../src/plan/asked-counts.js";

const lamp = "The Corvo lamp by Belwin Mills costs 26 crowns and weighs 1.8 kilograms.";
const museum = "The Clock Museum in Millrow has 31 rooms. A ticket costs 4 crowns.";

describe("a number of things that a question asks a total for", () => {
  it.each([
    {
      question: "What do 4 Corvo lamps and 3 Rill lamps weigh together?",
      counts: ["4 Corvo lamps", "3 Rill lamps"],
    },
    { question: "What do twelve or 12 Corvo lamps cost?", counts: ["12 Corvo lamps"] },
    { question: "How much do seven Corvo lamps cost?", counts: ["seven Corvo lamps"] },
    {
      question: "A Corvo lamp gets 30% dearer. What do 3 of them cost then?",
      counts: ["3 of them"],
    },
    {
      question: "A family of 4 visits the Clock Museum. What do their tickets cost in all?",
      counts: ["family of 4"],
      results: [museum],
    },
    {
      question: "What does a class of twenty or a Group of five pay at the Clock Museum?",
      counts: ["Group of five"],
      results: [museum],
    },
    {
      question: "What do 5 tickets for the Clock Museum cost?",
      counts: ["5 tickets"],
      results: [museum],
    },
    {
      question: "What do 5 tickets for the Clock Museum cost?",
      counts: ["5 tickets"],
      results: ["The Clock Museum: 4 crowns per ticket."],
    },
    {
      question:
        "A class of 25 visits the museum, and buys 2 Corvo lamps and 1 Sebb lamp. What does it cost?",
      counts: ["class of 25", "2 Corvo lamps"],
      results: [museum],
    },
    { question: "4盏Corvo灯一共多少钱?", counts: ["4盏"] },
    { question: "两个Corvo灯和3个Rill灯共重多少?", counts: ["两个", "3个"] },
  ])("is read: $question", ({ question, counts, results = [lamp] }) => {
    expect(askedCounts(question, results).map(({ phrase }) => phrase)).toEqual(counts);
  });

  it.each([
    { name: "no total is asked for", question: "How old are the 4 Corvo lamps?" },
    {
      name: "one of them is asked about",
      question: "3 Corvo lamps cost 78 crowns. What does one cost?",
    },
    { name: "what each costs is asked", question: "What do 3 Corvo lamps cost each?" },
    { name: "something is divided", question: "What does each pay if 4 of them share the cost?" },
    {
      name: "something is split",
      question: "A group of 4 split what the Corvo lamp costs. What is it?",
    },
    { name: "a mean is asked for", question: "What do the 3 Corvo lamps cost on average?" },
    {
      name: "the things are those that are named",
      question: "What do the 2 tickets cost together?",
    },
    {
      name: "no result tells it of one",
      question: "What do 5 tickets for the Clock Museum cost?",
      results: ["5 tickets cost 18 crowns."],
    },
    {
      name: "a result tells of one, and nothing of what it costs",
      question: "What do tickets for 2 museums cost together?",
      results: ["The Clock Museum is a museum in Millrow. A ticket costs 4 crowns."],
    },
    {
      name: "a result tells it for as many",
      question: "What do 4 Corvo lamps cost?",
      results: ["4 Corvo lamps cost 99 crowns."],
    },
    {
      name: "a result tells it for the group",
      question: "A family of 4 visits the Clock Museum. What do their tickets cost?",
      results: [`${museum} A family pays 12 crowns.`],
    },
    {
      name: "it is one of many figures of a text",
      question: `What do 4 Corvo lamps cost? ${"They stand in a row in the hall. ".repeat(20)}`,
    },
    { name: "there is one of them", question: "What does 1 Corvo lamp cost?" },
    { name: "the number is a year", question: "What did the Corvo lamp cost in 2025?" },
    { name: "the number is a share", question: "What does the Corvo lamp cost 20% of?" },
    {
      name: "the number is a part of another",
      question: "What does the 2.5 Corvo lamps set cost?",
    },
    { name: "the number is part of a name", question: "What does the E4 Corvo lamp cost?" },
    { name: "a group has no number", question: "What does a family of guests pay?" },
    { name: "months are counted", question: "房租3个月多少钱?" },
    { name: "what each costs is asked in Chinese", question: "4盏Corvo灯每盏多少钱?" },
  ])("is not read where $name", ({ question, results = [lamp] }) => {
    expect(askedCounts(question, results)).toEqual([]);
  });
});

describe("a multiplication by a number", () => {
  it.each([
    "4 * 1.8",
    "1.8*4",
    "1.8 × 4 + 0.6 × 3",
    "{{E1}} * 4",
    "4 * {{E1}}",
    "(26 + 5) * 4",
    "26 * (4)",
    "4 * (26 + 5)",
    "26 * 4.",
    "26 * 4 / 40",
  ])("is seen in %s", (expression) => {
    expect(isMultipliedBy(expression, 4)).toBe(true);
  });

  it.each([
    "26 / 4",
    "(26 * 4) / 4",
    "26 * 4 ÷ (4)",
    "26 + 4",
    "26 ^ 4",
    "26 * 14",
    "26 * 4.5",
    "26 * 40",
    "0.4 * 26",
    "24 * 26",
    "1,4 * 26",
    "{{E4}} * 26",
    "26 * 4,000",
    "",
  ])("is not seen in %j", (expression) => {
    expect(isMultipliedBy(expression, 4)).toBe(false);
  });
});
