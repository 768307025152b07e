/** A text of JSON as models write it, read in one pass. */
export type ScannedJson = {
  /** The text with ASCII punctuation outside its strings, and strings between double quotes. */
  readonly ascii: string;
  /** The same with a mark in place of each string; `unmarked` puts the strings back. */
  readonly bare: string;
  readonly strings: readonly string[];
  /** Whether the text ends inside a string. */
  readonly isOpen: boolean;
  /** The brackets that would close every open one. */
  readonly missing: string;
  /** The largest number of open brackets. */
  readonly depth: number;
  /** The end of the value that begins at the start; `undefined` if it never ends. */
  readonly end: number | undefined;
  /** Whether quotes, brackets or backslashes make the structure ambiguous. */
  readonly isTangled: boolean;
};

/** Full-width punctuation and its JSON equivalent. Only for texts that are not JSON. */
const asciiOf: { readonly [char: string]: string } = {
  "：": ":",
  "，": ",",
  "｛": "{",
  "｝": "}",
  "【": "[",
  "】": "]",
  "［": "[",
  "］": "]",
};

/** The end of a string that begins with this character. */
export const quoteCloser: { readonly [opener: string]: string } = {
  '"': '"',
  "“": "”",
  "'": "'",
  "‘": "’",
  "`": "`",
};

const pairs: { readonly [opener: string]: string } = { "{": "}", "[": "]" };

/** The state of a scan. */
class Scan {
  ascii = "";
  bare = "";
  readonly strings: string[] = [];
  /** The current string so far. */
  string = "";
  /** The end of the current string. */
  closer: string | undefined;
  /** Whether the last string follows a colon. */
  isMember = false;
  /** Where the last string ended. */
  stringEnd: number | undefined;
  /** The open brackets, innermost last. */
  readonly open: string[] = [];
  /** The largest number of open brackets so far. */
  depth = 0;
  /** The last character outside a string that is not a blank. */
  before = "";
  /** A bracket has closed another one than its own. At the very end that is harmless. */
  isMismatched = false;
  isTangled = false;
  /** No more block comments end; searching again and again would take forever. */
  hasNoEnd = false;
}

/** A text with its strings in place of their marks. */
export function unmarked(bare: string, strings: readonly string[]): string {
  return bare.replaceAll(/"\u{e000}(\d+)"/gu, (mark, at) => strings[Number(at)] ?? mark);
}

/** Reads a text from `start`, to its end or, with `oneValue`, to the end of the value that begins there. */
export function scanJson(text: string, start = 0, oneValue = false): ScannedJson {
  const scan = new Scan();
  for (let at = start; at < text.length; at += 1) {
    if (scan.closer !== undefined) at += readInString(scan, text, at);
    else {
      const end = commentEnd(text, at, scan);
      if (end > at) {
        at = end - 1;
        continue;
      }
      readOutside(scan, text, at);
      if (oneValue && scan.open.length === 0) return scanned(scan, at + 1);
    }
  }
  return scanned(scan, undefined);
}

function scanned(scan: Scan, end: number | undefined): ScannedJson {
  const { ascii, bare, strings, closer, open, depth, isTangled } = scan;
  const missing = open.toReversed().join("");
  return { ascii, bare, strings, isOpen: closer !== undefined, missing, depth, end, isTangled };
}

/** Reads a character of a string, or an escape; returns the number of characters beyond one. */
function readInString(scan: Scan, text: string, at: number): number {
  const char = text.charAt(at);
  const more = char === "\\" ? 1 : 0;
  const isEnd = char === scan.closer;
  scan.string += isEnd ? '"' : inString(text.slice(at, at + 1 + more));
  // A letter after a backslash without a meaning stands for itself, and its neighbours may, too.
  scan.isTangled ||= more > 0 && /[ac-eg-mo-qsv-zA-Z0-9]/.test(text.charAt(at + 1));
  if (isEnd) {
    scan.closer = undefined;
    scan.stringEnd = at;
    scan.bare += `"\u{e000}${scan.strings.length}"`;
    scan.strings.push(scan.string);
    scan.ascii += scan.string;
  }
  return more;
}

/** Characters that are allowed outside strings. */
const plainSign = /[\w\s.+\-$/{}[\]:,]/;

