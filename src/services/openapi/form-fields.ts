import { isRecord } from "../../json/json.js";
import { type JsonSchema, propertiesOf } from "../../tools/argument-schema.js";
import type { ListForm } from "../definition.js";
import type { OperationBody } from "./body.js";
import { type Dropped, listForm, type OperationParameter } from "./parameters.js";
import { fieldOf, type Fields, fieldsOf, lastPart, textOf, UnfitOperation } from "./references.js";

/** An argument of the tool. */
export type Argument = {
  /** The service's name for it. */
  readonly name: string;
  readonly where: OperationParameter["where"] | "body" | "wholeBody";
  readonly list?: OperationParameter["list"];
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
};

/** The definitions that a tool's schemas refer to, by name. */
export type Definitions = { readonly [name: string]: JsonSchema };

/** Drops optional fields that a form cannot hold. Throws `UnfitOperation` if such a field is required. */
export function sendable(
  written: readonly Argument[],
  body: OperationBody | undefined,
  definitions: Definitions,
): { readonly fields: readonly Argument[]; readonly dropped: readonly Dropped[] } {
  if (body === undefined || !["form", "multipart"].includes(body.format)) {
    return { fields: written, dropped: [] };
  }
  const { encoding } = body;
  const fields: Argument[] = [];
  const dropped: Dropped[] = [];
  for (const each of written) {
    const { name, where, isRequired } = each;
    const reason = unfitReason(each, encoding, definitions);
    if (reason === undefined) {
      fields.push({ ...each, list: formListOf(each, encoding, definitions) });
    } else if (where === "wholeBody") throw new UnfitOperation(`its body is a form, and ${reason}`);
    else if (isRequired) throw new UnfitOperation(`its form requires "${name}", and ${reason}`);
    else dropped.push({ parameter: name, reason });
  }
  if (dropped.length > 0 && !fields.some(({ where }) => where === "body")) {
    throw new UnfitOperation(`its body is a form, and ${dropped[0]?.reason}`);
  }
  return { fields, dropped };
}

/** Why a form cannot hold the argument as documented, if so. */
function unfitReason(
  { where, name, schema }: Argument,
  encoding: Fields,
  definitions: Definitions,
): string | undefined {
  if (where === "wholeBody") return whyNoForm(schema, encoding, definitions);
  if (where !== "body") return undefined;
  return whyNoFormField(schema, fieldsOf(encoding, name), definitions);
}

/** The form styles that a definition can express. */
const formStyles = ["", "form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** Why a form cannot hold a field: a style or a content type of its own, or a list in a list that is joined. */
function whyNoFormField(
  schema: JsonSchema,
  encoding: Fields,
  definitions: Definitions,
): string | undefined {
  const shapes = shapesOf(schema, definitions);
  const lists = shapes.filter(isList);
  if (shapes.some((shape) => isFile(shape, definitions))) return "it is a file";
  if (!shapes.some(isObjectLike) && lists.length === 0) return undefined;
  const type = textOf(encoding, "contentType");
  if (type !== "" && !type.includes("json")) return `it is written as ${type}`;
  const style = textOf(encoding, "style");
  if (!formStyles.includes(style)) return `it is written in the style ${style}`;
  if (["comma", "space", "pipe"].includes(formList(schema, encoding, definitions))) {
    const items = lists.flatMap(({ items: each }) =>
      isRecord(each) ? shapesOf(each, definitions) : [],
    );
    if (items.some((each) => isObjectLike(each) || isList(each))) {
      return "it is a list of objects or lists";
    }
  }
  return undefined;
}

/**
 * How a form writes a field. Without `style` and `explode`, its content type decides: by default an object is JSON, and
 * a list repeats its field.
 */
function formList(schema: JsonSchema, encoding: Fields, definitions: Definitions): ListForm {
  if (textOf(encoding, "contentType").includes("json")) return "json";
  if (textOf(encoding, "style") === "" && fieldOf(encoding, "explode") === undefined) {
    return "repeat";
  }
  return listForm(encoding, shapesOf(schema, definitions).some(isObjectLike));
}

/** How the fields of a form are written: those of a whole body share one form. */
function formListOf(
  { where, name, schema, list = "repeat" }: Argument,
  encoding: Fields,
  definitions: Definitions,
): ListForm {
  if (where === "body") return formList(schema, fieldsOf(encoding, name), definitions);
  return where === "wholeBody" ? (wholeLists(schema, encoding, definitions)[0] ?? list) : list;
}

/** The different ways in which a whole form writes those of its fields that are lists or objects. */
function wholeLists(schema: JsonSchema, encoding: Fields, definitions: Definitions): ListForm[] {
  const several = fieldsIn(schema, definitions).filter(([, field]) =>
    shapesOf(field, definitions).some((shape) => isObjectLike(shape) || isList(shape)),
  );
  return [
    ...new Set(
      several.map(([name, field]) => formList(field, fieldsOf(encoding, name), definitions)),
    ),
  ];
}

/** Why a form cannot be the whole body with this schema, if so. */
function whyNoForm(
  schema: JsonSchema,
  encoding: Fields,
  definitions: Definitions,
): string | undefined {
  for (const [name, field] of fieldsIn(schema, definitions)) {
    const reason = whyNoFormField(field, fieldsOf(encoding, name), definitions);
    if (reason !== undefined) return `"${name}" cannot be sent: ${reason}`;
  }
  const lists = wholeLists(schema, encoding, definitions);
  return lists.length > 1
    ? `its fields are written in several ways: ${lists.join(", ")}`
    : undefined;
}

/** The fields of an object in all its shapes. */
function fieldsIn(schema: JsonSchema, definitions: Definitions): [string, JsonSchema][] {
  return shapesOf(schema, definitions).flatMap((shape) => {
    const { additionalProperties } = shape;
    const others = isRecord(additionalProperties) ? { "another field": additionalProperties } : {};
    return Object.entries({ ...propertiesOf(shape), ...others });
  });
}

/** A schema, with all that it references or is composed of. */
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

/** A file, or a list of files: their bytes are no argument. */
function isFile(
  { format, contentMediaType, items }: JsonSchema,
  definitions: Definitions,
): boolean {
  if (format === "binary" || contentMediaType === "application/octet-stream") return true;
  const inside = isRecord(items) ? shapesOf(items, definitions) : [];
  return inside.some((each) => each["format"] === "binary" || "contentMediaType" in each);
}
