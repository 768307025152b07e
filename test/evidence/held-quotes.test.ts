import { describe, expect, it } from "vitest";

import { heldQuotes } from "../../src/evidence/held-quotes.js";

const shown = [
  { id: "faq", text: "普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。红包和赠款不能退。" },
  { id: "fees", text: "| 地区 | 首重费用（元） |\n| --- | --- |\n| 北京 | 8 |\n| 江浙沪 | 6 |" },
  { id: "help", text: "Opened items **cannot** be returned. Refunds take 5 days. They are free." },
  { id: "short", text: "支持。\n3 天" },
];

describe("heldQuotes", () => {
  it.each([
    ["a whole sentence", ["红包和赠款不能退。"], ["faq: 红包和赠款不能退。"]],
    ["a sentence from which the negation was cut", ["红包和赠款"], ["faq: 红包和赠款不能退。"]],
    [
      "a part, as its whole sentence",
      ["黑金会员 8.8 折"],
      ["faq: 普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。"],
    ],
    [
      "other spaces, width, case and marks",
      ["黑金会员８.８折", "OPENED ITEMS cannot be returned!"],
      [
        "faq: 普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。",
        "help: Opened items **cannot** be returned.",
      ],
    ],
    [
      "sentences that follow each other",
      ["cannot be returned. Refunds take 5 days"],
      ["help: Opened items **cannot** be returned.", "help: Refunds take 5 days."],
    ],
    [
      "parts with an ellipsis, as their sentences",
      ["Opened items … Refunds take 5 days"],
      ["help: Opened items **cannot** be returned.", "help: Refunds take 5 days."],
    ],
    ["a row as it stands", ["| 北京 | 8 |"], ["fees: 地区: 北京; 首重费用（元）: 8"]],
    [
      "a row with the names of its columns",
      ["地区：北京，首重费用（元）：8"],
      ["fees: 地区: 北京; 首重费用（元）: 8"],
    ],
    ["each sentence once", ["红包和赠款不能退", "赠款不能退。"], ["faq: 红包和赠款不能退。"]],
  ])("holds %s", (_, quotes, held) => {
    expect(heldQuotes(quotes, shown).map(({ id, text }) => `${id}: ${text}`)).toEqual(held);
  });

  it.each([
    ["what stands nowhere", "白金会员 7 折"],
    ["a figure without its point", "黑金会员 88 折"],
    ["a part of a word", "pened items cannot"],
    ["one word", "returned"],
    ["a short word", "红包"],
    ["a sentence that says nothing", "支持。"],
    ["a figure alone", "3 天"],
    ["parts of which one stands nowhere", "Opened items … can be returned within a year"],
    ["distant parts without an ellipsis", "Opened items take 5 days"],
    ["two texts put together", "红包和赠款不能退。Opened items cannot be returned."],
    ["nothing", ""],
    ["marks", "……"],
  ])("does not hold %s", (_, quote) => {
    expect(heldQuotes([quote], shown)).toEqual([]);
  });

  // Were one of them read in more than about linear time, it would not end before the test's time is over.
  it("searches long texts", () => {
    const text = "红包不能退，余额可以退。".repeat(10_000);
    const held = heldQuotes(
      ["余额可以退。红包不能退，没有".repeat(20), "aaaa bbbb".repeat(1_000)],
      [
        { id: "a", text },
        { id: "b", text: "aaaa bbbb".repeat(8_000) },
      ],
    );
    expect(held).toEqual([]);
  });
});
