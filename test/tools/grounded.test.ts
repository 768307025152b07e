import { describe, expect, it } from "vitest";

import { ungrounded } from "../../src/tools/check-arguments.js";

const check = (value: unknown, ...texts: readonly string[]) =>
  ungrounded(["id"], { id: value }, texts);

describe("ungrounded", () => {
  it.each<{ name: string; value: unknown; text: string }>([
    { name: "an id in a sentence", value: "A-17", text: "Cancel order A-17, please." },
    { name: "an id in another case", value: "ab-17", text: "order AB-17" },
    { name: "an id in JSON", value: "A-17", text: '{"id":"A-17"}' },
    { name: "an id in Chinese text", value: "A17", text: "订单A17已发货" },
    { name: "a Chinese name", value: "北京", text: "我在北京工作" },
    { name: "a text with quotes", value: 'the "big" one', text: 'take the "big" one' },
    { name: "a text of two lines", value: "a\nb", text: "a\nb" },
    { name: "a number", value: 1200, text: "pay 1200 now" },
    { name: "a number with a separator", value: 1200, text: "pay 1,200 now" },
    { name: "a number as a text with separators", value: "1200000", text: "1'200'000" },
    { name: "a number with a currency sign", value: 12.5, text: "$12.50" },
    { name: "a number at the end of a sentence", value: 12, text: "I pay 12." },
    { name: "a number in Chinese text", value: 25, text: "共25元" },
    { name: "a negative number", value: -5, text: "it is -5 degrees" },
    { name: "every item of a list", value: ["A", "B"], text: "A and B" },
    { name: "every field of an object", value: { a: "A", b: 2 }, text: "A 2" },
    { name: "a truth value that was told", value: true, text: "insured: true" },
    { name: "nothing", value: undefined, text: "" },
    { name: "null", value: null, text: "" },
    { name: "an empty text", value: "", text: "" },
  ])("accepts $name", ({ value, text }) => {
    expect(check(value, "first", text)).toEqual([]);
  });

  it.each<{ name: string; value: unknown; text: string }>([
    { name: "what nobody said", value: "A-17", text: "Cancel my order." },
    { name: "a part of a longer id", value: "A-17", text: "order A-170" },
    { name: "a part of a longer word", value: "art", text: "start" },
    { name: "a part of a longer number", value: 12, text: "pay 1200" },
    { name: "the whole part of a fraction", value: 12, text: "pay 12.70" },
    { name: "the fraction of a number", value: 70, text: "pay 12.70" },
    { name: "a part of an id", value: 17, text: "order A17" },
    { name: "another amount", value: 12.51, text: "$12.50" },
    { name: "one item of a list", value: ["A", "C"], text: "A and B" },
    { name: "anything, without a text", value: 1, text: "" },
  ])("refuses $name", ({ value, text }) => {
    expect(check(value, text)).toEqual(["id"]);
  });

  it("names every parameter that is not grounded, and looks at no other", () => {
    const args = { id: "x", amount: 5, note: "z" };
    expect(ungrounded(["id", "amount"], args, ["5"])).toEqual(["id"]);
    expect(ungrounded([], args, [])).toEqual([]);
    expect(ungrounded(["id"], "no object", [])).toEqual([]);
  });
});
