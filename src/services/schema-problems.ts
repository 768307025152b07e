import { isDateFormat } from "../dates/date-format.js";
import { isRecord } from "../json/json.js";
import { isPattern } from "../tools/linear-pattern.js";

/** What is wrong at one place of a schema. */
export type SchemaProblem = {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly input: unknown;
};

/** The types that a schema can name. */
export const schemaTypes: readonly unknown[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
];
const isText = (value: unknown) => typeof value === "string";
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;

/** What keywords have to be that are mistaken most: a provider refuses all tools for one that is wrong. */
const keywords: readonly (readonly [string, (value: unknown) => boolean, string])[] = [
  ["type", isType, `expected one of ${schemaTypes.join(", ")}, or a list of these`],
  ["properties", isRecord, "expected an object of schemas by name"],
  ["required", isNames, "expected a list of names, beside `properties`"],
  ["enum", isList, "expected a list of values"],
  ["items", isSchema, "expected a schema"],
  ["anyOf", isList, "expected a list of schemas"],
  ["oneOf", isList, "expected a list of schemas"],
  ["allOf", isList, "expected a list of schemas"],
  ["description", isText, "expected a text"],
  ["format", isText, "expected a text"],
  ["pattern", isPattern, "expected a regular expression"],
  [
    "x-date-format",
    (value) => typeof value === "string" && isDateFormat(value),
    'expected a date format, such as "YYYY-MM-DD", "YYYY/MM/DD HH:mm", "epoch-ms" or "epoch-s"',
  ],
];

/** Deeper ones are left to whoever reads them. */
const maxDepth = 30;

/** What is wrong with a JSON Schema and those in it, as far as their usual keywords go. */
export function schemaProblems(schema: unknown, path: SchemaProblem["path"]): SchemaProblem[] {
  if (!isSchema(schema)) return [{ path, message: "expected a schema", input: schema }];
  if (!isRecord(schema) || path.length > maxDepth) return [];
  const own = keywords
    .filter(([keyword, fits]) => Object.hasOwn(schema, keyword) && !fits(schema[keyword]))
    .map(([keyword, , message]) => ({
      path: [...path, keyword],
      message,
      input: schema[keyword],
    }));
  return own.length > 0 ? own : schemasIn(schema, path);
}

function schemasIn(schema: Readonly<Record<string, unknown>>, path: SchemaProblem["path"]) {
  const { items } = schema;
  const inside = ["properties", "anyOf", "oneOf", "allOf", "$defs"].flatMap((keyword) =>
    Object.entries(schema[keyword] ?? {}).flatMap(([name, each]) =>
      schemaProblems(each, [...path, keyword, name]),
    ),
  );
  return items === undefined ? inside : [...inside, ...schemaProblems(items, [...path, "items"])];
}

function isSchema(value: unknown): boolean {
  return isRecord(value) || typeof value === "boolean";
}

function isType(value: unknown): boolean {
  return [value].flat().every((type) => schemaTypes.includes(type)) && [value].flat().length > 0;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
