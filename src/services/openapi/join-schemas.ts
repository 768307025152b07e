import { canonicalJson, isRecord } from "../../json/json.js";
import type { JsonSchema } from "../../tools/argument-schema.js";

/** Keywords whose meaning depends on the others beside them, so that these may not be joined by more. */
const bound = [
  "$ref",
  "allOf",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "patternProperties",
  "prefixItems",
  "contains",
  "if",
];

/** What says nothing of which values fit. */
const annotations = ["title", "description", "default", "examples", "deprecated", "writeOnly"];

/** One schema for values that fit all of them: merged where that is plain, else with `allOf`. The last one's words count. */
export function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const said: JsonSchema = Object.assign({}, ...schemas.map((each) => split(each).words));
  const parts = schemas.map((each) => split(each).rules).filter((each) => !isEmpty(each));
  const [first = {}, ...others] = parts;
  if (others.length === 0) return { ...first, ...said };
  const merged = parts.some((part) => bound.some((keyword) => keyword in part))
    ? undefined
    : others.reduce<JsonSchema | undefined>(merge, first);
  return merged === undefined ? { allOf: parts.map(flat).flat(), ...said } : { ...merged, ...said };
}

/** A schema that is nothing but an `allOf` stands for its parts. */
function flat(schema: JsonSchema): JsonSchema[] {
  const all = schema["allOf"];
  return Array.isArray(all) && Object.keys(schema).length === 1 ? all.filter(isRecord) : [schema];
}

function split(schema: JsonSchema): { words: JsonSchema; rules: JsonSchema } {
  const entries = Object.entries(schema);
  return {
    words: Object.fromEntries(entries.filter(([keyword]) => annotations.includes(keyword))),
    rules: Object.fromEntries(entries.filter(([keyword]) => !annotations.includes(keyword))),
  };
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0;
}

function merge(one: JsonSchema | undefined, other: JsonSchema): JsonSchema | undefined {
  if (one === undefined) return undefined;
  const merged = new Map(Object.entries(one));
  for (const [keyword, value] of Object.entries(other)) {
    const both = merged.has(keyword) ? mergeValues(keyword, merged.get(keyword), value) : value;
    if (both === undefined) return undefined;
    merged.set(keyword, both);
  }
  return Object.fromEntries(merged);
}

function mergeValues(keyword: string, one: unknown, other: unknown): unknown {
  if (canonicalJson(one) === canonicalJson(other)) return one;
  if (keyword === "required" && Array.isArray(one) && Array.isArray(other)) {
    return [...new Set<unknown>([...one, ...other])];
  }
  if (keyword !== "properties" || !isRecord(one) || !isRecord(other)) return undefined;
  return joinProperties(one, other);
}

function joinProperties(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const known = properties.get(name);
    const isBoth = isRecord(known) && isRecord(schema);
    properties.set(name, isBoth ? joinSchemas([known, schema]) : schema);
  }
  return Object.fromEntries(properties);
}
