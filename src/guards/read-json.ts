import { jsonrepair } from "jsonrepair";

/** What a text was read as, or why it could not be: with the place where it broke. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads JSON that a model wrote. Slips of form (fences, single quotes, trailing commas, full-width
 * punctuation) are repaired with `jsonrepair`; a text that stops in the middle or leaves a value out
 * is not: what is missing would be guessed.
 */
export function readJson(text: string): ReadJson {
  const body = withoutFence(text.trim());
  try {
    return { ok: true, value: JSON.parse(body), repaired: false };
  } catch (error) {
    if (isCut(body)) return { ok: false, problem: `the JSON stops early: ${quoteEnd(body)}` };
    if (hasGap(body))
      return { ok: false, problem: `the JSON leaves a value out: ${quoteEnd(body)}` };
    return repaired(body, error);
  }
}

function repaired(body: string, error: unknown): ReadJson {
  try {
    const value: unknown = JSON.parse(jsonrepair(scan(body).ascii));
    return { ok: true, value, repaired: true };
  } catch {
    const reason = error instanceof Error ? error.message : "not JSON";
    return { ok: false, problem: `${reason}; the text was ${quoteEnd(body)}` };
  }
}

/** Whether a JSON text ends inside a string or with open brackets. */
function isCut(text: string): boolean {
  const { bare, isOpen } = scan(text);
  const opened = bare.match(/[{[]/g)?.length ?? 0;
  const closed = bare.match(/[}\]]/g)?.length ?? 0;
  return isOpen || opened > closed;
}

/** Whether a key has no value, or an ellipsis stands for some. */
function hasGap(text: string): boolean {
  return /:\s*[,}]|\.{3}|…/.test(scan(text).bare);
}

function withoutFence(text: string): string {
  return /^```[\w-]*\s*\n?([\s\S]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text;
}

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

/** A text read in one pass: with ASCII punctuation outside its strings, without them, and whether the last is left open. */
function scan(text: string): {
  readonly ascii: string;
  readonly bare: string;
  readonly isOpen: boolean;
} {
  let [ascii, bare, before] = ["", "", ""];
  let closer: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (closer !== undefined) {
      const escape = char === "\\" ? 1 : 0;
      ascii += char === closer ? '"' : inString(text.slice(at, at + 1 + escape));
      if (char === closer) closer = undefined;
      at += escape;
    } else {
      const plain = asciiOf[char] ?? char;
      closer = opens(char, before) ? closers[char] : undefined;
      ascii += closer === undefined ? plain : '"';
      bare += plain;
      if (plain.trim() !== "") before = plain;
    }
  }
  return { ascii, bare, isOpen: closer !== undefined };
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

function quoteEnd(text: string): string {
  return text.length > 120 ? `"…${text.slice(-120)}"` : `"${text}"`;
}