function readOutside(scan: Scan, text: string, at: number): void {
  const char = text.charAt(at);
  const plain = asciiOf[char] ?? char;
  scan.closer = opens(char, scan.before) ? quoteCloser[char] : undefined;
  if (scan.open.length > 0) checkPlace(scan, text, at, plain);
  if (scan.closer === undefined) {
    const sign = plain.replace(/[^\S\r\n]/, " ");
    scan.ascii += sign;
    scan.bare += sign;
  } else {
    scan.string = '"';
    scan.isMember = scan.before === ":";
  }
  if (plain.trim() !== "") scan.before = plain;
  count(plain, scan);
  scan.depth = Math.max(scan.depth, scan.open.length);
}

/** Whether a sign is allowed here: after a string only before another key or value. */
function checkPlace(scan: Scan, text: string, at: number, plain: string): void {
  const isString = scan.closer !== undefined;
  const isOdd = !isString && !plainSign.test(plain) && plain !== "…";
  scan.isTangled ||= isOdd;
  if (scan.stringEnd === undefined || plain.trim() === "") return;
  const isNext = isString ? isNextMember(scan, text, at) : ",:}]/".includes(plain);
  scan.isTangled ||= !isNext;
  scan.stringEnd = undefined;
}

/** Whether a string may follow the previous one: on its own line, or as a member's key. */
function isNextMember({ stringEnd = 0, isMember }: Scan, text: string, at: number): boolean {
  const between = text.slice(stringEnd + 1, at);
  return between.includes("\n") || (isMember && between !== "" && isKeyAt(text, at));
}

const plainKey = /["“][\p{L}\w-]{1,60}["”]\s{0,9}[:：]/uy;

/** Whether a name and a colon are here: after a value only a comma is missing then. */
function isKeyAt(text: string, at: number): boolean {
  plainKey.lastIndex = at;
  return plainKey.test(text);
}

/** Updates the open brackets. */
function count(char: string, scan: Scan): void {
  const closing = pairs[char];
  if (char === "}" || char === "]") {
    if (scan.open.pop() !== char) scan.isMismatched = true;
    return;
  }
  scan.isTangled ||= isTangling(char, scan);
  if (closing !== undefined) scan.open.push(closing);
}

/** Whether a sign that is not a closing bracket shows that an earlier one was too many, too few or wrong. */
function isTangling(char: string, { open, depth, isMismatched }: Scan): boolean {
  const isBehindAll = depth > 0 && open.length === 0 && !/[\s{[/]/.test(char);
  const isKeyInList = char === ":" && open.at(-1) === "]";
  return isBehindAll || isKeyInList || (isMismatched && char.trim() !== "");
}

/** Single quotes open a string only where one may begin: elsewhere they are apostrophes. */
function opens(char: string, before: string): boolean {
  return char === '"' || char === "“" || "{[,:".includes(before);
}

/** A character, or an escape, as it is written between double quotes. A backslash before a sign is one. */
function inString(chars: string): string {
  if (chars === '"') return '\\"';
  if (/[\n\r\t]/.test(chars)) return JSON.stringify(chars.at(-1)).slice(1, -1);
  if (/^\\['`“”‘’]$/.test(chars)) return chars.slice(1);
  return /^\\[^\w"\\/\s]$/.test(chars) ? `\\${chars}` : chars;
}

/** The end of the comment that begins here; this place, if there is none. An address is not a comment, nor is `#tag`. */
function commentEnd(text: string, at: number, scan: Scan): number {
  if (scan.depth === 0) return at;
  const char = text.charAt(at);
  if (char === "#") return isHashComment(text, at, scan) ? lineEnd(text, at) : at;
  return char === "/" && text.charAt(at - 1) !== ":" ? slashEnd(text, at, scan) : at;
}

function isHashComment(text: string, at: number, { before }: Scan): boolean {
  return /^#\s/.test(text.slice(at, at + 2)) && /[{}[\],"“'‘`]/.test(before);
}

function slashEnd(text: string, at: number, scan: Scan): number {
  const next = text.charAt(at + 1);
  if (next === "/") return lineEnd(text, at);
  if (next !== "*" || scan.hasNoEnd) return at;
  const end = text.indexOf("*/", at + 2);
  scan.hasNoEnd = end < 0;
  return end < 0 ? at : end + 2;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
