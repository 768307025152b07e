import { isRecord } from "./json.js";

/**
 * The object that a list of `{ "name", "value" }` pairs stands for, as some models write arguments;
 * nothing for any other value, and for an empty list.
 */
export function namedValues(value: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const pairs = value.map((each: unknown) => pairIn(each));
  const known = pairs.flatMap((each) => (each === undefined ? [] : [each]));
  return known.length === pairs.length ? Object.fromEntries(known) : undefined;
}

function pairIn(value: unknown): [string, unknown] | undefined {
  if (!isRecord(value) || !("value" in value)) return undefined;
  const { name } = value;
  return typeof name === "string" ? [name, value["value"]] : undefined;
}
