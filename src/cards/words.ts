/** The languages in which cards are told. */
export type Language = "zh" | "en";

/** Chinese if a text has Han characters. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

/** What a model is told where a card's definition has no words. */
export const words = {
  zh: {
    yes: "是",
    no: "否",
    listComma: "、",
    card: (texts: string) => (texts === "" ? "[一张卡片]" : `[卡片：${texts}]`),
    comma: "；",
    more: (count: number) => `[还有${count}张卡片]`,
    not_shown: "（用户点击了一张没有展示过的卡片。）",
    already_answered: "（用户再次点击了一张已经答复过的卡片。）",
    unreadable: "（用户点击了卡片，但点击的内容无法识别。）",
  },
  en: {
    yes: "yes",
    no: "no",
    listComma: ", ",
    card: (texts: string) => (texts === "" ? "[a card]" : `[card: ${texts}]`),
    comma: "; ",
    more: (count: number) => `[and ${count} more]`,
    not_shown: "(The user clicked on a card that was not shown.)",
    already_answered: "(The user clicked again on a card that is already answered.)",
    unreadable: "(The user clicked on a card, but the click cannot be read.)",
  },
} as const;

/** The beginning of a text, without half a character at its end. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A text on one line, without control characters and the tags that no person sees. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cs}\u{E0000}-\u{E007F}]+/gu, " ").trim();
}
