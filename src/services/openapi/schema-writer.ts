import { isRecord, maxDepth } from "../../json/json.js";
import type { JsonSchema } from "../../tools/argument-schema.js";
import { uniqueNames } from "../unique-names.js";
import { joinSchemas } from "./join-schemas.js";
import { type Fields, lastPart, pointerOf, referredTo } from "./references.js";
import { type Held, schemaParts } from "./schema-parts.js";
import { schemaUses, type SchemaUses } from "./schema-uses.js";
import { UnfitOperation } from "./unfit-operation.js";

/** How a schema is written: whether what it refers to itself is written out, and how deep it stands. */
type Place = { readonly isOpened: boolean; readonly depth: number };

/** What is known while schemas are written. */
type Writing = {
  readonly document: Fields;
  readonly uses: SchemaUses;
  readonly nameOf: ReturnType<typeof uniqueNames>;
  /** The definitions by the pointers of their targets. */
  readonly names: Map<string, string>;
  /** Definitions that are named and not written yet. */
  readonly pending: { readonly name: string; readonly target: unknown }[];
  readonly opened: Set<string>;
};

/** Writes schemas of a document as JSON Schema that needs no document. */
export type SchemaWriter = {
  /** The schema; opened, what it consists of stands in it, even if it stands among the definitions as well. */
  readonly write: (schema: unknown, options?: { readonly isOpened: boolean }) => JsonSchema;
  /** What the schemas written so far refer to as `#/$defs/NAME`. */
  readonly definitions: () => { readonly [name: string]: JsonSchema };
};

/**
 * A writer for the schemas of one tool. What they refer to once is written in its place; what they refer to more
 * often, or within itself, becomes a definition. Throws `UnfitOperation` for schemas that cannot be written.
 */
export function createSchemaWriter(document: Fields, schemas: readonly unknown[]): SchemaWriter {
  const uses = schemaUses(document, schemas);
  const writing: Writing = {
    document,
    uses,
    nameOf: uniqueNames(),
    names: new Map(),
    pending: [],
    opened: new Set(),
  };
  const definitions: [string, JsonSchema][] = [];
  return {
    write: (schema, { isOpened } = { isOpened: false }) =>
      written(writing, schema, { isOpened, depth: 0 }),
    definitions: () => {
      const { pending } = writing;
      // Each may name others: one after another, however long the chain is.
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        const place = { isOpened: false, depth: 0 };
        definitions.push([next.name, written(writing, next.target, place)]);
      }
      return Object.fromEntries(definitions);
    },
  };
}

function written(writing: Writing, schema: unknown, place: Place): JsonSchema {
  if (place.depth > maxDepth) {
    throw new UnfitOperation(`its schemas nest more than ${maxDepth} deep`);
  }
  if (schema === false) return { not: {} };
  if (!isRecord(schema)) return {};
  const { reference, values, held, isNullable } = schemaParts(writing.document, schema);
  const inside = { isOpened: false, depth: place.depth + 1 };
  const own = held.flatMap((each) =>
    ownOf(each, (schemaInside) => written(writing, schemaInside, inside)),
  );
  const all = held.find(({ keyword }) => keyword === "allOf")?.schemas ?? [];
  const joined = joinSchemas([
    ...(reference === undefined ? [] : [referred(writing, reference, place)]),
    ...all.map(([, each]) => written(writing, each, { ...place, depth: place.depth + 1 })),
    { ...values, ...Object.fromEntries(own) },
  ]);
  return isNullable ? orNull(joined) : joined;
}

/** A keyword with its schemas written; `allOf` is joined instead. */
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

function referred(writing: Writing, reference: string, { isOpened, depth }: Place): JsonSchema {
  const { document, uses, nameOf, names, pending, opened } = writing;
  const pointer = pointerOf(reference);
  const target = referredTo(document, reference);
  const isOpenedNow = isOpened && !opened.has(pointer);
  if (uses.get(pointer) === 1 || isOpenedNow) {
    if (isOpenedNow) opened.add(pointer);
    return written(writing, target, { isOpened, depth: depth + 1 });
  }
  const name = names.get(pointer) ?? nameOf(lastPart(reference), "schema");
  if (!names.has(pointer)) pending.push({ name, target });
  names.set(pointer, name);
  return { $ref: `#/$defs/${name}` };
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
