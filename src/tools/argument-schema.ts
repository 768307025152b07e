import type { StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isZodSchemaV4 } from "@langchain/core/utils/types";
import { z } from "zod";

import { isRecord, type JsonObject } from "../json/json.js";
import { oncePerObject } from "../models/once-per-object.js";
import { errorLine } from "../observe/redact.js";
import { shown } from "../run/check-names.js";

/** A JSON Schema with the keywords that this code reads. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The tool's arguments as JSON Schema. Throws a `TypeError` with the place for a schema that cannot be converted. */
export function argumentSchema({ schema }: Pick<StructuredToolInterface, "schema">): JsonSchema {
  return writtenSchema(schema);
}

/** Converted once: every call reads its tool's schema several times. */
const writtenSchema = oncePerObject((schema: StructuredToolInterface["schema"]): JsonSchema => {
  try {
    return checkedSchema(toJsonSchema(schema));
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError("it contains itself", { cause: error });
    const place = placeOf(schema);
    const where = place === "" ? "" : `property "${place}": `;
    throw new TypeError(`${where}${errorLine(error)}`, { cause: error });
  }
});

function checkedSchema(json: unknown): JsonSchema {
  if (!isRecord(json) || Array.isArray(json)) throw new TypeError(`it is ${shown(json)}`);
  // A request to a model is text: it cannot contain a BigInt or a circular schema.
  JSON.stringify(json);
  return json;
}

/** The path of the zod property that cannot be converted, as deep as there are objects. */
function placeOf(schema: unknown): string {
  const shape: unknown = isRecord(schema) ? schema["shape"] : undefined;
  if (!isRecord(shape)) return "";
  const found = Object.entries(shape).find(([, property]) => !isWritable(property));
  return found === undefined ? "" : [found[0], placeOf(found[1])].filter(Boolean).join(".");
}

function isWritable(schema: unknown): boolean {
  if (!isZodSchemaV4(schema)) return true;
  try {
    // LangChain leaves out the transform of a top-level schema.
    return isRecord(toJsonSchema(z.object({ schema })));
  } catch {
    return false;
  }
}

/** The schemas of an object's properties by name. */
export function propertiesOf(schema: JsonSchema): {
  readonly [name: string]: JsonSchema;
} {
  const properties = schema["properties"];
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isRecord(property) ? [[name, property]] : [],
    ),
  );
}

/** The names of required properties. */
export function requiredOf(schema: JsonSchema): string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** The names of arguments: those that the schema knows, those that are missing, and those that it does not know. */
export function argumentNames(schema: JsonSchema, args: JsonObject) {
  const known = Object.keys(propertiesOf(schema));
  return {
    known,
    missing: requiredOf(schema).filter((name) => args[name] === undefined),
    unknown: Object.keys(args).filter((name) => !known.includes(name)),
  };
}

/** The types that a schema allows, through `anyOf` and `oneOf`; empty if it states none. */
export function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  return branchesOf(schema).flatMap(typesOf);
}

/** The alternatives of a schema; the schema itself if it has none. */
export function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(branches) ? branches.filter(isRecord) : [];
}

/** The schema of a list's items; nothing if there is none, or several. */
function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  const shapes = branchesOf(schema).filter((branch) => "items" in branch);
  const items = schema["items"] ?? (shapes.length === 1 ? shapes[0]?.["items"] : undefined);
  return isRecord(items) ? items : undefined;
}

/** The alternative that an object names by its constants (`kind: "card"`), else the schema itself. */
function shapeOf(object: Record<string, unknown>, schema: JsonSchema): JsonSchema {
  const shapes = branchesOf(schema).filter((branch) => isNamedBy(object, branch));
  return shapes.length === 1 ? (shapes[0] ?? schema) : schema;
}

function isNamedBy(object: Record<string, unknown>, shape: JsonSchema): boolean {
  return (
    "properties" in shape &&
    Object.entries(propertiesOf(shape)).every(
      ([name, property]) => !("const" in property) || property["const"] === object[name],
    )
  );
}

/** The place of a value in a call's arguments. */
export type Place = {
  readonly path: readonly (string | number)[];
  /** The parameter of the value, or of the list that contains it. */
  readonly parameter?: { readonly name: string; readonly schema: JsonSchema };
  /** Whether the parameter is optional. */
  readonly isOptional: boolean;
};

/** Maps a text, number, boolean or null; undefined leaves the field out. */
type LeafChange = (leaf: unknown, schema: JsonSchema, place: Place) => unknown;

/** The value with its leaves mapped. Parts without a schema stay; of several shapes the named one counts. */
export function mapLeaves(
  value: unknown,
  schema: JsonSchema,
  change: LeafChange,
  place: Place = { path: [], isOptional: false },
): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return value;
    return value.map((item: unknown, at) =>
      mapLeaves(item, items, change, { ...place, path: [...place.path, at], isOptional: false }),
    );
  }
  if (!isRecord(value)) return change(value, schema, place);
  const shape = shapeOf(value, schema);
  const properties = propertiesOf(shape);
  const required = requiredOf(shape);
  const fields = Object.entries(value).flatMap(([name, each]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return [[name, each]];
    const path = [...place.path, name];
    const isOptional = !required.includes(name) || "default" in property;
    const inner = { path, parameter: { name, schema: property }, isOptional };
    const changed = mapLeaves(each, property, change, inner);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Object.fromEntries(fields);
}

/** The schema at a path of property names and list positions; empty where there is none. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  let at = schema;
  for (const key of path) {
    const next = typeof key === "number" ? at["items"] : propertiesOf(at)[String(key)];
    const found =
      next ??
      branchesOf(at)
        .map((branch) => schemaAt(branch, [key]))
        .find(hasKeywords);
    at = isRecord(found) ? found : {};
  }
  return at;
}

function hasKeywords(schema: JsonSchema): boolean {
  return Object.keys(schema).length > 0;
}

/** Whether a tool has a parameter for a number, such as a year; a choice of numbers is one, too. */
export function takesNumber(schema: JsonSchema): boolean {
  return Object.values(propertiesOf(schema)).some(isNumeric);
}

/** Whether it has to have a number. */
export function needsNumber(schema: JsonSchema): boolean {
  const properties = propertiesOf(schema);
  return requiredOf(schema).some((name) => isNumeric(properties[name] ?? {}));
}

function isNumeric(schema: JsonSchema): boolean {
  const { const: value, enum: values } = schema;
  const given = [value, ...(Array.isArray(values) ? values : [])];
  const isNumber = typesOf(schema).some((type) => type === "number" || type === "integer");
  return (
    isNumber || given.some((each) => typeof each === "number") || branchesOf(schema).some(isNumeric)
  );
}

/** Whether a parameter takes the name of something, and no words about it. */
export function takesName(field: string): boolean {
  return /^(?:name|title|id)$/i.test(field);
}
