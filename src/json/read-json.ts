import { jsonrepair, JSONRepairError } from "jsonrepair";

import { parseExact } from "./exact-json.js";
import { isTooDeep, maxDepth } from "./json.js";
import { scanJson, type ScannedJson, unmarked } from "./scan-json.js";

/** The value of a text, or why it could not be read and where it broke. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads JSON that a model wrote. `jsonrepair` repairs slips of form (fences, quotes, commas, full-width punctuation);
 * text that is cut, lacks a value or nests too deep fails, because the rest would be a guess. Numbers keep their
 * digits, as text if needed.
 */
export function readJson(text: string): ReadJson {
  const read = readShallow(text);
  return read.ok && isTooDeep(read.value)
    ? { ok: false, problem: `the JSON nests more than ${maxDepth} objects and lists` }
    : read;
}

function readShallow(text: string): ReadJson {
  const body = withoutFence(text.trim());
  try {
    return { ok: true, value: parseExact(body), repaired: false };
  } catch (error) {
    const scanned = scanJson(body);
    const { bare, isOpen, missing, isTangled } = scanned;
    if (isOpen || missing !== "") {
      return { ok: false, problem: `the JSON stops early: ${quoteEnd(body)}` };
    }
    if (isTangled) {
      return {
        ok: false,
        problem: `the quotes, brackets or escapes of the JSON do not match: ${quoteEnd(body)}`,
      };
    }
    const gap = /[:,[{]\s*,|:\s*[}\]]|\.{3}|…/.test(bare);
    if (gap) return { ok: false, problem: `the JSON leaves a value out: ${quoteEnd(body)}` };
    return repaired(body, scanned, error);
  }
}

function repaired(body: string, scanned: ScannedJson, error: unknown): ReadJson {
  try {
    return { ok: true, value: parsed(scanned), repaired: true };
  } catch (unrepairable) {
    const reason = error instanceof Error ? error.message : "not JSON";
    return { ok: false, problem: `${reason}; ${quoteBreak(body, unrepairable, scanned)}` };
  }
}

/** Longer texts are not repaired: for some, `jsonrepair` reads every part from every other. */
const maxRepaired = 100_000;

/** Text that the scan turned into JSON needs no repair; in other texts only the parts around strings are repaired. */
function parsed({ ascii, bare, strings }: ScannedJson): unknown {
  try {
    return parseExact(ascii);
  } catch (error) {
    if (bare.length > maxRepaired) throw error;
    return parseExact(unmarked(jsonrepair(bare), strings));
  }
}

function withoutFence(text: string): string {
  const [opening] = /^```[\w-]*/.exec(text) ?? [];
  const isFenced =
    opening !== undefined && text.length >= opening.length + 3 && text.endsWith("```");
  return isFenced ? text.slice(opening.length, -3).trim() : text;
}

/** How much of a text is quoted in a message. */
const quoteChars = 120;

/** The end of a text, in quotation marks. */
export function quoteEnd(text: string): string {
  return text.length > quoteChars ? `"…${text.slice(-quoteChars)}"` : `"${text}"`;
}

/** The text around the place where reading failed. */
function quoteBreak(text: string, error: unknown, { bare, strings }: ScannedJson): string {
  if (!(error instanceof JSONRepairError) || text.length <= quoteChars) {
    return `the text was ${quoteEnd(text)}`;
  }
  const position = unmarked(bare.slice(0, error.position), strings).length;
  const from = Math.max(0, position - quoteChars / 2);
  const to = Math.min(text.length, position + quoteChars / 2);
  const quote = `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
  return `it breaks at character ${position}, in the middle of "${quote}"`;
}
