import { describe, expect, it } from "vitest";

import { unitsOf } from "../../src/evidence/units.js";

const numbered = Array.from({ length: 21 }, (_, at) => `Field ${String(at)}: value`);

describe("unitsOf", () => {
  it.each([
    [
      "Chinese sentences",
      "满 59 元包邮；不满收 6 元。可以吗？好！",
      ["满 59 元包邮；", "不满收 6 元。", "可以吗？", "好！"],
    ],
    ["English sentences", "We ship. Do you? Yes! Done", ["We ship.", "Do you?", "Yes!", "Done"]],
    [
      "points in numbers",
      "It costs 3.5 euros. Pay 1,000.50 now.",
      ["It costs 3.5 euros.", "Pay 1,000.50 now."],
    ],
    [
      "abbreviations",
      "Fruit, e.g. apples, keeps. Ask Mr. Li at 5 p.m. today.",
      ["Fruit, e.g. apples, keeps.", "Ask Mr. Li at 5 p.m. today."],
    ],
    [
      "files and addresses",
      "See a.txt at https://shop.example/a?b=1 first. Then go.",
      ["See a.txt at https://shop.example/a?b=1 first.", "Then go."],
    ],
    ["a number at an end", "There are 5. They differ.", ["There are 5.", "They differ."]],
    [
      "No. before a figure",
      "See No. 5 there. Or no. That is it.",
      ["See No. 5 there.", "Or no.", "That is it."],
    ],
    ["marks behind quotes", "他说“不行。”然后走了。", ["他说“不行。”", "然后走了。"]],
    [
      "list items without their marks",
      "1. 买\n2) 卖\n- 送\n（3）看",
      ["买", "卖", "送", "（3）看"],
    ],
    ["headings", "## Returns\nYou may.", ["Returns", "You may."]],
    [
      "a wrapped line",
      "We deliver to Germany, Austria and to Switzerland, and customs\nduties are paid by you.",
      ["We deliver to Germany, Austria and to Switzerland, and customs duties are paid by you."],
    ],
    [
      "a table with its header",
      "| 地区 | 费用 |\n| --- | --- |\n| 北京 | 8 |\n| 上海 | |",
      ["地区: 北京; 费用: 8", "地区: 上海"],
    ],
    [
      "a row of fields",
      "地区: 北京\n首重费用（元）: 8\n时效（天）: 2",
      ["地区: 北京\n首重费用（元）: 8\n时效（天）: 2"],
    ],
    ["more fields than a row has, a row each", numbered.join("\n"), numbered],
    ["nothing", " \n\n", []],
    ["other scripts", "Привет. Как дела? سلام", ["Привет.", "Как дела?", "سلام"]],
  ])("splits %s", (_, text, units) => {
    expect(unitsOf(text)).toEqual(units);
  });

  // Were one of them read in more than about linear time, it would not end before the test's time is over.
  it.each([
    ["a. ", 1],
    ["。", 1],
    ["|", 1],
    [" ", 0],
    ["1.", 1],
    ["- ", 1],
    ["a: b\n", 100_000],
  ])("splits a long text of %j", (piece, count) => {
    expect(unitsOf(piece.repeat(100_000))).toHaveLength(count);
  });
});
