import { describe, expect, it } from "vitest";

import { checkedAnswer } from "../../src/evidence/checked-answer.js";
import { shop } from "./shop-texts.js";

const kept = (answer: string, quotes: readonly string[], known: readonly string[] = []) =>
  checkedAnswer(answer, { quotes, known }).kept;

describe("checkedAnswer keeps the form of what stays", () => {
  it.each([
    ["a sentence of a line", "黑金会员 8.8 折。高级会员 7 折。", "黑金会员 8.8 折。"],
    [
      "an item of a list",
      "折扣如下：\n\n1. 黑金会员：8.8 折\n2. 高级会员：7 折\n\n希望对您有帮助！",
      "折扣如下：\n\n1. 黑金会员：8.8 折\n\n希望对您有帮助！",
    ],
    ["a pair of bold marks", "**黑金会员 8.8 折。高级会员 7 折。**", "黑金会员 8.8 折。"],
    [
      "a row of a table",
      "| 会员 | 折扣 |\n| --- | --- |\n| 黑金会员 | 8.8 折 |\n| 高级会员 | 7 折 |",
      "| 会员 | 折扣 |\n| --- | --- |\n| 黑金会员 | 8.8 折 |",
    ],
    [
      "a heading with nothing below",
      "## 折扣\n黑金会员 8.8 折。\n\n## 高级会员\n高级会员 7 折。",
      "## 折扣\n黑金会员 8.8 折。",
    ],
    [
      "a table without rows",
      "黑金会员 8.8 折。\n\n| 会员 | 折扣 |\n| --- | --- |\n| 高级会员 | 7 折 |",
      "黑金会员 8.8 折。",
    ],
  ])("without %s", (_, answer, left) => {
    expect(kept(answer, [shop.cards])).toBe(left);
  });
});

describe("an answer is none", () => {
  it.each([
    ["with courtesy alone", "您好！希望对您有帮助！"],
    ["with a question alone", "请问您是哪种会员？"],
    ["with a heading alone", "**会员折扣**"],
    ["with what opens a list alone", "会员折扣如下："],
    ["with yes alone", "可以的。"],
    ["that only says that nothing was found", "抱歉，资料中没有提到相关信息。"],
    ["without words", "。。。"],
    ["that is empty", ""],
  ])("%s", (_, answer) => {
    expect(kept(answer, [shop.cards])).toBe("");
  });
});

describe("what is known grounds an answer", () => {
  it("by facts beside the quotes", () => {
    const known = ["用户：黑金会员", "我的会员卡打几折？"];
    expect(kept("您是黑金会员，可享 8.8 折。", [shop.cards], known)).not.toBe("");
    expect(kept("您是黑金会员，可享 9.5 折。", [shop.cards], known)).toBe("");
  });

  it("by results of tools alone", () => {
    expect(kept("您的订单 1001 已经发货。", [], ["订单 1001：已发货，物流 SF123。"])).not.toBe("");
    expect(kept("您的订单 1001 还没有发货。", [], ["订单 1001：已发货，物流 SF123。"])).toBe("");
    expect(kept("您的订单由 YT999 配送。", [], ["订单 1001：已发货，物流 SF123。"])).toBe("");
  });

  it("not by what was asked", () => {
    const asked = ["红包 60 天内都能提现，对吧"];
    const answer = "红包 60 天内能提现。";
    expect(checkedAnswer(answer, { quotes: [shop.redPacket], known: [], asked }).kept).toBe("");
  });
});

describe("what is known in another language, without quotes, grounds nothing", () => {
  it.each([
    ["The store buys old phones.", "用户：黑金会员"],
    ["We buy phones.", "草莓蛋糕，88 元，已签收。"],
    ["我们收购旧手机。", "A gold member since 2021."],
  ])("%s", (answer, fact) => {
    const asked = ["Do you buy old phones?", "你们收购旧手机吗？"];
    expect(checkedAnswer(answer, { quotes: [], known: [fact], asked }).kept).toBe("");
  });
});

it("says in one sentence why a sentence is dropped", () => {
  const { dropped } = checkedAnswer("红包有效期 60 天。", { quotes: [shop.redPacket], known: [] });
  expect(dropped).toEqual([
    {
      sentence: "红包有效期 60 天。",
      why: 'Leave out or correct "红包有效期 60 天。": "60 天" stands in no quote.',
    },
  ]);
});

it.each([
  ["Russian", "Доставка стоит 5 евро. Возврат бесплатный."],
  ["Arabic", "التوصيل مجاني."],
  ["Japanese", "送料は五百円です。"],
  ["emoji", "👍🏽 👩‍👩‍👧 8️⃣"],
  ["half a character", "\ud83d 折 \udc4d"],
  ["markup", '```json\n{"a": 1}\n```\n<b>x</b> [a](b) ![c](d)'],
])("does not fail on %s", (_, text) => {
  expect(() => checkedAnswer(text, { quotes: [text, shop.cards], known: [text] })).not.toThrow();
});

// Were one of them read in more than about linear time, it would not end before the test's time is over.
it.each([
  { name: "sentences of its evidence", piece: Object.values(shop).join("\n") },
  ...["不", "如果", "a, ", "除外", " ", "（", "**"].map((piece) => ({ name: piece, piece })),
])("checks a long answer of $name", ({ piece }) => {
  const text = piece.repeat(20_000 / piece.length);
  const check = () => checkedAnswer(text, { quotes: Object.values(shop), known: [] });
  expect(check).not.toThrow();
});
