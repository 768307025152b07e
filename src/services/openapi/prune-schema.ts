import { defined, isRecord } from "../../json/json.js";
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from "../../tools/argument-schema.js";
import { lastPart, referenceOf } from "./references.js";
import { applicators } from "./schema-parts.js";

/** What a description says where fields are missing. */
const note = "(deeper fields are left out)";

/** No model fills in more levels, and a long chain of definitions takes time at each level. */
const maxLevels = 20;

/** Where a schema is, and whether no call can be made without a value for it. */
type Place = { readonly level: number; readonly isNeeded: boolean };

/** The parameters of a tool, and what is kept of them. */
type Cut = {
  readonly definitions: JsonSchema;
  /** The levels that are kept whole. */
  readonly levels: number;
  /** Whether all required fields below them are kept, and not only those without which no call can be made. */
  readonly keepsRequired: boolean;
  /** The definitions that are still used: the first level of each, and whether one of its places is needed. */
  readonly places: ReadonlyMap<string, Place>;
};

/**
 * The parameters without their deepest levels, so that they fit; unchanged if they fit already. A field on the last level
 * keeps its description and its type, and may have anything inside. The first level always stays, and what is required
 * in it on every level, without which no call can be made; the required fields of optional ones stay if they fit. If the
 * first level alone is too large, its largest optional fields lose their alternatives and values, too; their names
 * always stay.
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
  let levels = 1;
  let best = prunedTo(1, false, parameters);
  while (levels < maxLevels) {
    const next = prunedTo(levels + 1, false, parameters);
    // Nothing is deeper: only the first levels alone are too large.
    if (!fits(next) || JSON.stringify(next) === JSON.stringify(best)) break;
    best = next;
    levels += 1;
  }
  const withRequired = prunedTo(levels, true, parameters);
  return fits(withRequired) ? withRequired : best;
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
  const needed = new Set(requiredOf(parameters));
  const others = definitionsIn(onlyRequired(parameters), definitions);
  const min = minShare * JSON.stringify(parameters).length;
  const largest = [...fields]
    .filter(([name]) => !needed.has(name))
    .map(([name, schema]) => {
      const bare = isRecord(schema) ? withoutFields(schema, definitions) : schema;
      const saved = ownSize(schema, definitions, others) - JSON.stringify(bare).length;
      return { name, bare, saved };
    })
    .filter(({ saved }) => saved >= min)
    .toSorted((one, other) => other.saved - one.saved);
  let pruned = parameters;
  for (const { name, bare } of largest) {
    fields.set(name, bare);
    // Only the definitions that are still used.
    pruned = prunedTo(maxLevels, false, { ...parameters, properties: Object.fromEntries(fields) });
    if (fits(pruned)) break;
  }
  return pruned;
}

/** The length of a schema with the definitions that it alone needs. */
function ownSize(schema: unknown, definitions: JsonSchema, others: ReadonlySet<string>): number {
  const own = [...definitionsIn(schema, definitions)].filter((name) => !others.has(name));
  return [schema, ...own.map((name) => definitions[name])].reduce<number>(
    (sum, each) => sum + JSON.stringify(each).length,
    0,
  );
}

/** The names of the definitions that a schema needs. */
function definitionsIn(schema: unknown, definitions: JsonSchema): ReadonlySet<string> {
  const places = new Map<string, Place>();
  const cut = { definitions, levels: maxLevels, keepsRequired: false, places };
  if (isRecord(schema)) findPlaces(schema, { level: 0, isNeeded: false }, cut, places);
  return new Set(places.keys());
}

function prunedTo(levels: number, keepsRequired: boolean, parameters: JsonSchema): JsonSchema {
  const { $defs: given, ...root } = parameters;
  const definitions = isRecord(given) ? given : {};
  const places = new Map<string, Place>();
  const cut = { definitions, levels, keepsRequired, places };
  const top = { level: 0, isNeeded: true };
  findPlaces(root, top, cut, places);
  const kept = [...places].map(([name, place]): [string, unknown] => [
    name,
    written(definitions[name], place, cut),
  ]);
  return {
    ...inside(root, top, cut),
    ...(kept.length === 0 ? {} : { $defs: Object.fromEntries(kept) }),
  };
}

function findPlaces(root: JsonSchema, top: Place, cut: Cut, places: Map<string, Place>): void {
  const open: { readonly schema: unknown; readonly place: Place }[] = [
    { schema: root, place: top },
  ];
  // The list grows during the loop.
  for (const { schema, place } of open) {
    const kept = isRecord(schema) ? keptOf(schema, place, cut) : undefined;
    if (kept === undefined) continue;
    for (const [keyword, name, part] of partsOf(kept)) {
      open.push({ schema: part, place: placeIn(kept, place, keyword, name) });
    }
    const name = lastPart(referenceOf(kept) ?? "");
    const joined = joinPlaces(places.get(name), place);
    if (!Object.hasOwn(cut.definitions, name) || joined === undefined) continue;
    places.set(name, joined);
    open.push({ schema: cut.definitions[name], place: joined });
  }
}

