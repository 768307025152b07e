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

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** JSON with quotes around the numbers that JavaScript would change. */
function quoted(json: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === '"') {
      at = stringEnd(json, at);
      continue;
    }
    if (!beginsNumber(json.charCodeAt(at))) continue;
    number.lastIndex = at;
    const [digits] = number.exec(json) ?? [];
    if (digits === undefined) continue;
    if (isDigits(digits)) {
      parts.push(json.slice(done, at), `"${digits}"`);
      done = at + digits.length;
    }
    at += digits.length - 1;
  }
  return done === 0 ? json : [...parts, json.slice(done)].join("");
}

/** Whether a character is a digit or a minus: most of a large JSON is neither. */
function beginsNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45;
}

/** The end of the string that begins here. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}
