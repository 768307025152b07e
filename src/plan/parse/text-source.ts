import { findJson } from "../../json/find-json.js";
import { isRecord, type Json } from "../../json/json.js";

/** A text that may still grow, and the position up to which it was read. */
export type TextSource = { readonly chars: string[]; at: number; isEnded: boolean };

/** A read that pauses when it needs more text. */
export type Reading<Result> = Generator<undefined, Result, undefined>;

/** Appends text to a source. */
export function appendText(source: TextSource, text: string): void {
  for (let at = 0; at < text.length; at += 1) source.chars.push(text.charAt(at));
}

/** The character at a position, or "" at the end of the text. */
export function* charAt(source: TextSource, at: number): Reading<string> {
  while (at >= source.chars.length && !source.isEnded) yield;
  return source.chars[at] ?? "";
}

/** The end of the line that contains `from`, or of its first `limit` characters. */
export function* lineEnd(source: TextSource, from: number, limit = Infinity): Reading<number> {
  for (let at = from; ; at += 1) {
    const char = yield* charAt(source, at);
    if (char === "" || char === "\n" || at - from >= limit) return at;
  }
}

/** The position of the next non-blank character, starting at `from`. */
export function* skipBlanks(source: TextSource, from: number): Reading<number> {
  for (let at = from; ; at += 1) {
    const char = yield* charAt(source, at);
    if (char === "" || char.trim() !== "") return at;
  }
}

/** The text between two positions. */
export function textOf(source: TextSource, from: number, to: number): string {
  return source.chars.slice(from, to).join("");
}

/** Whether the bracket at the end of `before` begins JSON with content: not "{{E1}}", "f[x]" or "[1]". */
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

/** The state of a read with regard to quotation marks. */
export type QuoteScan = {
  /** The character that ends the current quotation. */
  closer: string | undefined;
  isEscaped: boolean;
  /** The last non-blank character. */
  before: string;
};

/** Reads a character inside a quotation; true if it ends the quotation. */
export function scanQuoted(scan: QuoteScan, char: string): boolean {
  const isEnd = char === scan.closer && !scan.isEscaped;
  scan.isEscaped = char === "\\" && !scan.isEscaped;
  if (isEnd) scan.closer = undefined;
  if (isEnd) scan.before = char;
  return isEnd;
}

/** The object or list that a text consists of; nothing if there is none, or more text. */
export function readWholeJson(text: string): Json | undefined {
  const trimmed = text.trim();
  const [first] = findJson(trimmed).found;
  return first?.start === 0 && first.end === trimmed.length ? asJson(first.value) : undefined;
}

/** A value as JSON data: values that JSON cannot hold become null. */
export function asJson(value: unknown): Json {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((each: unknown) => asJson(each));
  if (!isRecord(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asJson(each)]));
}
