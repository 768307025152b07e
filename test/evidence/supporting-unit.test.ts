import { describe, expect, it } from "vitest";

import { supportingUnit } from "../../src/evidence/supporting-unit.js";
import { liesAboutServices } from "./lies-about-services.js";
import { liesAboutShop } from "./lies-about-shop.js";
import { liesAboutShortTexts } from "./lies-about-short-texts.js";
import { shop } from "./shop-texts.js";

const texts = Object.entries(shop).map(([title, text]) => ({ id: title, title, text }));

describe("the unit that says what an answer says", () => {
  it.each([
    { answer: "西藏的时效是 6 天。", unit: "tibet" },
    { answer: "江浙沪首重费用 6 元。", unit: "shanghai" },
    { answer: "苹果常温下可以保存7天。", unit: "apples" },
    { answer: "Refunds are paid within 5 working days.", unit: "refundEn" },
    { answer: "Express shipping costs 14 euros.", unit: "shippingEn" },
  ])("$answer", ({ answer, unit }) => {
    expect(supportingUnit(answer, texts)?.id).toBe(unit);
  });

  it.each([
    { name: "a figure of another row", answer: "西藏的时效是 2 天。" },
    { name: "another figure", answer: "西藏的时效是 8 天。" },
    { name: "another subject", answer: "香港的时效是 6 天。" },
    { name: "a word of the question alone", answer: "拉萨和西藏的时效是 6 天。" },
    { name: "two texts", answer: "西藏的时效是 6 天，苹果冷藏可以保存 30 天。" },
    { name: "a second sentence without a ground", answer: "西藏的时效是 6 天。不用运费。" },
    { name: "a condition cut off", answer: "We pay nothing for shipping, and 6 euros." },
    { name: "a negation turned round", answer: "普通会员打折，高级会员 9.5 折。" },
    { name: "no figure", answer: "不支持货到付款。" },
    { name: "nothing", answer: "" },
    { name: "a figure alone", answer: "6" },
  ])("is none for $name", ({ answer }) => {
    expect(supportingUnit(answer, texts)).toBeUndefined();
  });

  const lies = [liesAboutShop, liesAboutShortTexts, liesAboutServices].flatMap((kinds) =>
    Object.values(kinds).flatMap((rows) => rows.map(([quotes, , answer]) => ({ quotes, answer }))),
  );

  it.each(lies)("is none for the lie $answer", ({ quotes, answer }) => {
    const quoted = quotes.map((text, at) => ({ id: `quote-${at}`, title: "", text }));
    expect(supportingUnit(answer, [...quoted, ...texts])).toBeUndefined();
  });
});
