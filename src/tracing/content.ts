import { isRecord, type Json, type JsonObject } from "../json/json.js";
import { sha256 } from "../platform.js";

/** Keeps the text of a piece of content under its hash. */
type Keep = (hash: string, text: string) => void;

/** Pieces whose JSON is shorter stay where they are: a reference would be no smaller. */
const minChars = 200;

/** The field of a reference, and that of an object which only looks like one. */
const reference = "$";
const escaped = "$=";

/**
 * Data with every larger piece replaced by a reference, so that what occurs again and again is kept once: a message in
 * all later requests, a result in its event and in messages.
 */
export function packed(data: Json, keep: Keep): Json {
  const small = withSmallParts(data, keep);
  const text = JSON.stringify(small);
  if (text.length < minChars) return small;
  const hash = sha256(text).slice(0, 32);
  keep(hash, text);
  return { [reference]: hash };
}

function withSmallParts(data: Json, keep: Keep): Json {
  if (Array.isArray(data)) return data.map((part) => packed(part, keep));
  if (!isRecord(data)) return data;
  const parts: JsonObject = Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, packed(part, keep)]),
  );
  return isSpecial(data) ? { [escaped]: parts } : parts;
}

/** The data of `packed`. A piece that is missing becomes a word that says so. */
export function unpacked(data: Json, textOf: (hash: string) => string | undefined): Json {
  if (Array.isArray(data)) return data.map((part) => unpacked(part, textOf));
  if (!isRecord(data)) return data;
  const hash = data[reference];
  if (isSpecial(data) && typeof hash === "string") {
    const text = textOf(hash);
    if (text === undefined) return "[missing]";
    const found: Json = JSON.parse(text);
    return unpacked(found, textOf);
  }
  const inner = data[escaped];
  const parts = isSpecial(data) && isRecord(inner) ? inner : data;
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, unpacked(part, textOf)]),
  );
}

function isSpecial(data: object): boolean {
  const [name, ...others] = Object.keys(data);
  return others.length === 0 && (name === reference || name === escaped);
}
