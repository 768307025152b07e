/** So far a sentence is looked at: a text of calls on one line must not take all day. */
const reach = 300;

/** Whether words stand before and behind a piece of a text on its line: it is talked about then. */
export function isInSentence(text: string, start: number, end: number): boolean {
  const before =
    text
      .slice(Math.max(0, start - reach), start)
      .split("\n")
      .at(-1) ?? "";
  const after = text.slice(end, end + reach).split("\n", 1)[0] ?? "";
  // oxlint-disable-next-line regexp/no-super-linear-move -- at most `reach` characters
  return /\p{L}[\p{L} ]/u.test(before.replaceAll(/<[^>]*>/g, "")) && /^[\s,;]*\p{L}/u.test(after);
}
