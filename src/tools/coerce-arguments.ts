import { isDigits } from "../json/exact-json.js";
import { isRecord } from "../json/json.js";
import {
  itemsOf,
  type JsonSchema,
  propertiesOf,
  requiredOf,
  shapeOf,
  typesOf,
} from "./argument-schema.js";

/**
 * Turns what models commonly write into what the schema asks for, without guessing: `"3"` becomes 3
 * where a number is asked, a number becomes text where only text is asked (unless it has more digits
 * than a number keeps), `"true"` a boolean, a stringified object or list the value itself, and `null`
 * for an argument that is optional or has a default is left out. Where several shapes are allowed,
 * only the one that the value names is looked at.
 */
export function coerceArguments(value: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (typeof value === "string") return coerceText(value, types, schema);
  if (typeof value === "number") return isExact(value) && isText(types) ? String(value) : value;
  if (Array.isArray(value)) return coerceList(value, schema);
  return isRecord(value) ? coerceObject(value, schema) : value;
}

function coerceText(text: string, types: readonly string[], schema: JsonSchema): unknown {
  if (types.length === 0 || types.includes("string")) return text;
  const parsed = parsedText(text.trim());
  if (!types.some((type) => isOfType(type, parsed))) return text;
  // A number with more digits than a number can hold would become another one.
  if (typeof parsed === "number" && (!isExact(parsed) || isDigits(text.trim()))) return text;
  return typeof parsed === "object" ? coerceArguments(parsed, schema) : parsed;
}

/** Digits in groups that can be nothing else: "1,234" may be a fraction in some languages. */
const inGroups = /^-?[1-9]\d{0,2}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+)$/;

/** The text as JSON; `True` and `NULL` are read as well, but only where they are all of it, and digits in groups. */
function parsedText(text: string): unknown {
  if (inGroups.test(text)) return Number(text.replaceAll(",", ""));
  return parsedJson(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return typeof value === "number";
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isRecord(value) : type === typeof value;
}

function coerceList(list: readonly unknown[], schema: JsonSchema): unknown {
  const items = itemsOf(schema);
  return items === undefined ? list : list.map((item) => coerceArguments(item, items));
}

function coerceObject(object: Record<string, unknown>, schema: JsonSchema): unknown {
  const shape = shapeOf(object, schema);
  const properties = propertiesOf(shape);
  const required = requiredOf(shape);
  const fields = Object.entries(object).flatMap(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return [[name, value]];
    const isOptional = !required.includes(name) || "default" in property;
    const dropped = value === null && isOptional && !typesOf(property).includes("null");
    return dropped ? [] : [[name, coerceArguments(value, property)]];
  });
  return Object.fromEntries(fields);
}

/** Whether only text is asked for. */
function isText(types: readonly string[]): boolean {
  return types.includes("string") && types.every((name) => name === "string" || name === "null");
}

function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
