/** Plain JSON data. State, plans and events consist of it, so that any checkpointer can keep them. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether `value` is an object with named fields (not null, not a list). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object that have a value: optional fields are left out rather than `undefined`. */
export function defined<Fields extends object>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** JSON text of a value with object keys in order: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** The value with `change` applied to every text, in nested objects and lists, too; keys stay. */
export function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each: Json) => mapTexts(each, change));
  return isJsonObject(value) ? mapFields(value, change) : value;
}

/** The same for an object, which stays one. */
export function mapFields(fields: JsonObject, change: (text: string) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, mapTexts(value, change)]),
  );
}

/** A text as it is, any other value as JSON. */
export function jsonText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A copy as JSON data; `undefined` for a value that is circular, too deep or no data. */
export function jsonCopy(value: unknown): Json | undefined {
  try {
    const copy: Json = JSON.parse(JSON.stringify(value));
    return copy;
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; `undefined` for another text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether JSON data is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** The object for a list of `{ "name", "value" }` pairs, as some models write arguments; `undefined` for other values. */
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

/** The deepest nesting of objects and lists: far below what exhausts the stack, far above what anyone means. */
export const maxDepth = 200;

/** Whether a value nests deeper than that. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
