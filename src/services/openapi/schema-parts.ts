import { isRecord } from "../../json/json.js";
import { isPattern } from "../../tools/linear-pattern.js";
import { schemaTypes } from "../definition-problems.js";
import { fieldOf, type Fields, referenceOf, resolved } from "./references.js";

/** How a keyword holds schemas, and whether they apply to the same value as the schema around them. */
type Applicator = { readonly holds: "one" | "list" | "map"; readonly isInPlace: boolean };

/** The keywords of JSON Schema that hold schemas. */
export const applicators: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ["properties", { holds: "map", isInPlace: false }],
  ["patternProperties", { holds: "map", isInPlace: false }],
  ["additionalProperties", { holds: "one", isInPlace: false }],
  ["propertyNames", { holds: "one", isInPlace: false }],
  ["unevaluatedProperties", { holds: "one", isInPlace: false }],
  ["items", { holds: "one", isInPlace: false }],
  ["prefixItems", { holds: "list", isInPlace: false }],
  ["contains", { holds: "one", isInPlace: false }],
  ["unevaluatedItems", { holds: "one", isInPlace: false }],
  ["allOf", { holds: "list", isInPlace: true }],
  ["anyOf", { holds: "list", isInPlace: true }],
  ["oneOf", { holds: "list", isInPlace: true }],
  ["not", { holds: "one", isInPlace: true }],
  ["if", { holds: "one", isInPlace: true }],
  ["then", { holds: "one", isInPlace: true }],
  ["else", { holds: "one", isInPlace: true }],
  ["dependentSchemas", { holds: "map", isInPlace: true }],
]);

/** The schemas behind one keyword. */
export type Held = Applicator & {
  readonly keyword: string;
  readonly schemas: readonly (readonly [key: string, schema: unknown])[];
};

/** A schema of an OpenAPI document in parts, without anything that is not JSON Schema. */
export type SchemaParts = {
  readonly reference: string | undefined;
  /** Keywords that hold values. */
  readonly values: Fields;
  readonly held: readonly Held[];
  readonly isNullable: boolean;
};

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown) => typeof value === "string";
const isBoolean = (value: unknown) => typeof value === "boolean";
const isAny = () => true;

/** The types of keywords' values; providers refuse the whole request for a wrong type or an unknown keyword. */
const isFit: { readonly [keyword: string]: (value: unknown) => boolean } = {
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: isAny,
  default: isAny,
  examples: Array.isArray,
  title: isText,
  description: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  deprecated: (value) => value === true,
  writeOnly: (value) => value === true,
  uniqueItems: isBoolean,
  pattern: isPattern,
  multipleOf: (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minContains: isNumber,
  maxContains: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
  dependentRequired: isRecord,
};

/** Takes a schema apart: 3.0's keywords become those of JSON Schema; anything that a request may not have is dropped. */
export function schemaParts(document: Fields, schema: Fields): SchemaParts {
  const held = [...applicators].flatMap(([keyword, applicator]): Held[] => {
    const schemas = schemasBehind(fieldOf(schema, keyword), applicator.holds);
    const kept = schemas.filter(([key, each]) => {
      if (keyword === "properties") return !isReadOnly(document, each);
      if (keyword === "patternProperties") return isPattern(key);
      // This is the default.
      return keyword !== "additionalProperties" || each !== true;
    });
    return kept.length === 0 ? [] : [{ keyword, ...applicator, schemas: kept }];
  });
  const type = typeOf(schema);
  const isBareList =
    [type["type"]].flat().includes("array") && !held.some(({ keyword }) => /items/i.test(keyword));
  return {
    reference: referenceOf(schema),
    values: {
      ...type,
      ...plainValues(schema),
      // Providers refuse arrays without `items`.
      ...(isBareList ? { items: {} } : {}),
      ...requiredIn(document, schema),
    },
    held,
    isNullable: fieldOf(schema, "nullable") === true,
  };
}

function schemasBehind(value: unknown, holds: Applicator["holds"]): [string, unknown][] {
  if (holds === "one") return isRecord(value) || isBoolean(value) ? [["", value]] : [];
  if (holds === "list")
    return Array.isArray(value) ? value.map((each, at) => [String(at), each]) : [];
  return isRecord(value) ? Object.entries(value) : [];
}

function plainValues(schema: Fields): Fields {
  return Object.fromEntries(
    Object.entries({ ...schema, ...bounds(schema) }).filter(
      ([keyword, value]) => Object.hasOwn(isFit, keyword) && isFit[keyword]?.(value) === true,
    ),
  );
}

/** In 3.0, `exclusiveMinimum: true` excludes the value of `minimum` itself. */
function bounds(schema: Fields): Fields {
  const pairs = [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const;
  return Object.fromEntries(
    pairs
      .filter(([exclusive]) => fieldOf(schema, exclusive) === true)
      .flatMap(([exclusive, bound]) => [
        [exclusive, fieldOf(schema, bound)],
        [bound, undefined],
      ]),
  );
}

function typeOf(schema: Fields): Fields {
  const given = [fieldOf(schema, "type")]
    .flat()
    .filter(isText)
    .filter((type) => schemaTypes.includes(type));
  if (given.length === 0) return {};
  return { type: given.length === 1 ? given[0] : given };
}

function requiredIn(document: Fields, schema: Fields): Fields {
  const given = fieldOf(schema, "required");
  if (!Array.isArray(given)) return {};
  const properties = fieldOf(schema, "properties");
  const required = [...new Set(given)].filter(
    (name) => isText(name) && !isReadOnly(document, fieldOf(properties, name)),
  );
  return required.length === 0 ? {} : { required };
}

function isReadOnly(document: Fields, schema: unknown): boolean {
  return (
    fieldOf(schema, "readOnly") === true || fieldOf(resolved(document, schema), "readOnly") === true
  );
}
