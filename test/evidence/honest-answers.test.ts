import { describe, expect, it } from "vitest";

import { checkedAnswer } from "../../src/evidence/checked-answer.js";
import { honestAdvertising } from "./honest-advertising.js";
import { honestEnglish } from "./honest-english.js";
import { honestShopping } from "./honest-shopping.js";
import { honestShort } from "./honest-short.js";

const rows = [...honestShopping, ...honestAdvertising, ...honestEnglish, ...honestShort];

/** True answers that are dropped in part: the caller shows the quotes in their place. */
const costs = new Set([
  // The condition stands in a part of its own, and the quote has it in one.
  "an order by mistake",
  // "Ordinary" stands in no quote.
  "shipping as a numbered list",
  "a limit of plans",
  // Who pays what is told in another verb.
  "an exchange",
  // Words that stand in no quote: "after sending", "campaign".
  "short: 多久可以评价？",
  "short: 新疆包邮吗？",
  // Names and figures in turn.
  "short: 各卡积分？",
]);

describe("an honest answer goes out whole", () => {
  it("does so in at least nine of ten cases", () => {
    expect(rows.length).toBeGreaterThanOrEqual(100);
    expect(costs.size).toBeLessThanOrEqual(rows.length / 10);
  });

  it.each(rows.filter(([name]) => !costs.has(name)))("%s", (_name, quotes, asked, answer) => {
    expect(checkedAnswer(answer, { quotes, known: [asked] })).toEqual({
      kept: answer,
      dropped: [],
    });
  });

  it.each(rows.filter(([name]) => costs.has(name)))(
    "%s, not yet",
    (_name, quotes, asked, answer) => {
      expect(checkedAnswer(answer, { quotes, known: [asked] }).dropped).not.toEqual([]);
    },
  );
});
