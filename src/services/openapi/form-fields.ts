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
  readonly prefix?: string;
  /** The content types of a file. */
  readonly file?: string | undefined;
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
  for (const each of withFiles(written, body, definitions)) {
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

/** What a model is told of a file. */
const fileNote =
  "A file: its text, or the name of a file of an earlier result. Never a path or an address.";

/** A description of a file. */
export function fileDescription(description: unknown): string {
  return typeof description === "string" && description.trim() !== ""
    ? `${description.trim()} (${fileNote})`
    : fileNote;
}

/** The arguments, with the files among the fields of a multipart form as texts for the model. */
function withFiles(
  written: readonly Argument[],
  { format, encoding }: OperationBody,
  definitions: Definitions,
): readonly Argument[] {
  if (format !== "multipart") return written;
  return written.map((each) => {
    const shapes = shapesOf(each.schema, definitions);
    const isPart = each.where === "body" && shapes.some((shape) => isFile(shape, definitions));
    return isPart ? { ...each, ...filePart(each, shapes, encoding) } : each;
  });
}

/** A file or a list of files: its schema for the model, and its content types. */
function filePart(
  { name, schema }: Argument,
  shapes: readonly JsonSchema[],
  encoding: Fields,
): Pick<Argument, "schema" | "file"> {
  const described = { description: fileDescription(schema["description"]) };
  const own = shapes.find(isOneFile);
  const list = { type: "array", items: { type: "string" }, ...described };
  return {
    schema: own === undefined ? list : { type: "string", ...described },
    file: fileTypes(textOf(fieldsOf(encoding, name), "contentType"), own?.["contentMediaType"]),
  };
}

/** The content types of a file: those of the encoding, or of its schema; else any. */
function fileTypes(stated: string, own: unknown): string {
  const types = [stated, typeof own === "string" && own !== octets ? own : ""].map((each) =>
    each
      .split(",")
      .map((type) => type.split(";", 1).join("").trim())
      .filter((type) => /^[\w.+*-]+\/[\w.+*-]+$/.test(type))
      .join(", "),
  );
  return types.find((each) => each !== "") ?? "*/*";
}

const octets = "application/octet-stream";

/** Content types of what a JSON text can hold as a string. */
const textual = /^text\/|json|xml|yaml/;

/** A file. 3.1 describes it by its content type without an encoding. */
function isOneFile({ format, contentMediaType, contentEncoding }: JsonSchema): boolean {
  if (format === "binary") return true;
  const isBare = typeof contentMediaType === "string" && contentEncoding === undefined;
  return isBare && !textual.test(contentMediaType);
}

/** A file, or a list of files. */
function isFile(schema: JsonSchema, definitions: Definitions): boolean {
  const { items } = schema;
  return isOneFile(schema) || (isRecord(items) && shapesOf(items, definitions).some(isOneFile));
}
