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

/** Tasks that wait for the one before them, or for the next one. */
function tasksOf(tasks: number, after: readonly number[], task: (at: number) => string): string {
  const ids = Array.from({ length: tasks }, (_, at) => at + 9);
  return ids
    .map((at) => ({ id: `S${at}`, task: task(at), after: after.map((more) => `S${at + more}`) }))
    .map((step) => JSON.stringify(step))
    .join(",");
}

const finishing = () => "State the number of workers in 2020 and the ratio of workers to homes.";

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
    { name: "the same task after the next one", text: `{"steps":[${tasksOf(30, [1], finishing)}` },
    {
      name: "three steps in turn, with fewer blanks each time",
      text: Array.from({ length: 60 }, (_, at) =>
        JSON.stringify(
          { id: `E${at}`, thought: ["The kettle", "Its order", "Both faulty"][at % 3], args: {} },
          null,
          8,
        ).replace("{}", `{\n${" ".repeat(70 - at)}}`),
      ).join(",\n"),
    },
    { name: "the same task after two", text: `{"steps":[${tasksOf(36, [0, 1], finishing)}` },
    {
      name: "the same task after the one before, in lines",
      text: tasksOf(40, [-1], finishing).replaceAll(/[{,[]/g, "$&\n    "),
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
    {
      name: "tasks that go on from the one before",
      text: tasksOf(40, [-1], (at) => `Take 1.05 times the result of S${at - 1}.`),
    },
    {
      name: "tasks about other things",
      text: tasksOf(40, [-1], (at) => `Find the number of homes in ${2_000 + at}.`),
    },
    {
      name: "calls about things that are called as steps are",
      text: planOf(40, (at) => `E${at}`),
    },
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
