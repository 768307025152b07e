/** A text that may still be growing, and how far it has been read. */
export type TextSource = { readonly chars: string[]; at: number; isEnded: boolean };

/** A reading that stops where it needs more text, and goes on once there is more. */
export type Reading<Result> = Generator<undefined, Result, undefined>;

/** Adds text at the end of a source. */
export function appendText(source: TextSource, text: string): void {
  for (let at = 0; at < text.length; at += 1) source.chars.push(text.charAt(at));
}

/** The character at a place, or "" where the text ends. */
export function* charAt(source: TextSource, at: number): Reading<string> {
  while (at >= source.chars.length && !source.isEnded) yield;
  return source.chars[at] ?? "";
}

/** Where the line ends that `from` stands in, or where its first `limit` characters do. */
export function* lineEnd(source: TextSource, from: number, limit = Infinity): Reading<number> {
  for (let at = from; ; at += 1) {
    const char = yield* charAt(source, at);
    if (char === "" || char === "\n" || at - from >= limit) return at;
  }
}

/** Where the next character stands that is no blank, from `from` on. */
export function* skipBlanks(source: TextSource, from: number): Reading<number> {
  for (let at = from; ; at += 1) {
    const char = yield* charAt(source, at);
    if (char === "" || char.trim() !== "") return at;
  }
}

/** What stands between two places. */
export function textOf(source: TextSource, from: number, to: number): string {
  return source.chars.slice(from, to).join("");
}
