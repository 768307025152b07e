import { describe, expect, it } from "vitest";

import { EndlessHearing, maxRepeatedChars, periodOf } from "../../../src/models/call/endless.js";

function heard(text: string, size: number): EndlessHearing {
  const hearing = new EndlessHearing();
  for (let at = 0; at < text.length; at += size) hearing.hear(text.slice(at, at + size));
  return hearing;
}

/** A plan of one call again and again, or of one for each argument. */
function planOf(steps: number, argument: (at: number) => string): string {
  return Array.from({ length: steps }, (_, at) =>
    JSON.stringify({
      id: `E${at + 1}`,
      thought: "The people",
      tool: "census",
      args: { name: argument(at) },
    }),
  ).join(",");
}

describe("a loop", () => {
  const long = maxRepeatedChars + 500;
  it.each([
    { name: "one character", text: "0".repeat(long) },
    { name: "a piece", text: "{{E1}} / ".repeat(long / 9 + 1) },
    { name: "a line of a list", text: "12. The bridge is 12 metres long.\n".repeat(long / 30) },
    { name: "after many words", text: `${"words and more ".slice(0, 10)}${"na ".repeat(long)}` },
    {
      name: "sentences",
      text: "The lamp costs 38 crowns. The bell costs 96 crowns, and it weighs 2 kilograms. "
        .repeat(3)
        .concat("They cost 134 crowns together.\n")
        .repeat(20),
    },
    { name: "the same step under other ids", text: `{"steps":[${planOf(30, () => "Ossel")}` },
    {
      name: "the same step in lines",
      text: planOf(40, () => "Ossel").replaceAll(/[{,]/g, "$&\n  "),
    },
    { name: "in Chinese", text: "桥长十二米。".repeat(long / 6 + 1) },
  ])("is heard: $name, in pieces of any size", ({ text }) => {
    for (const size of [1, 7, 300, text.length]) expect(heard(text, size).isLoop).toBe(true);
  });

  it.each([
    { name: "a shorter one", text: "0".repeat(maxRepeatedChars - 1) },
    {
      name: "a list whose numbers go on",
      text: Array.from({ length: 400 }, (_, at) => `${at}. The bridge is long.\n`).join(""),
    },
    { name: "steps about other things", text: planOf(40, (at) => `Ossel ${at}`) },
    { name: "steps that go on from the one before", text: planOf(40, (at) => `{{E${at}}} * 1.05`) },
    { name: "some long pieces", text: `${"x".repeat(200)}yz`.repeat(12) },
    { name: "pieces of half a page", text: `${"x".repeat(600)}yz`.repeat(20) },
    {
      name: "rows of a table with one other cell",
      text: Array.from({ length: 200 }, (_, at) => `| 0 | 0 | ${at % 7} |\n`).join(""),
      isLoop: true,
    },
    {
      name: "random digits",
      text: Array.from({ length: 4_000 }, (_, at) => (at * at * 7_919) % 10_007).join(""),
    },
  ])("is not heard in $name, unless it is one", ({ text, isLoop = false }) => {
    expect(heard(text, 10).isLoop).toBe(isLoop);
  });

  it("that is over is none any more", () => {
    expect(heard(`${"0".repeat(long)}${"and other words in the end".repeat(10)}`, 300).isLoop).toBe(
      false,
    );
  });
});

it.each([
  { text: "a", period: 1 },
  { text: "aaaa", period: 1 },
  { text: "abab", period: 2 },
  { text: "ababa", period: 2 },
  { text: "abcabd", period: 6 },
  { text: "aabaaab", period: 4 },
])("the period of $text is $period", ({ text, period }) => {
  expect(periodOf(text)).toBe(period);
});
