import { canonicalJson, isRecord, maxDepth } from "../../json/json.js";
import type { JsonSchema } from "../../tools/argument-schema.js";
import { uniqueNames } from "../values.js";
import { type Fields, lastPart, pointerOf, referredTo, UnfitOperation } from "./references.js";
import { type Held, schemaParts } from "./schema-parts.js";

/** How a schema is written: whether a recursive reference is written out, and its depth. */
type Place = { readonly isOpened: boolean; readonly depth: number };

/** Writes one tool's schemas as self-contained JSON Schema: repeated targets become definitions. */
export class SchemaWriter {
  readonly #document: Fields;
  readonly #uses: SchemaUses;
  readonly #nameOf = uniqueNames();
  /** The definitions by the pointers of their targets. */
  readonly #names = new Map<string, string>();
  /** Definitions that have a name and are not written yet. */
  readonly #pending: { readonly name: string; readonly target: unknown }[] = [];
  readonly #opened = new Set<string>();

  /** Throws `UnfitOperation` for schemas that cannot be written. */
  constructor(document: Fields, schemas: readonly unknown[]) {
    this.#document = document;
    this.#uses = schemaUses(document, schemas);
  }

  /** Writes the schema; when opened, its content is written in place even if it is also a definition. */
  write(schema: unknown, isOpened = false): JsonSchema {
    return this.#written(schema, { isOpened, depth: 0 });
  }

