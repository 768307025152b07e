import type { Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import type { Placed } from "./place-arguments.js";
import { writeText } from "./write-fields.js";

/**
 * An argument in a path, encoded but for the separators of its form. Throws `invalid_arguments` for an empty value, and for
 * one that leaves its folder.
 */
export function writePath(placed: Placed | undefined, parameter: string): string {
  const { name = parameter, value = "", list = "repeat" } = placed ?? {};
  const write = forms.get(list);
  const pairs = pairsIn(value);
  if (write === undefined || pairs.length === 0) {
    return encodedIn(parameter, pairs.length === 0 ? "" : writeText(value, list));
  }
  const encoded = (each: Json) => encodedIn(parameter, writeText(each, "repeat"));
  return write(
    pairs.map((pair) => pair.map(encoded)),
    encodeURIComponent(name),
  );
}

/** Writes encoded values, or fields with their names. */
type Write = (pairs: readonly (readonly string[])[], name: string) => string;

/** The forms of RFC 6570 whose separators are not encoded. */
const forms: ReadonlyMap<string, Write> = new Map<string, Write>([
  ["comma", (pairs) => pairs.flat().join(",")],
  ["label", (pairs) => pairs.map((pair) => `.${pair.join("=")}`).join("")],
  [
    "matrix",
    (pairs, name) =>
      pairs.map((pair) => `;${pair.length === 1 ? `${name}=` : ""}${pair.join("=")}`).join(""),
  ],
]);

/** The values of a list, or the fields of an object with their names. */
function pairsIn(value: Json): readonly (readonly Json[])[] {
  if (typeof value !== "object" || value === null) return [[value]];
  return Array.isArray(value) ? value.map((each: Json) => [each]) : Object.entries(value);
}

/** A text in a path, without `..`: a proxy that decodes the address first would leave the folder. */
function encodedIn(parameter: string, text: string): string {
  if (text !== "" && text !== "." && !leavesFolder(text)) return encodeURIComponent(text);
  throw new ClassifiedError(
    "invalid_arguments",
    `"${parameter}" is part of the address: expected a value without a ".." segment, got ${JSON.stringify(text)}.`,
  );
}

/** The number of decodings in the search for `..`: each server in a chain may decode it once. */
const maxDecoding = 3;

/** Whether a text in a path has a `..` segment, also after several decodings. */
export function leavesFolder(text: string, decodings = 0): boolean {
  if (text.split(/[\\/]/).some((segment) => /^\.\.(?:;.*)?$/s.test(segment))) return true;
  const plain = text.replaceAll(/%(2e|2f|5c|25|3b)/gi, (code) => decodeURIComponent(code));
  return plain !== text && decodings < maxDecoding && leavesFolder(plain, decodings + 1);
}
