import { expect, it } from "vitest";

import { joinOnto, joinTexts } from "../../src/models/join-text.js";

const story = "Once upon a time there was a fox who lived in a small den under an old oak tree.";
const code = "Here it is:\n```python\ndef total(prices):\n    return su";

const rows = [
  {
    name: "nothing repeated",
    earlier: "first you",
    next: " open the box.",
    joined: "first you open the box.",
  },
  {
    name: "the last words repeated",
    earlier: "first you",
    next: "first you open.",
    joined: "first you open.",
  },
  {
    name: "the last word repeated",
    earlier: "and the quick",
    next: "quick fox",
    joined: "and the quick fox",
  },
  {
    name: "a word begun again",
    earlier: "the quick bro",
    next: "brown fox",
    joined: "the quick brown fox",
  },
  {
    name: "a word cut in the middle",
    earlier: "an inter",
    next: "national plan",
    joined: "an international plan",
  },
  { name: "a word whose halves share a letter", earlier: "hel", next: "lo", joined: "hello" },
  {
    name: "a number cut in the middle",
    earlier: "It costs 1",
    next: "100 euros",
    joined: "It costs 1100 euros",
  },
  { name: "a decimal", earlier: "Pi is 3.", next: "14159", joined: "Pi is 3.14159" },
  {
    name: "a figure repeated with its words",
    earlier: "it costs 1,2",
    next: "it costs 1,234 euros",
    joined: "it costs 1,234 euros",
  },
  {
    name: "white space before what is repeated",
    earlier: "open the red",
    next: "\n open the red box",
    joined: "open the red box",
  },
  {
    name: "an ellipsis before what is repeated",
    earlier: "open the red",
    next: "…the red box",
    joined: "open the red box",
  },
  {
    name: "an ellipsis that belongs to the text",
    earlier: "and then",
    next: "... nothing.",
    joined: "and then... nothing.",
  },
  {
    name: "a new paragraph",
    earlier: "It ends here.",
    next: "\n\nNext, a list:",
    joined: "It ends here.\n\nNext, a list:",
  },
  {
    name: "everything repeated, and more",
    earlier: story,
    next: `${story} It slept.`,
    joined: `${story} It slept.`,
  },
  { name: "everything repeated and nothing more", earlier: story, next: story, joined: story },
  {
    name: "the beginning repeated and no more",
    earlier: story,
    next: story.slice(0, 50),
    joined: story,
  },
  { name: "an empty continuation", earlier: story, next: "", joined: story },
  { name: "nothing before", earlier: "", next: "The answer.", joined: "The answer." },
  {
    name: "Chinese, nothing repeated",
    earlier: "今天",
    next: "天气很好。",
    joined: "今天天气很好。",
  },
  {
    name: "Chinese, a clause repeated",
    earlier: "首先,打开盒",
    next: "首先,打开盒子。",
    joined: "首先,打开盒子。",
  },
  {
    name: "Chinese, a word repeated",
    earlier: "因此我们",
    next: "我们需要时间。",
    joined: "因此我们需要时间。",
  },
  {
    name: "code, nothing repeated",
    earlier: code,
    next: "m(prices)\n```",
    joined: `${code}m(prices)\n\`\`\``,
  },
  {
    name: "code, the line repeated",
    earlier: code,
    next: "    return sum(prices)\n```",
    joined: `${code}m(prices)\n\`\`\``,
  },
  {
    name: "code, the block opened again",
    earlier: code,
    next: "```python\nm(prices)\n```",
    joined: `${code}m(prices)\n\`\`\``,
  },
  {
    name: "code, the block repeated from its fence",
    earlier: code,
    next: "```python\ndef total(prices):\n    return sum(prices)\n```",
    joined: `${code}m(prices)\n\`\`\``,
  },
  {
    name: "code, the block closed",
    earlier: `${code}m(prices)\n`,
    next: "```\nThat is all.",
    joined: `${code}m(prices)\n\`\`\`\nThat is all.`,
  },
  {
    name: "a second code block",
    earlier: "Run `a`, then:\n",
    next: "```sh\nb\n```",
    joined: "Run `a`, then:\n```sh\nb\n```",
  },
  {
    name: "closing brackets are not repetitions",
    earlier: "a {\n  b {\n  }\n",
    next: "}\nend",
    joined: "a {\n  b {\n  }\n}\nend",
  },
  {
    name: "a ruler is no repetition",
    earlier: "---------------",
    next: "---------------",
    joined: "-".repeat(30),
  },
  {
    name: "a name that is its own echo",
    earlier: "in Bora ",
    next: "Bora Bora",
    joined: "in Bora Bora",
  },
  {
    name: "patterns of a replacement",
    earlier: "it costs $",
    next: "& $1 $$",
    joined: "it costs $& $1 $$",
  },
];

it.each(rows)("joins $name", ({ earlier, next, joined }) => {
  expect(joinTexts(earlier, next)).toBe(joined);
});

it.each(rows)("joins $name, character by character", ({ earlier, next, joined }) => {
  const join = joinOnto(earlier);
  const pieces = Array.from({ length: next.length }, (_, at) => join.push(next.charAt(at)));
  expect(earlier + pieces.join("") + join.end()).toBe(joined);
});

it("gives what is new as soon as it is certain", () => {
  const join = joinOnto("first you open");
  expect(["you", " open", " the", " box"].map((piece) => join.push(piece))).toEqual([
    "",
    "",
    " the",
    " box",
  ]);
});

it("joins long texts that repeat themselves in linear time", () => {
  const earlier = "ab".repeat(100_000);
  expect(joinTexts(`${earlier}x`, earlier)).toBe(`${earlier}x`);
});

it("joins the pieces of a giant text that begins anew in linear time", () => {
  const earlier = Array.from({ length: 90_000 }, (_, at) => `w${at}`).join(" ");
  const join = joinOnto(earlier);
  const pieces = earlier.match(/.{1,4}/gs) ?? [];
  expect(pieces.map((piece) => join.push(piece)).join("")).toBe("");
  expect(join.push(" and more") + join.end()).toBe(" and more");
});
