import { isRecord } from "../../json/json.js";
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from "../../tools/argument-schema.js";
import { usualPlace } from "../build-request.js";
import type { ServiceInput } from "../definition.js";
import { fitName, uniqueNames } from "../values.js";
import {
  type Dropped,
  listForm,
  type OperationBody,
  type OperationParameter,
} from "./parameters.js";
import { type Fields, fieldsOf, lastPart, textOf, UnfitOperation } from "./references.js";
import { SchemaWriter } from "./schemas.js";

/** The place of a parameter, in the form of a definition. */
type Placement = NonNullable<ServiceInput["request"]["in"]>[string];

/** An argument of the tool. */
type Argument = {
  /** The service's name for it. */
  readonly name: string;
  readonly where: OperationParameter["where"] | "body" | "wholeBody";
  readonly list?: OperationParameter["list"];
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
};

/** The arguments of a tool, and the place of each in the request. */
type OperationArguments = {
  readonly parameters: ServiceInput["parameters"];
  readonly in: { readonly [parameter: string]: Placement };
  /** The tool's parameters by their names in the path. */
  readonly inPath: ReadonlyMap<string, string>;
  /** An empty fixed body, for a service that requires a body when a call may give no field of it. */
  readonly fixed: Pick<ServiceInput["request"], "body">;
  /** Form fields that are left out. */
  readonly dropped: readonly Dropped[];
};

/** The tool's arguments: parameters and body fields; the whole body if it is not a plain object or a name is taken. */
export function operationArguments(
  document: Fields,
  method: string,
  parameters: readonly OperationParameter[],
  body: OperationBody | undefined,
): OperationArguments {
  const schemas = [
    ...parameters.map(({ schema }) => schema),
    ...(body === undefined ? [] : [body.schema]),
  ];
  const writer = new SchemaWriter(document, schemas);
  const written = [
    ...parameters.map((each): Argument => ({
      ...each,
      schema: described(writer.write(each.schema), each.description),
    })),
    ...bodyArguments(body, parameters, (schema) => writer.write(schema, true)),
  ];
  const definitions = writer.definitions();
  const { fields: kept, dropped } = sendable(written, body, definitions);
  const nameOf = uniqueNames();
  const named = kept.map((each) => ({ ...each, parameter: nameOf(each.name, each.where) }));
  return {
    parameters: parametersOf(named, definitions),
    in: Object.fromEntries(
      named.flatMap((each) => {
        const placement = placementOf(each, each.parameter, usualPlace(method));
        return placement === undefined ? [] : [[each.parameter, placement]];
      }),
    ),
    inPath: new Map(
      named.flatMap(({ where, name, parameter }) => (where === "path" ? [[name, parameter]] : [])),
    ),
    fixed: body?.isRequired === true && !kept.some(fillsBody) ? { body: {} } : {},
    dropped,
  };
}

function fillsBody({ where, isRequired }: Argument): boolean {
  return where === "wholeBody" || (where === "body" && isRequired);
}

function parametersOf(
  named: readonly (Argument & { readonly parameter: string })[],
  definitions: Definitions,
): OperationArguments["parameters"] {
  const properties = Object.fromEntries(named.map(({ parameter, schema }) => [parameter, schema]));
  const required = named.filter(({ isRequired }) => isRequired).map(({ parameter }) => parameter);
  const used = reachable(properties, definitions);
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(used).length === 0 ? {} : { $defs: used }),
  };
}

/** The definitions that are still referenced after fields were dropped. */
function reachable(from: unknown, definitions: Definitions): Definitions {
  const found: { [name: string]: JsonSchema } = {};
  const open: unknown[] = [from];
  while (open.length > 0) {
    for (const [, name = ""] of JSON.stringify(open.pop()).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      const schema = definitions[name];
      if (schema === undefined || Object.hasOwn(found, name)) continue;
      found[name] = schema;
      open.push(schema);
    }
  }
  return found;
}