  /** The definitions that the schemas so far reference as `#/$defs/NAME`. */
  definitions(): { readonly [name: string]: JsonSchema } {
    const definitions: [string, JsonSchema][] = [];
    // Each may name others: the list grows during the loop, because the chain may be long.
    for (const { name, target } of this.#pending) definitions.push([name, this.write(target)]);
    return Object.fromEntries(definitions);
  }

  #written(schema: unknown, place: Place): JsonSchema {
    if (place.depth > maxDepth) {
      throw new UnfitOperation(`its schemas nest more than ${maxDepth} deep`);
    }
    if (schema === false) return { not: {} };
    if (!isRecord(schema)) return {};
    const { reference, values, held, isNullable } = schemaParts(this.#document, schema);
    const depth = place.depth + 1;
    const own = held.flatMap((each) =>
      ownOf(each, (inner) => this.#written(inner, { isOpened: false, depth })),
    );
    const all = held.find(({ keyword }) => keyword === "allOf")?.schemas ?? [];
    const joined = joinSchemas([
      ...(reference === undefined ? [] : [this.#referred(reference, place)]),
      ...all.map(([, each]) => this.#written(each, { ...place, depth })),
      { ...values, ...Object.fromEntries(own) },
    ]);
    return isNullable ? orNull(joined) : joined;
  }

  #referred(reference: string, { isOpened, depth }: Place): JsonSchema {
    const pointer = pointerOf(reference);
    const target = referredTo(this.#document, reference);
    const isOpenedNow = isOpened && !this.#opened.has(pointer);
    if (this.#uses.get(pointer) === 1 || isOpenedNow) {
      if (isOpenedNow) this.#opened.add(pointer);
      return this.#written(target, { isOpened, depth: depth + 1 });
    }
    const name = this.#names.get(pointer) ?? this.#nameOf(lastPart(reference), "schema");
    if (!this.#names.has(pointer)) this.#pending.push({ name, target });
    this.#names.set(pointer, name);
    return { $ref: `#/$defs/${name}` };
  }
}

/** A keyword with its schemas written; `allOf` is merged instead. */
function ownOf(
  { keyword, holds, schemas }: Held,
  write: (schema: unknown) => JsonSchema,
): [string, unknown][] {
  if (keyword === "allOf") return [];
  const all = schemas.map(([key, each]): [string, unknown] => [
    key,
    typeof each === "boolean" ? each : write(each),
  ]);
  if (holds === "map") return [[keyword, Object.fromEntries(all)]];
  return [[keyword, holds === "list" ? all.map(([, each]) => each) : all[0]?.[1]]];
}

/** 3.0's `nullable`. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, description, ...rules } = schema;
  const words = description === undefined ? {} : { description };
  const nothing = { type: "null" };
  if (type !== undefined) return { ...schema, type: [...new Set([type, "null"].flat())] };
  const [keyword, other] = Object.keys(rules);
  if (keyword === undefined) return schema;
  const branches = other === undefined && keyword === "anyOf" ? rules[keyword] : undefined;
  return { anyOf: Array.isArray(branches) ? [...branches, nothing] : [rules, nothing], ...words };
}

/** The maximum number of schemas in one tool's arguments. */
const maxSchemas = 20_000;

/** The number of references to each target, by its pointer. */
type SchemaUses = ReadonlyMap<string, number>;

/** A schema to visit, and the target that it is a part of if both apply to the same value. */
type Open = { readonly schema: unknown; readonly owner: string | undefined };

/**
 * Visits everything that some schemas reach, each target once. Throws `UnfitOperation` for references without a target,
 * for a schema that consists of itself (no validator ends on it), and for too many schemas.
 */
function schemaUses(document: Fields, schemas: readonly unknown[]): SchemaUses {
  const uses = new Map<string, number>();
  const consistsOf = new Map<string, string[]>();
  const open: Open[] = schemas.map((schema) => ({ schema, owner: undefined }));
  const use = (reference: string, owner: string | undefined) => {
    const pointer = pointerOf(reference);
    uses.set(pointer, (uses.get(pointer) ?? 0) + 1);
    if (owner !== undefined) consistsOf.get(owner)?.push(pointer);
    if (consistsOf.has(pointer)) return;
    consistsOf.set(pointer, []);
    open.push({ schema: referredTo(document, reference), owner: pointer });
  };
  // The list grows during the loop.
  for (const { schema, owner } of open) {
    if (open.length > maxSchemas) {
      throw new UnfitOperation(`it consists of more than ${maxSchemas} schemas`);
    }
    if (!isRecord(schema)) continue;
    const { reference, held } = schemaParts(document, schema);
    for (const each of held) open.push(...inside(each, owner));
    if (reference !== undefined) use(reference, owner);
  }
  if (hasCycle(consistsOf)) throw new UnfitOperation("one of its schemas consists of itself");
  return uses;
}

function inside({ isInPlace, schemas }: Held, owner: string | undefined): Open[] {
  return schemas.map(([, schema]) => ({ schema, owner: isInPlace ? owner : undefined }));
}

/** Whether there is a cycle: targets that lead nowhere are removed until nothing changes. */
function hasCycle(edges: ReadonlyMap<string, readonly string[]>): boolean {
  const waiting = new Map([...edges].map(([from, to]) => [from, to.length]));
  const before = new Map<string, string[]>();
  for (const [from, to] of edges) {
    for (const each of to) before.set(each, [...(before.get(each) ?? []), from]);
  }
  const done = [...edges].flatMap(([from, to]) => (to.length === 0 ? [from] : []));
  for (let end = done.pop(); end !== undefined; end = done.pop()) {
    for (const from of before.get(end) ?? []) {
      const left = (waiting.get(from) ?? 0) - 1;
      waiting.set(from, left);
      if (left === 0) done.push(from);
    }
  }
  return [...waiting.values()].some((left) => left > 0);
}

/** Keywords whose meaning depends on their neighbours, so they may not be merged with more. */
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

/** Keywords that do not restrict values. */
const annotations = ["title", "description", "default", "examples", "deprecated", "writeOnly"];

/** One schema for values that match all: merged if that is simple, otherwise with `allOf`. The last description wins. */
function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const said: JsonSchema = Object.assign({}, ...schemas.map((each) => split(each).words));
  const parts = schemas.map((each) => split(each).rules).filter((each) => !isEmpty(each));
  const [first = {}, ...others] = parts;
  if (others.length === 0) return { ...first, ...said };
  const merged = parts.some((part) => bound.some((keyword) => keyword in part))
    ? undefined
    : others.reduce<JsonSchema | undefined>(merge, first);
  return merged === undefined ? { allOf: parts.map(flat).flat(), ...said } : { ...merged, ...said };
}

/** A schema with only an `allOf` equals its parts. */
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
