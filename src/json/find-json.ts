import { maxDepth } from "./json.js";
import { quoteEnd, readJson } from "./read-json.js";
import { scanJson } from "./scan-json.js";

/** An object or list in a text. */
export type FoundJson = {
  /** Its beginning and end in the text. */
  readonly start: number;
  readonly end: number;
  readonly value: object;
  /** The number of missing closing brackets at its end, if nothing else followed. */
  readonly missing: number;
  /**
   * It is a value by itself; or it is in an unreadable value, as an element or as a member (after a key or before
   * members).
   */
  readonly place: "alone" | "element" | "member";
};

/** The objects and lists of a text in order, and the problem of the first unreadable one. */
export type FoundAll = { readonly found: readonly FoundJson[]; readonly problem?: string };

const opener = /[{[｛【［]/g;

/**
 * The reading budget per character of the text: in a text of brackets that never close, each would be read to the end.
 */
const maxReadings = 20;
/** A short text may be read more often, and no text needs more. */
const minRead = 20_000;
const maxRead = 500_000;

/**
 * Finds the JSON in a model's text, skipping fences, prose and markup. As tolerant as `readJson`, and closes missing
 * brackets at the very end; a text that stops inside a value is not completed. Never throws.
 */
export function findJson(text: string): FoundAll {
  const found: FoundJson[] = [];
  let problem: string | undefined;
  let unreadUntil = 0;
  opener.lastIndex = 0;
  const allowance = Math.min(maxRead, Math.max(minRead, maxReadings * text.length));
  for (let left = allowance; left > 0;) {
    const start = opener.exec(text)?.index;
    if (start === undefined) break;
    const read = readAt(text, start, problem === undefined);
    left -= read.end - start;
    if ("problem" in read) {
      problem ??= read.problem;
      unreadUntil = Math.max(unreadUntil, read.end);
      opener.lastIndex = start + 1;
    } else {
      const { value, missing, end } = read;
      const place = placeOf(text, start, end, unreadUntil);
      if (place === "member")
        problem ??= `the brackets of the JSON do not match: ${quoteEnd(text)}`;
      found.push({ start, end, value, missing, place });
      opener.lastIndex = end;
    }
  }
  return { found, ...(problem === undefined ? {} : { problem }) };
}

/** How far around a value its surroundings are searched. */
const reach = 100;

/** A key before a value, or a quotation mark around it. */
const key = /\w["'”’`]\s*[:：]\s*["'“‘`]?$|"$/;
const moreMembers = /^[\s}\]｝】］"'”’]*[,，]\s*["'“‘`][^"'“”‘’`\n]{1,60}["'”’`]\s*[:：]/;

/** Whether an unreadable text continues with a value here: after half a key, or after a name. */
const brokenKey = /(?:[:：=]\s*|["'“”‘’]\s*|\w)$/;

function placeOf(text: string, start: number, end: number, unreadUntil: number) {
  const before = text.slice(Math.max(0, start - reach), start);
  const isWithin = start < unreadUntil;
  const isMember =
    key.test(before) ||
    (isWithin && brokenKey.test(before)) ||
    moreMembers.test(text.slice(end, end + reach));
  if (isMember) return "member";
  return isWithin ? "element" : "alone";
}

/** The end of a value that cannot continue: half a word or number can, and after a comma more was to come. */
const endsValue = /(?:["'“”‘’}\]｝】］]|[^\w](?:true|false|null|True|False|None))$/;

function withoutFenceEnd(text: string): string {
  return text.endsWith("```") ? text.slice(0, -3).trimEnd() : text;
}

type ReadAt =
  | { readonly value: object; readonly missing: number; readonly end: number }
  | { readonly problem: string; readonly end: number };

/** Braces that no repair makes an object of: around a word, and around braces, as in templates. */
const noObject = /^\{(?:\{|[\w-]+\}$)/;

/** `isTold`: whether the problem will be reported. Finding it costs as much as reading the value. */
function readAt(text: string, start: number, isTold: boolean): ReadAt {
  const { end, isOpen, missing, depth, bare } = scanJson(text, start, true);
  if (depth > maxDepth)
    return { problem: "the JSON is nested too deeply", end: end ?? text.length };
  if (end !== undefined) {
    const isNone = !isTold && noObject.test(bare);
    return isNone ? { problem: "no object", end } : asObject(text.slice(start, end), end);
  }
  const rest = withoutFenceEnd(text.slice(start).trimEnd());
  const stopsEarly = { problem: `the JSON stops early: ${quoteEnd(rest)}`, end: text.length };
  const whole =
    isOpen || !endsValue.test(rest)
      ? stopsEarly
      : asObject(rest + missing, text.length, missing.length);
  return "problem" in whole ? (closedBeforeProse(rest, text.length) ?? stopsEarly) : whole;
}

/** A value without its last bracket, followed by prose. More members after it would mean that it was cut. */
function closedBeforeProse(rest: string, end: number): ReadAt | undefined {
  const last = Math.max(rest.lastIndexOf("}"), rest.lastIndexOf("｝")) + 1;
  if (last === 0 || /^\s*([,:"'“\]{}，：]|$)/.test(rest.slice(last))) return undefined;
  const body = rest.slice(0, last);
  const { isOpen, missing } = scanJson(body);
  if (isOpen) return undefined;
  const read = asObject(body + missing, end, missing.length);
  return "problem" in read ? undefined : read;
}

function asObject(text: string, end: number, missing = 0): ReadAt {
  const read = readJson(text);
  if (!read.ok) return { problem: read.problem, end };
  const { value } = read;
  if (typeof value === "object" && value !== null) return { value, missing, end };
  return { problem: `expected an object, got ${quoteEnd(text)}`, end };
}
