import { isRecord } from "../../json/json.js";
import { type JsonSchema, propertiesOf } from "../../tools/argument-schema.js";
import { type Fields, fieldsOf, lastPart, textOf } from "./references.js";

/** The definitions that a tool's schemas refer to, by name. */
export type Definitions = { readonly [name: string]: JsonSchema };

/** The styles in which a form writes lists. */
const listStyles = ["", "form", "spaceDelimited", "pipeDelimited"];

/**
 * Why a form cannot hold a field as the document says, if so: an object, a list of objects or lists, or a style of
 * its own. A field that the document wants as JSON text may be an object.
 */
export function whyNoFormField(
  schema: JsonSchema,
  encoding: Fields,
  definitions: Definitions,
): string | undefined {
  const shapes = shapesOf(schema, definitions);
  const lists = shapes.filter(isList);
  if (textOf(encoding, "contentType").includes("json")) {
    return lists.length > 0 ? "it is a list written as JSON" : undefined;
  }
  const isObject = shapes.some(isObjectLike);
  const style = textOf(encoding, "style");
  if ((isObject || lists.length > 0) && !listStyles.includes(style)) {
    return `it is written in the style ${style}`;
  }
  if (isObject) return "it is an object";
  const items = lists.flatMap(({ items: each }) =>
    isRecord(each) ? shapesOf(each, definitions) : [],
  );
  return items.some((each) => isObjectLike(each) || isList(each))
    ? "it is a list of objects or lists"
    : undefined;
}

/** Why a form cannot be all of a body with this schema, if so. */
export function whyNoForm(
  schema: JsonSchema,
  encoding: Fields,
  definitions: Definitions,
): string | undefined {
  for (const shape of shapesOf(schema, definitions)) {
    const { additionalProperties } = shape;
    const others = isRecord(additionalProperties) ? { "another field": additionalProperties } : {};
    for (const [name, field] of Object.entries({ ...propertiesOf(shape), ...others })) {
      const reason = whyNoFormField(field, fieldsOf(encoding, name), definitions);
      if (reason !== undefined) return `"${name}" cannot be sent: ${reason}`;
    }
  }
  return undefined;
}

/** A schema, and all that it refers to or is composed of. */
function shapesOf(
  schema: JsonSchema,
  definitions: Definitions,
  seen = new Set<JsonSchema>(),
): JsonSchema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { $ref: reference } = schema;
  const target = typeof reference === "string" ? definitions[lastPart(reference)] : undefined;
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => schema[keyword] ?? []);
  const all: readonly unknown[] = [target, ...parts];
  return [schema, ...all.filter(isRecord).flatMap((part) => shapesOf(part, definitions, seen))];
}

function isObjectLike(schema: JsonSchema): boolean {
  const { type, additionalProperties } = schema;
  if (type !== undefined) return [type].flat().includes("object");
  return "properties" in schema || isRecord(additionalProperties);
}

function isList(schema: JsonSchema): boolean {
  const { type } = schema;
  return type === undefined ? "items" in schema : [type].flat().includes("array");
}
