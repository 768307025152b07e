import { jsonrepair, JSONRepairError } from "jsonrepair";

import { scanJson } from "./scan-json.js";
import { isTooDeep, maxDepth } from "./too-deep.js";

/** What a text was read as, or why it could not be: with the place where it broke. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads JSON that a model wrote. Slips of form (fences, single quotes, trailing commas, full-width
 * punctuation) are repaired with `jsonrepair`; a text that stops in the middle or leaves a value out
 * is not: what is missing would be guessed. Neither is one that nests too deep.
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
    return { ok: true, value: JSON.parse(body), repaired: false };
  } catch (error) {
    const { ascii, bare, isOpen, missing, isTangled } = scanJson(body);
    if (isOpen || missing !== "") {
      return { ok: false, problem: `the JSON stops early: ${quoteEnd(body)}` };
    }
    if (isTangled) {
      return {
        ok: false,
        problem: `the quotes, brackets or escapes of the JSON do not match: ${quoteEnd(body)}`,
      };
    }
    const gap = /[:,[]\s*,|:\s*[}\]]|\.{3}|…/.test(bare);
    if (gap) return { ok: false, problem: `the JSON leaves a value out: ${quoteEnd(body)}` };
    return repaired(body, ascii, error);
  }
}

function repaired(body: string, ascii: string, error: unknown): ReadJson {
  try {
    return { ok: true, value: parsed(ascii), repaired: true };
  } catch (unrepairable) {
    const reason = error instanceof Error ? error.message : "not JSON";
    return { ok: false, problem: `${reason}; ${quoteBreak(body, unrepairable)}` };
  }
}

/** What the scan made JSON needs no repair, which reads into the texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(jsonrepair(text));
  }
}

function withoutFence(text: string): string {
  const [opening] = /^```[\w-]*/.exec(text) ?? [];
  const isFenced =
    opening !== undefined && text.length >= opening.length + 3 && text.endsWith("```");
  return isFenced ? text.slice(opening.length, -3).trim() : text;
}

/** How much of a text is quoted. */
const quoteChars = 120;

/** The end of a text, in quotation marks. */
export function quoteEnd(text: string): string {
  return text.length > quoteChars ? `"…${text.slice(-quoteChars)}"` : `"${text}"`;
}

/** The text around the place where it could not be read any further. */
function quoteBreak(text: string, error: unknown): string {
  if (!(error instanceof JSONRepairError) || text.length <= quoteChars) {
    return `the text was ${quoteEnd(text)}`;
  }
  const from = Math.max(0, error.position - quoteChars / 2);
  const to = Math.min(text.length, error.position + quoteChars / 2);
  const quote = `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
  return `it breaks at character ${error.position}, in the middle of "${quote}"`;
}
