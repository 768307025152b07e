import { defined, isRecord } from "../../json/json.js";
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from "../../tools/argument-schema.js";
import type { ServiceInput } from "../definition.js";
import { usualPlace } from "../place-arguments.js";
import { fitName, uniqueNames } from "../values.js";
import type { OperationBody } from "./body.js";
import { type Argument, type Definitions, fileDescription, sendable } from "./form-fields.js";
import type { Dropped, OperationParameter } from "./parameters.js";
import { type Fields, UnfitOperation } from "./references.js";
import { SchemaWriter } from "./schemas.js";

/** The place of a parameter, in the form of a definition. */
type Placement = NonNullable<ServiceInput["request"]["in"]>[string];

/** The arguments of a tool, and the place of each in the request. */
type OperationArguments = {
  readonly parameters: ServiceInput["parameters"];
  readonly in: { readonly [parameter: string]: Placement };
  /** The tool's parameters by their names in the path, in braces, with what stands before them. */
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
      named.flatMap(({ where, name, parameter, prefix = "" }) =>
        where === "path" ? [[name, `${prefix}{${parameter}}`]] : [],
      ),
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

/** The fields of the body, or the body. */
function bodyArguments(
  body: OperationBody | undefined,
  parameters: readonly OperationParameter[],
  write: (schema: unknown) => JsonSchema,
): Argument[] {
  if (body === undefined) return [];
  const schema = write(body.schema);
  if (body.file !== undefined) {
    const told = { ...schema, description: fileDescription(body.description) };
    const { isRequired, file } = body;
    return [{ name: "body", where: "wholeBody", schema: told, isRequired, file }];
  }
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
  const isForm = body.format === "form" || body.format === "multipart";
  if (isForm && !typesOf(schema).includes("object")) {
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
  { where, name, list, file }: Argument,
  parameter: string,
  usual: "query" | "body",
): Placement | undefined {
  const hasName = (where !== "path" || list === "matrix") && where !== "wholeBody";
  const isNamed = hasName && name !== parameter;
  const form = file === undefined && list !== "repeat" ? list : undefined;
  const how = defined({ name: isNamed ? name : undefined, list: form, file });
  if (Object.keys(how).length > 0) return { in: where, ...how };
  return where === usual || where === "path" ? undefined : where;
}
