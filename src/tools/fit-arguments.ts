import type { StructuredToolInterface } from "@langchain/core/tools";

import { resolveAnyDate } from "../dates/chrono-dates.js";
import { writeDate } from "../dates/date-format.js";
import { isWhole } from "../json/exact-json.js";
import { isRecord } from "../json/json.js";
import type { RunTime } from "../run/scope.js";
import { argumentSchema } from "./argument-schema.js";
import { coerceArguments } from "./coerce-arguments.js";
import { type DateField, dateFields } from "./date-fields.js";
import { changeDigits, nearestNumber, takesExactNumbers } from "./exact-numbers.js";

/** Arguments as the tool wants them, as far as it can be told what they mean. */
export type FittedArguments = {
  readonly args: unknown;
  /** Why a value is no date, by its path with dots. */
  readonly unread: ReadonlyMap<string, string>;
};

/**
 * Turns what models commonly write into what the schema asks for: what `coerceArguments` does, and "last
 * Monday" into the date that it means in the run's time, in the format that the parameter says. What
 * fits, and what cannot be read, stays as it is.
 */
export async function fitArguments(
  tool: Pick<StructuredToolInterface, "schema">,
  args: unknown,
  time: RunTime,
): Promise<FittedArguments> {
  const schema = argumentSchema(tool);
  const unread = new Map<string, string>();
  const coerced = coerceArguments(args, schema);
  let fitted = takesExactNumbers(tool) ? coerced : changeDigits(coerced, schema, nearestFraction);
  for (const field of dateFields(fitted, schema)) {
    const found = await dateOf(field, time);
    if ("problem" in found) unread.set(field.path.join("."), found.problem);
    else fitted = withValue(fitted, field.path, found.value);
  }
  return { args: fitted, unread };
}

/** The number that comes nearest to a fraction: a whole number would become another one. */
function nearestFraction(digits: string): string | number {
  return isWhole(digits) ? digits : nearestNumber(digits);
}

async function dateOf(
  { text, format, edge, isNumber, accepts }: DateField,
  { clock, timeZone, locale }: RunTime,
): Promise<{ readonly value: string | number } | { readonly problem: string }> {
  const found = await resolveAnyDate(text, { now: clock.now(), timeZone, locale });
  if (!found.ok) return found;
  const point = edge === "end" ? (found.end ?? found.start) : found.start;
  const value = writeDate(point, edge, format, { timeZone, accepts });
  if (value === undefined) return { problem: `"${text}" has no time of day.` };
  return { value: isNumber ? Number(value) : value };
}

/** A copy with another value at a path that is there. */
function withValue(whole: unknown, path: DateField["path"], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(whole)) {
    return whole.map((item: unknown, at) => (at === key ? withValue(item, rest, value) : item));
  }
  return isRecord(whole) ? { ...whole, [key]: withValue(whole[key], rest, value) } : whole;
}
