import { compareNumber, isInteger, isNumber } from "lossless-json";

import type { Json } from "./json.js";

/** Whether a text may have a number that JavaScript changes: one of 16 digits or more, or with an exponent. */
const suspect = /\d[\d.]{15}|\d[eE]/;

/** `JSON.parse`, but numbers that JavaScript would change become the text of their digits. Throws a SyntaxError. */
export function parseExact(text: string): Json {
  const value: Json = JSON.parse(text);
  if (!suspect.test(text)) return value;
  const exact = quoted(text);
  if (exact === text) return value;
  const read: Json = JSON.parse(exact);
  return read;
}

/** Whether a value is the digits of a number that JavaScript would change. */
export function isDigits(value: unknown): value is string {
  return typeof value === "string" && suspect.test(value) && isNumber(value) && isChanged(value);
}

function isChanged(digits: string): boolean {
  const read = Number(digits);
  if (isInteger(digits)) return !Number.isSafeInteger(read);
  return !Number.isFinite(read) || compareNumber(digits, String(read)) !== 0;
}

/** Whether digits are those of a whole number. */
export function isWhole(digits: string): boolean {
  return isInteger(digits);
}

/** An escape, a quotation mark or a number. Not a whole string: a long one would exhaust the engine's stack. */
const part = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON with quotes around the numbers that JavaScript would change. */
function quoted(json: string): string {
  let isInString = false;
  return json.replaceAll(part, (found) => {
    if (found === '"') isInString = !isInString;
    return !isInString && isDigits(found) ? `"${found}"` : found;
  });
}
