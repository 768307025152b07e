import { describe, expect, it } from "vitest";

import { analyse } from "../../src/knowledge/text/analyse.js";
import { openTerms } from "../../src/knowledge/text/read-terms.js";

const none = await openTerms(undefined);
const shop = await openTerms({
  synonyms: { 自动出价计划: ["自动计划"], 达人联盟: ["小店推"], Refund: ["money back"] },
  protected: ["黑金会员", "AI"],
  stop: ["麻烦"],
});

describe("analyse", () => {
  it.each<{ text: string; tokens: readonly string[] }>([
    { text: "", tokens: [] },
    { text: "怎么成为黑金", tokens: ["么成", "成为", "为黑", "黑金"] },
    { text: "运 费", tokens: ["运", "费"] },
    { text: "Refunds, refunded; REFUND!", tokens: ["refund", "refund", "refund"] },
    { text: "Café ｆｕｌｌ　ｗｉｄｔｈ", tokens: ["cafe", "full", "width"] },
    { text: "打8.8折 v2.1 end.", tokens: ["打", "8.8", "折", "v2", "1", "end"] },
    { text: "iPhone15手机壳", tokens: ["iphone15", "手机", "机壳"] },
    { text: "但是存在", tokens: ["是存", "存在"] },
    { text: "カメラのレンズ", tokens: ["カメ", "メラ", "ラの", "のレ", "レン", "ンズ"] },
    { text: "где мой заказ", tokens: ["где", "мои", "заказ"] },
  ])("finds the tokens of $text", ({ text, tokens }) => {
    expect(analyse(text, none)).toEqual(tokens);
  });

  it("leaves out what says nothing, unless nothing else is there", () => {
    expect(analyse("what is the price of it", none)).toEqual(["price"]);
    expect(analyse("what is it", none)).toEqual(["what", "is", "it"]);
    expect(analyse("怎么了", none)).toEqual(["怎么", "么了"]);
    expect(analyse("麻烦", shop)).toEqual(["麻烦"]);
    expect(analyse("麻烦退款", shop)).toEqual(["烦退", "退款"]);
  });

  it("adds a name to its pieces, under its present form", () => {
    expect(analyse("黑金会员", shop)).toEqual(["=黑金会员", "黑金", "金会", "会员"]);
    expect(analyse("自动计划", shop)).toEqual(["=自动出价计划", "自动", "动计", "计划"]);
    expect(analyse("my money back", shop)).toEqual(["=refund", "monei", "back"]);
  });

  it("takes any sign in a name", async () => {
    const signs = await openTerms({
      synonyms: { "C++ (2a)": ["c-plus.plus/x"] },
      protected: ["[$^*?|{}\\"],
    });
    expect(analyse("in c-plus.plus/x", signs)).toContain("=c2a");
    expect(analyse("C++ (2a)", signs)).toContain("=c2a");
    expect(analyse("cxplusxplus/x", signs)).not.toContain("=c2a");
    expect(signs.namesIn("a [$^*?|{}\\ b")).toHaveLength(1);
  });

  it("takes the longer of two names, and Latin names as whole words only", () => {
    expect(analyse("自动出价计划", shop)).toContain("=自动出价计划");
    expect(analyse("AI said", shop)).toContain("=ai");
    expect(analyse("said", shop)).not.toContain("=ai");
    expect(analyse("用AI写", shop)).toContain("=ai");
  });

  // Were they read in more than about linear time, it would not end before the test's time is over.
  it("reads long texts", () => {
    expect(analyse("ab.".repeat(200_000), shop)).not.toEqual([]);
    expect(analyse("自动".repeat(200_000), shop)).not.toEqual([]);
  });
});

it("a question is embedded with the present names of things", () => {
  expect(shop.withPresentNames("小店推 fees")).toBe("小店推 (达人联盟) fees");
  expect(shop.withPresentNames("达人联盟 Fees")).toBe("达人联盟 fees");
  expect(none.withPresentNames("小店推 Fees")).toBe("小店推 Fees");
});
