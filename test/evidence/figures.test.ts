import { describe, expect, it } from "vitest";

import { figuresIn, ungroundedFigures } from "../../src/evidence/figures.js";

const values = (text: string) => figuresIn(text).map(({ value }) => value);

describe("figuresIn", () => {
  it.each([
    ["thousands", ["1,000", "1000", "１０００", "一千", "1千", "one thousand"], "1000"],
    ["tens of thousands", ["12000", "一万二", "1.2万", "12,000", "12k"], "12000"],
    [
      "shares",
      ["8.8折", "88折", "八八折", "88%", "88 %", "88 percent", "0.88", "百分之八十八"],
      "0.88",
    ],
    ["halves", ["五折", "50%", "一半", "对折", "half of it"], "0.5"],
    ["days", ["3 天", "three days", "三天", "3-day", "3 days"], "3 day"],
    ["weeks", ["一周", "7 天", "within a week", "one week"], "7 day"],
    ["years", ["一年内", "12 个月", "twelve months"], "12 month"],
    ["hours", ["半小时", "30 分钟", "30 minutes"], "0.5 hour"],
    ["working days", ["3 个工作日", "three working days", "3 business days"], "3 workday"],
    [
      "dates",
      [
        "2026-11-24",
        "2026年11月24日",
        "24 November 2026",
        "Nov 24, 2026",
        "2026/11/24",
        "二〇二六年十一月二十四日",
        "November 24th, 2026",
      ],
      "2026-11-24",
    ],
    ["days of a year", ["11月24日", "November 24", "24 Nov", "十一月二十四号"], "11-24"],
    ["times", ["9:30", "上午 9 点半", "9:30 am"], "9:30"],
    ["times in the evening", ["22:00", "晚上 10 点", "10 pm", "晚上十点"], "22:00"],
    ["yuan", ["¥59", "59 元", "59元", "59 RMB", "五十九元"], "59 CNY"],
    ["euros", ["€6", "6 euros", "6 EUR", "六欧元"], "6 EUR"],
    ["weekdays", ["周五", "星期五", "Fridays", "Friday"], "5 weekday"],
    ["columns", ["首重费用（元）: 8", "Fee (¥): 8"], "8 CNY"],
    ["telephone numbers", ["400-000-1234"], "4000001234"],
    ["cold", ["-18℃", "零下 18 度", "It is -18℃", "温度是-18度"], "-18 degree"],
    ["debts", ["a balance of -$120", "a balance of $-120", "minus $120"], "-120 USD"],
    ["lists and dashes", ["- 120 dollars", "the fee - 120 dollars", "Fee (more): $120"], "120 USD"],
    ["large amounts", ["1亿2000万元", "1.2亿元", "120000000元"], "120000000 CNY"],
  ])("reads %s in all their forms", (_, texts, value) => {
    for (const text of texts) expect([text, values(text)]).toEqual([text, [value]]);
  });

  it.each([
    [
      "words with a figure in them",
      "一个 一下 一些 一般 一起 第一 三方 四川 百货 十分 万一 千万别 一次性",
    ],
    ["English words with one in them", "one of them, no one, once you pay, the first step"],
    ["ordinals of a list", "1. 买\n2) 卖\n（3）送\n四、看\n第一步：走\nStep 2: run"],
    ["names", "A4 E1 3D SKU123 https://shop.example/12 a1@b2.example"],
    ["citations", "见资料 [1] 和 [^2]。"],
    ["other scripts", "три дня"],
  ])("reads no figure in %s", (_, text) => {
    expect(values(text)).toEqual([]);
  });

  it.each([
    ["2 到 4 天", ["2 day", "4 day"]],
    ["5-30%", ["0.05", "0.3"]],
    ["11月1日至12日", ["11-01", "11-12"]],
    ["满 100 减 20", ["100", "20"]],
    ["- 首重 8 元，续重 2 元", ["8 CNY", "2 CNY"]],
  ])("reads several figures in %s", (text, all) => {
    expect(values(text)).toEqual(all);
  });

  // Were one of them read in more than about linear time, it would not end before the test's time is over.
  it.each(["1", "一", "1,", "1-", "a1", "1 ", "二十 three days ", "a@", "周"])(
    "reads a long text of %j",
    (piece) => {
      expect(() => figuresIn(piece.repeat(100_000))).not.toThrow();
    },
  );
});

describe("ungroundedFigures", () => {
  it.each([
    ["a figure in another writing", "黑金会员享 88% 的价格", ["黑金会员 8.8 折"], []],
    ["12 % off for 8.8折", "You get 12% off.", ["8.8折"], []],
    ["another unit", "3 小时到账", ["3 天到账"], ["3 小时"]],
    ["another currency", "$14", ["14 元"], ["$14"]],
    ["no unit on one side", "8 元", ["8"], []],
    ["a date without its year", "11月24日", ["2026-11-24"], []],
    ["a year that is known", "2026年11月24日", ["11月24日", "今天是 2026-11-20"], []],
    ["a year that is not", "2027年11月24日", ["11月24日"], ["2027年11月24日"]],
    ["a figure that is nowhere", "满 99 元包邮，收 6 元", ["满 59 元包邮，不满收 6 元"], ["99 元"]],
    [
      "the number of an order",
      "订单 12345678901234567890",
      ["订单 12345678901234567891"],
      ["12345678901234567890"],
    ],
  ])("knows %s", (_, sentence, grounds, missing) => {
    expect(ungroundedFigures(sentence, grounds)).toEqual(missing);
  });
});
