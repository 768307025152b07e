import { isRecord } from "../../json/json.js";
import { readJson } from "../../json/read-json.js";

/** What is wrong with an input that was meant as an object and cannot be read: as plain text it would be guessed. */
export function inputProblem(input: unknown): string | undefined {
  if (typeof input !== "string" || !meantAsJson.some((form) => form.test(input))) return undefined;
  const read = readJson(input);
  if (!read.ok) return `the arguments could not be read: ${read.problem}`;
  if (typeof read.value === "string" && !read.repaired) return inputProblem(read.value);
  return isRecord(read.value) ? undefined : "the arguments could not be read: they are no object";
}

/**
 * Texts that begin as an object does, or hold a key behind a brace, or have the end of an object only; that begin in
 * the midst of one or hold nothing but its marks; and a key's text in quotes that has marks of its own in it.
 */
const meantAsJson = [
  /^\s*["']?[{｛]\s*(?:["'“‘]|&quot;|$)/,
  /^\s*["']?[{｛][^]{0,200}["'”’]\s*[:：]/,
  /["'”’]\s?[}｝]+\s*$/,
  /^[^{｛]*[}｝]\s*$/,
  /^\s*["']?[{｛]\s*[\w-]+\s*[:：]/,
  /^(?:[\w-]*["'”’])?\s*[:：]\s*["'“‘]/,
  /^[^"“”]*["”]\s*$/,
  /^[\s"'“”‘’`{}[\],:：]+$/,
  /^\s*["'“‘`]?[\w-]+["'”’`]?\s*[:：]\s*["'“‘`][^]*\\/,
];
