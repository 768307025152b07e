import { charAt, type Reading, skipBlanks, type TextSource } from "./text-source.js";

/**
 * Whether the bracket at a place begins JSON with something in it: not "{{E1}}", "f[x]" or "[1]".
 * `before` is the text up to the bracket, with it.
 */
export function* startsJson(source: TextSource, at: number, before: string): Reading<boolean> {
  if (!/(?:^|[^\p{L}\p{N}_)\]}{$\\])[{｛[【]$/u.test(before)) return false;
  const inside = yield* skipBlanks(source, at + 1);
  const first = yield* charAt(source, inside);
  if (first === "") return false;
  if (`"'“‘/`.includes(first)) return true;
  if (/[[【]$/.test(before)) return "{｛".includes(first);
  return yield* startsKey(source, inside);
}

/** Whether a key without quotation marks begins here. */
function* startsKey(source: TextSource, from: number): Reading<boolean> {
  for (let at = from; at < from + 20; at += 1) {
    const char = yield* charAt(source, at);
    if (char === ":" || char === "：") return at > from;
    if (!/^[\w\s]$/.test(char)) return false;
  }
  return false;
}
