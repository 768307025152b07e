import { isRecord } from "../../json/json.js";
import { type JsonSchema, typesOf } from "../../tools/argument-schema.js";
import { lastPart, referenceOf } from "./references.js";
import { applicators } from "./schema-parts.js";

/** What a description says where fields are missing. */
const note = "(deeper fields are left out)";

/** No model fills in more levels, and a long chain of definitions takes time at each level. */
const maxLevels = 20;

/** The parameters of a tool, and the levels that are kept. */
type Cut = {
  readonly definitions: JsonSchema;
  readonly levels: number;
  /** The first level on which each definition is used. */
  readonly firstLevel: ReadonlyMap<string, number>;
};

/**
 * The parameters without their deepest levels, so that they fit; unchanged if they fit already. A field on the last level
 * keeps its description and its type, and may have anything inside. If the first level alone is too large, its largest
 * fields lose their alternatives and values, too; their names always stay.
 */
export function pruneSchema(
  parameters: JsonSchema,
  fits: (parameters: JsonSchema) => boolean,
): JsonSchema {
  if (fits(parameters)) return parameters;
  const best = withFittingLevels(parameters, fits);
  return fits(best) ? best : withoutLargest(best, fits);
}

function withFittingLevels(
  parameters: JsonSchema,
  fits: (parameters: JsonSchema) => boolean,
): JsonSchema {
  let best = prunedTo(1, parameters);
  for (let levels = 2; levels <= maxLevels; levels += 1) {
    const next = prunedTo(levels, parameters);
    // Nothing is deeper: only the first levels alone are too large.
    if (!fits(next) || JSON.stringify(next) === JSON.stringify(best)) return best;
    best = next;
  }
  return best;
}

/** The smallest part of the parameters that is worth the loss: what is too large by its descriptions keeps its values. */
const minShare = 0.05;

/** The parameters without the insides of their largest fields, as many as it takes. */
function withoutLargest(
  parameters: JsonSchema,
  fits: (parameters: JsonSchema) => boolean,
): JsonSchema {
  const { $defs: given, properties } = parameters;
  const definitions = isRecord(given) ? given : {};
  const fields = new Map(Object.entries(isRecord(properties) ? properties : {}));
  const min = minShare * JSON.stringify(parameters).length;
  const largest = [...fields]
    .map(([name, schema]) => {
      const bare = isRecord(schema) ? withoutFields(schema, definitions) : schema;
      const saved = wholeSize(schema, definitions) - JSON.stringify(bare).length;
      return { name, bare, saved };
    })
    .filter(({ saved }) => saved >= min)
    .toSorted((one, other) => other.saved - one.saved);
  let pruned = parameters;
  for (const { name, bare } of largest) {
    fields.set(name, bare);
    // Only the definitions that are still used.
    pruned = prunedTo(maxLevels, { ...parameters, properties: Object.fromEntries(fields) });
    if (fits(pruned)) break;
  }
  return pruned;
}

/** The length of a schema with the definitions that it needs. */
function wholeSize(schema: unknown, definitions: JsonSchema): number {
  const names = isRecord(schema) ? firstLevels(schema, definitions, maxLevels).keys() : [];
  return [schema, ...[...names].map((name) => definitions[name])].reduce<number>(
    (sum, each) => sum + JSON.stringify(each).length,
    0,
  );
}

function prunedTo(levels: number, parameters: JsonSchema): JsonSchema {
  const { $defs: given, ...root } = parameters;
  const definitions = isRecord(given) ? given : {};
  const cut = { definitions, levels, firstLevel: firstLevels(root, definitions, levels) };
  const kept = [...cut.firstLevel].map(([name, level]): [string, unknown] => [
    name,
    written(definitions[name], level, cut),
  ]);
  return {
    ...inside(root, 0, cut),
    ...(kept.length === 0 ? {} : { $defs: Object.fromEntries(kept) }),
  };
}

/** The definitions that are still used, with the first level of each. */
function firstLevels(
  root: JsonSchema,
  definitions: JsonSchema,
  levels: number,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const open: { readonly schema: unknown; readonly level: number }[] = [{ schema: root, level: 0 }];
  // The list grows during the loop.
  for (const { schema, level } of open) {
    if (!isRecord(schema) || (level >= levels && isDeep(schema, definitions))) continue;
    for (const part of partsOf(schema)) open.push({ ...part, level: level + part.step });
    const reference = referenceOf(schema);
    const name = reference === undefined ? "" : lastPart(reference);
    if (Object.hasOwn(definitions, name) && level < (found.get(name) ?? Infinity)) {
      found.set(name, level);
      open.push({ schema: definitions[name], level });
    }
  }
  return found;
}

function written(schema: unknown, level: number, cut: Cut): unknown {
  if (!isRecord(schema)) return schema;
  if (level < cut.levels || !isDeep(schema, cut.definitions)) return inside(schema, level, cut);
  // A definition that is there anyway costs nothing.
  const reference = referenceOf(schema);
  const isKept = reference !== undefined && cut.firstLevel.has(lastPart(reference));
  return isKept ? schema : withoutFields(schema, cut.definitions);
}

function inside(schema: JsonSchema, level: number, cut: Cut): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const applicator = applicators.get(keyword);
      if (applicator === undefined) return [keyword, value];
      const write = (each: unknown) => written(each, level + (applicator.isInPlace ? 0 : 1), cut);
      if (Array.isArray(value)) return [keyword, value.map(write)];
      if (applicator.holds !== "map" || !isRecord(value)) return [keyword, write(value)];
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, each]) => [name, write(each)])),
      ];
    }),
  );
}

function withoutFields(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const reference = referenceOf(schema);
  const target = reference === undefined ? undefined : definitions[lastPart(reference)];
  const whole = { ...(isRecord(target) ? target : {}), ...schema };
  const { description, type } = whole;
  const said = typeof description === "string" ? `${description} ${note}` : note;
  return {
    ...(type === undefined ? {} : { type }),
    // Providers refuse arrays without `items`.
    ...(typesOf({ type }).includes("array") ? { items: {} } : {}),
    description: said,
  };
}

/** Schemas without fields, by the definitions that they are read with: each is searched once. */
const flat = new WeakMap<JsonSchema, WeakSet<JsonSchema>>();

/** Whether a schema has fields, itself or in one of its parts. Chains of definitions may be long: no recursion. */
function isDeep(schema: JsonSchema, definitions: JsonSchema): boolean {
  const known = flat.get(definitions) ?? new WeakSet();
  flat.set(definitions, known);
  const open = new Set<JsonSchema>([schema]);
  // The set grows during the loop.
  for (const each of open) {
    if (known.has(each)) continue;
    if (["properties", "patternProperties"].some((keyword) => isRecord(each[keyword]))) return true;
    const reference = referenceOf(each);
    const target = reference === undefined ? undefined : definitions[lastPart(reference)];
    for (const part of [target, ...partsOf(each).map((inner) => inner.schema)]) {
      if (isRecord(part)) open.add(part);
    }
  }
  // What was reached has no fields either.
  for (const each of open) known.add(each);
  return false;
}

/** The schemas inside one, and whether they are a level deeper. */
function partsOf(schema: JsonSchema): { readonly schema: unknown; readonly step: 0 | 1 }[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const applicator = applicators.get(keyword);
    if (applicator === undefined) return [];
    const parts: readonly unknown[] =
      applicator.holds === "map" && isRecord(value) ? Object.values(value) : [value].flat();
    return parts.map((part) => ({ schema: part, step: applicator.isInPlace ? 0 : 1 }) as const);
  });
}
