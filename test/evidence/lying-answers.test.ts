import { describe, expect, it } from "vitest";

import { checkedAnswer } from "../../src/evidence/checked-answer.js";
import { liesAboutServices } from "./lies-about-services.js";
import { liesAboutShop } from "./lies-about-shop.js";
import { liesAboutShortTexts } from "./lies-about-short-texts.js";
import type { LieRow } from "./shop-texts.js";

const rows = [liesAboutShop, liesAboutShortTexts, liesAboutServices].flatMap((kinds) =>
  Object.entries(kinds).flatMap(([kind, lies]) =>
    lies.map((lie): readonly [kind: string, answer: string, lie: LieRow] => [kind, lie[2], lie]),
  ),
);

/** Lies that go out. */
const unseen = new Set([
  // "Only" stands where the quote has "not".
  "Vouchers can be used only online.",
  // The sentence and its ground both deny once, but not the same.
  "Without the receipt we can refund.",
]);

describe("a lie does not go out", () => {
  it("is tried in at least 160 ways of at least 13 kinds, with four each", () => {
    const kinds = [...new Set(rows.map(([kind]) => kind))];
    expect(rows.length).toBeGreaterThanOrEqual(160);
    expect(kinds.length).toBeGreaterThanOrEqual(13);
    expect(kinds.filter((kind) => rows.filter(([one]) => one === kind).length < 4)).toEqual([]);
  });

  it.each(rows.filter(([, answer]) => !unseen.has(answer)))(
    "%s: %j",
    (_kind, answer, [quotes, asked, , truth = ""]) => {
      expect(checkedAnswer(answer, { quotes, known: [asked] }).kept).toBe(truth);
    },
  );

  it.each(rows.filter(([, answer]) => unseen.has(answer)))(
    "%s: %j, not yet",
    (_kind, answer, [quotes, asked]) => {
      expect(checkedAnswer(answer, { quotes, known: [asked] }).kept).toBe(answer);
    },
  );
});
