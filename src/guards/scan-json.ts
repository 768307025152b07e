/** A text of JSON as models write it, read in one pass. */
export type ScannedJson = {
  /** The text with ASCII punctuation outside its strings, and strings between double quotes. */
  readonly ascii: string;
  /** The same without its strings. */
  readonly bare: string;
  /** Whether the text ends inside a string. */
  readonly isOpen: boolean;
  /** What would have to follow to close every bracket. */
  readonly missing: string;
  /** How many brackets were open at once. */
  readonly depth: number;
  /** Where the value that begins at the start is closed; nothing where it never is. */
  readonly end: number | undefined;
};

/** Full-width punctuation as JSON has it. Only for texts that are not JSON as they stand. */
const asciiOf: { readonly [char: string]: string } = {
  "：": ":",
  "，": ",",
  "｛": "{",
  "｝": "}",
  "【": "[",
  "】": "]",
};

/** What closes a string that this character opens. */
const closers: { readonly [opener: string]: string } = { '"': '"', "“": "”", "'": "'", "‘": "’" };

const pairs: { readonly [opener: string]: string } = { "{": "}", "[": "]" };

/** Where a scan stands. */
type Scan = {
  ascii: string;
  bare: string;
  /** The last character outside a string that is no blank. */
  before: string;
  /** What ends the string that is being read. */
  closer: string | undefined;
  /** The brackets that still want closing, innermost last. */
  readonly open: string[];
  depth: number;
};

/** Reads a text from `start`, to its end or, with `oneValue`, to the end of the value that begins there. */
export function scanJson(text: string, start = 0, oneValue = false): ScannedJson {
  const scan: Scan = { ascii: "", bare: "", before: "", closer: undefined, open: [], depth: 0 };
  for (let at = start; at < text.length; at += 1) {
    if (scan.closer !== undefined) at += readInString(scan, text, at);
    else {
      readOutside(scan, text.charAt(at));
      if (oneValue && scan.open.length === 0) return scanned(scan, at + 1);
    }
  }
  return scanned(scan, undefined);
}

function scanned(scan: Scan, end: number | undefined): ScannedJson {
  const { ascii, bare, closer, open, depth } = scan;
  const missing = open.toReversed().join("");
  return { ascii, bare, isOpen: closer !== undefined, missing, depth, end };
}

/** Reads a character of a string, or an escape; returns how many characters more than one. */
function readInString(scan: Scan, text: string, at: number): number {
  const char = text.charAt(at);
  const more = char === "\\" ? 1 : 0;
  const isEnd = char === scan.closer;
  scan.ascii += isEnd ? '"' : inString(text.slice(at, at + 1 + more));
  if (isEnd) scan.closer = undefined;
  return more;
}

function readOutside(scan: Scan, char: string): void {
  const plain = asciiOf[char] ?? char;
  scan.closer = opens(char, scan.before) ? closers[char] : undefined;
  scan.ascii += scan.closer === undefined ? plain : '"';
  scan.bare += plain;
  if (plain.trim() !== "") scan.before = plain;
  count(plain, scan.open);
  scan.depth = Math.max(scan.depth, scan.open.length);
}

/** Keeps account of the brackets that still want closing. */
function count(char: string, open: string[]): void {
  const closing = pairs[char];
  if (closing !== undefined) open.push(closing);
  else if (char === "}" || char === "]") open.pop();
}

/** Single quotes open a string only where one may begin: elsewhere they are apostrophes. */
function opens(char: string, before: string): boolean {
  return char === '"' || char === "“" || "{[,:".includes(before);
}

/** A character, or an escape, as it stands between double quotes. */
function inString(chars: string): string {
  if (chars === '"') return '\\"';
  return chars === "\\'" ? "'" : chars;
}
