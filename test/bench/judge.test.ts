import { describe, expect, it } from "vitest";

import { isRight } from "../../bench/questions/judge.js";

describe("the figure of an answer", () => {
  const wanted = { figure: 1234.5, unit: "metres" } as const;

  it.each([
    { answer: "It is 1234.5 metres higher.", right: true },
    { answer: "1,234.5 m", right: true },
    { answer: "1.234,5 m", right: true },
    { answer: "1 234,5 m", right: true },
    { answer: "**1234.50**", right: true },
    { answer: "6000 - 4765.5 = 1234.5", right: true },
    { answer: "About 1234 metres.", right: true },
    { answer: "About 1.2345 thousand metres.", right: true },
    { answer: "1234.5 km", right: false },
    { answer: "1234.5%", right: false },
    { answer: "-1234.5 metres", right: false },
    { answer: "1240 metres", right: false },
    { answer: "12345 metres", right: false },
    { answer: "1.2345 metres", right: false },
    { answer: "I do not know.", right: false },
  ])("$answer is right: $right", ({ answer, right }) => {
    expect(isRight(answer, wanted)).toBe(right);
  });
});

describe("the name in a comparison", () => {
  const which = { right: "Amble", wrong: "Teyne", words: ["longer", "shorter"] } as const;
  const wanted = { figure: 34, unit: "kilometres", which } as const;

  it.each([
    { answer: "Amble, by 34 km.", right: true },
    { answer: "The Amble is longer than the Teyne, by 34 km.", right: true },
    { answer: "The Teyne is 34 km shorter than the Amble.", right: true },
    {
      answer: "The Teyne has 378 km and the Amble 412 km, so the Amble is longer by 34.",
      right: true,
    },
    { answer: "The longer of them is the Amble, 34 km more than the Teyne.", right: true },
    { answer: "Of Teyne and Amble the longer one is the river Amble, by 34 km.", right: true },
    { answer: "Amble: 34 km more than Teyne.", right: true },
    { answer: "Teyne: 34 km more than Amble.", right: false },
    { answer: "The Teyne is longer than the Amble by 34 km.", right: false },
    { answer: "The Amble is 34 km shorter than the Teyne.", right: false },
    { answer: "The Amble is longer than the Teyne.", right: false },
    { answer: "Teyne, by 34 km.", right: false },
  ])("$answer is right: $right", ({ answer, right }) => {
    expect(isRight(answer, wanted)).toBe(right);
  });
});