/** Drops optional fields that a form cannot hold. Throws `UnfitOperation` if such a field is required. */
function sendable(
  written: readonly Argument[],
  body: OperationBody | undefined,
  definitions: Definitions,
): { readonly fields: readonly Argument[]; readonly dropped: readonly Dropped[] } {
  if (body?.format !== "form") return { fields: written, dropped: [] };
  const { encoding } = body;
  const fields: Argument[] = [];
  const dropped: Dropped[] = [];
  for (const each of written) {
    const { name, where, isRequired } = each;
    const reason = unfitReason(each, encoding, definitions);
    if (reason === undefined) {
      const list = listForm(fieldsOf(encoding, name));
      fields.push(where === "body" ? { ...each, list } : each);
    } else if (where === "wholeBody") throw new UnfitOperation(`its body is a form, and ${reason}`);
    else if (isRequired) throw new UnfitOperation(`its form requires "${name}", and ${reason}`);
    else dropped.push({ parameter: name, reason });
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

/** The fields of the body, or the body. */
function bodyArguments(
  body: OperationBody | undefined,
  parameters: readonly OperationParameter[],
  write: (schema: unknown) => JsonSchema,
): Argument[] {
  if (body === undefined) return [];
  const schema = write(body.schema);
  const fields = propertiesOf(schema);
  const taken = new Set(parameters.map(({ name }) => fitName(name, name).toLowerCase()));
  const collides = Object.keys(fields).some((name) => taken.has(fitName(name, name).toLowerCase()));
  if (!collides && isPlainObject(schema)) {
    // Required fields of an optional body are required all the same: most documents forget to require the body.
    const required = requiredOf(schema);
    return Object.entries(fields).map(([name, field]) => ({
      name,
      where: "body",
      schema: field,
      isRequired: required.includes(name),
    }));
  }
  if (body.format === "form" && !typesOf(schema).includes("object")) {
    throw new UnfitOperation("its body is a form that is not an object");
  }
  const description = typeof body.description === "string" ? body.description.trim() : "";
  const whole = schema["description"] === undefined ? described(schema, description) : schema;
  return [{ name: "body", where: "wholeBody", schema: whole, isRequired: body.isRequired }];
}

const rules = ["type", "properties", "required", "additionalProperties"];
const words = ["title", "description", "default", "examples", "deprecated"];

/** Whether a schema is an object with these fields and no other rules. */
function isPlainObject(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return (
    Object.keys(schema).every((keyword) => [...rules, ...words].includes(keyword)) &&
    (types.length === 0 || types.includes("object")) &&
    !isRecord(schema["additionalProperties"]) &&
    Object.keys(propertiesOf(schema)).length > 0
  );
}

/** The parameter's own description comes before that of its schema. */
function described(schema: JsonSchema, description: string): JsonSchema {
  return description === "" ? schema : { ...schema, description };
}

/** Not set where the definition's default rule puts it there. */
function placementOf(
  { where, name, list = "repeat" }: Argument,
  parameter: string,
  usual: "query" | "body",
): Placement | undefined {
  if (where === "path") return undefined;
  if (where === "wholeBody") return where;
  const isWrittenAsList = where !== "header" && list !== "repeat";
  const named = name === parameter ? {} : { name };
  if (name === parameter && !isWrittenAsList) return where === usual ? undefined : where;
  return { in: where, ...named, ...(isWrittenAsList ? { list } : {}) };
}

/** The definitions that a tool's schemas refer to, by name. */
type Definitions = { readonly [name: string]: JsonSchema };

/** The form styles for lists. */
const listStyles = ["", "form", "spaceDelimited", "pipeDelimited"];

/** Why a form cannot hold a field: an object, unless sent as JSON text; a list of objects or lists; an own style. */
function whyNoFormField(
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

/** Why a form cannot be the whole body with this schema, if so. */
function whyNoForm(
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
