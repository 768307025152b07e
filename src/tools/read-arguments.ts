import type { StructuredToolInterface } from "@langchain/core/tools";

import { writeDate } from "../dates/date-format.js";
import { resolveDate } from "../dates/resolve-date.js";
import { isDigits, isWhole } from "../json/exact-json.js";
import {
  isJsonObject,
  isRecord,
  jsonCopy,
  type JsonObject,
  namedValues,
  parsedJson,
} from "../json/json.js";
import { readJson } from "../json/read-json.js";
import type { RunTime } from "../run/scope.js";
import {
  argumentSchema,
  type JsonSchema,
  mapLeaves,
  type Place,
  typesOf,
} from "./argument-schema.js";
import { type DateField, dateField } from "./date-fields.js";
import { marksOf } from "./policy.js";

type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads arguments as an object. Nothing, `null` and `""` mean none. A text is parsed as JSON and repaired where only
 * its form is wrong, also a text within a text. A list of name and value pairs becomes an object.
 */
export function readArguments(raw: unknown): ReadArguments {
  if (raw === undefined || raw === null) return { ok: true, args: {} };
  if (typeof raw === "string") return readText(raw);
  const object = isRecord(raw) ? raw : namedValues(raw);
  const args = jsonCopy(object);
  if (isJsonObject(args)) return { ok: true, args };
  return {
    ok: false,
    problem: `expected an object of arguments, got ${describe(raw)}`,
  };
}

function readText(text: string): ReadArguments {
  if (text.trim() === "") return { ok: true, args: {} };
  const read = readJson(text);
  if (!read.ok) return { ok: false, problem: read.problem };
  const inner = typeof read.value === "string" ? readJson(read.value) : read;
  if (!inner.ok || (typeof inner.value !== "object" && inner.value !== undefined)) {
    return {
      ok: false,
      problem: `expected an object of arguments, got ${describe(read.value)}`,
    };
  }
  return readArguments(inner.value);
}

function describe(value: unknown): string {
  const text = textOf(value);
  const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return `${kind} (${text.length > 80 ? `${text.slice(0, 80)}…` : text})`;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return "not JSON";
  }
}

/**
 * Converts common mistakes of models to the schema's type, without guessing: `"3"` to 3, a number to text where only
 * text is allowed (unless it has more digits than a number keeps), `"true"` to a boolean, a stringified object or list
 * to the value. `null` for an optional argument, or one with a default, is left out. Of several shapes only the named
 * one counts.
 */
export function coerceArguments(value: unknown, schema: JsonSchema): unknown {
  return mapLeaves(value, schema, coerceLeaf);
}

function coerceLeaf(leaf: unknown, schema: JsonSchema, { isOptional }: Place): unknown {
  const types = typesOf(schema);
  if (typeof leaf === "string") return coerceText(leaf, types, schema);
  if (typeof leaf === "number") return isExact(leaf) && isText(types) ? String(leaf) : leaf;
  return leaf === null && isOptional && !types.includes("null") ? undefined : leaf;
}

function coerceText(text: string, types: readonly string[], schema: JsonSchema): unknown {
  if (types.length === 0 || types.includes("string")) return text;
  const parsed = parsedText(text.trim());
  if (!types.some((type) => isOfType(type, parsed))) return text;
  // A number cannot hold this many digits.
  if (typeof parsed === "number" && (!isExact(parsed) || isDigits(text.trim()))) return text;
  return typeof parsed === "object" ? coerceArguments(parsed, schema) : parsed;
}

/** Only unambiguous digit groups: "1,234" is a fraction in some languages. */
const inGroups = /^-?[1-9]\d{0,2}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+)$/;

/** The text as JSON; also a bare `True` or `NULL`, and grouped digits. */
function parsedText(text: string): unknown {
  if (inGroups.test(text)) return Number(text.replaceAll(",", ""));
  return parsedJson(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return typeof value === "number";
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isRecord(value) : type === typeof value;
}

function isText(types: readonly string[]): boolean {
  return types.includes("string") && types.every((name) => name === "string" || name === "null");
}

function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

type FittedArguments = {
  readonly args: unknown;
  /** Why a value is not a date, by its dotted path. */
  readonly unread: ReadonlyMap<string, string>;
};

/**
 * Like `coerceArguments`, and "last Monday" becomes its date, by the run's clock and zone and in the parameter's
 * format. Values that fit, and values that cannot be read, stay.
 */
export function fitArguments(
  tool: Pick<StructuredToolInterface, "schema">,
  args: unknown,
  time: RunTime,
): FittedArguments {
  const schema = argumentSchema(tool);
  const unread = new Map<string, string>();
  const { takesExactNumbers = false } = marksOf(tool);
  const fitted = mapLeaves(coerceArguments(args, schema), schema, (leaf, leafSchema, place) => {
    const value = takesExactNumbers ? leaf : changedDigits(leaf, leafSchema, nearestFraction);
    const field = dateField(value, leafSchema, place);
    if (field === undefined) return value;
    const found = dateOf(field, time);
    if (!("problem" in found)) return found.value;
    unread.set(field.path.join("."), found.problem);
    return value;
  });
  return { args: fitted, unread };
}

/** The nearest number for a fraction; a whole number would lose digits. */
function nearestFraction(digits: string): string | number {
  return isWhole(digits) ? digits : nearestNumber(digits);
}

function dateOf(
  { text, format, edge, isNumber, accepts }: DateField,
  { clock, timeZone, locale }: RunTime,
): { readonly value: string | number } | { readonly problem: string } {
  const found = resolveDate(text, { now: clock.now(), timeZone, locale });
  if (!found.ok) return found;
  const point = edge === "end" ? (found.end ?? found.start) : found.start;
  const value = writeDate(point, edge, format, { timeZone, accepts });
  if (value === undefined) return { problem: `"${text}" has no time of day.` };
  return { value: isNumber ? Number(value) : value };
}

/** The metadata key for arguments with numbers that JavaScript would change. */
export const exactArguments = "exactArguments";

/** The value with `change` applied to digits in places where the schema expects a number. */
export function changeDigits(
  value: unknown,
  schema: JsonSchema,
  change: (digits: string) => unknown,
): unknown {
  return mapLeaves(value, schema, (leaf, leafSchema) => changedDigits(leaf, leafSchema, change));
}

function changedDigits(
  leaf: unknown,
  schema: JsonSchema,
  change: (digits: string) => unknown,
): unknown {
  return typeof leaf === "string" && isNumberAt(leaf, schema) ? change(leaf) : leaf;
}

/** The number nearest to the digits. */
export function nearestNumber(digits: string): number {
  const nearest = Number(digits);
  return Number.isFinite(nearest) ? nearest : Math.sign(nearest) * Number.MAX_VALUE;
}

function isNumberAt(value: string, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  const wanted = types.includes("number") || (types.includes("integer") && isWhole(value));
  return wanted && !types.includes("string") && isDigits(value);
}