/** The first level of both places, needed if one of them is; undefined if nothing is new. */
function joinPlaces(known: Place | undefined, { level, isNeeded }: Place): Place | undefined {
  if (known === undefined) return { level, isNeeded };
  if (level >= known.level && (known.isNeeded || !isNeeded)) return undefined;
  return { level: Math.min(level, known.level), isNeeded: isNeeded || known.isNeeded };
}

/** The place of a schema inside another. */
function placeIn(
  schema: JsonSchema,
  { level, isNeeded }: Place,
  keyword: string,
  name: string,
): Place {
  if (applicators.get(keyword)?.isInPlace === true) return { level, isNeeded };
  const isOptional =
    keyword === "properties" ? !requiredOf(schema).includes(name) : keyword !== "items";
  return { level: level + 1, isNeeded: isNeeded && !isOptional };
}

/** What is kept of a schema with its fields; undefined if none is. */
function keptOf(schema: JsonSchema, { level, isNeeded }: Place, cut: Cut): JsonSchema | undefined {
  if (level < cut.levels || !isDeep(schema, cut.definitions)) return schema;
  return isNeeded || cut.keepsRequired ? onlyRequired(schema) : undefined;
}

function written(schema: unknown, place: Place, cut: Cut): unknown {
  if (!isRecord(schema)) return schema;
  const kept = keptOf(schema, place, cut);
  if (kept !== undefined) return inside(kept, place, cut);
  // A definition that is there anyway costs nothing.
  const reference = referenceOf(schema);
  const isThere = reference !== undefined && cut.places.has(lastPart(reference));
  return isThere ? schema : withoutFields(schema, cut.definitions);
}

function inside(schema: JsonSchema, place: Place, cut: Cut): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const applicator = applicators.get(keyword);
      if (applicator === undefined) return [keyword, value];
      const write = (each: unknown, name = "") =>
        written(each, placeIn(schema, place, keyword, name), cut);
      if (Array.isArray(value)) return [keyword, value.map((each) => write(each))];
      if (applicator.holds !== "map" || !isRecord(value)) return [keyword, write(value)];
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, each]) => [name, write(each, name)])),
      ];
    }),
  );
}

/** What is kept of an object besides its required fields. No other keyword can refuse a field that is left out. */
const lasting = [
  "$ref",
  "type",
  "enum",
  "const",
  "description",
  "title",
  "items",
  "required",
  "allOf",
];

/** An object with its required fields alone. Others may be sent, so that a value may fit several alternatives. */
function onlyRequired(schema: JsonSchema): JsonSchema {
  const names = requiredOf(schema);
  const fields = Object.entries(propertiesOf(schema));
  const required = fields.filter(([name]) => names.includes(name));
  const { additionalProperties, anyOf = schema["oneOf"] } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => lasting.includes(keyword))),
    ...(required.length === 0 ? {} : { properties: Object.fromEntries(required) }),
    ...(isRecord(additionalProperties) ? { additionalProperties } : {}),
    ...(anyOf === undefined ? {} : { anyOf }),
    ...(required.length < fields.length ? { description: noted(schema) } : {}),
  };
}

function withoutFields(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const reference = referenceOf(schema);
  const target = reference === undefined ? undefined : definitions[lastPart(reference)];
  const whole = { ...(isRecord(target) ? target : {}), ...schema };
  const { type, items } = whole;
  const ofItems = isRecord(items) ? withoutFields(items, definitions)["type"] : undefined;
  return {
    ...(type === undefined ? {} : { type }),
    // Providers refuse arrays without `items`.
    ...(typesOf({ type }).includes("array") ? { items: defined({ type: ofItems }) } : {}),
    description: noted(whole),
  };
}

function noted({ description }: JsonSchema): string {
  return typeof description === "string" ? `${description} ${note}` : note;
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
    for (const part of [target, ...partsOf(each).map(([, , inner]) => inner)]) {
      if (isRecord(part)) open.add(part);
    }
  }
  // What was reached has no fields either.
  for (const each of open) known.add(each);
  return false;
}

/** The schemas inside one: the keyword, the name in a map, and the schema. */
function partsOf(schema: JsonSchema): [keyword: string, name: string, schema: unknown][] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const applicator = applicators.get(keyword);
    if (applicator === undefined) return [];
    if (applicator.holds === "map" && isRecord(value)) {
      return Object.entries(value).map(([name, part]): [string, string, unknown] => [
        keyword,
        name,
        part,
      ]);
    }
    return [value].flat().map((part: unknown): [string, string, unknown] => [keyword, "", part]);
  });
}
