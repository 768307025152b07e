import { isRecord } from "../../plan/json.js";
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from "../../tools/argument-schema.js";
import type { ServiceInput } from "../definition.js";
import type { OperationBody } from "./operation-body.js";
import type { OperationParameter } from "./operation-parameters.js";
import type { Fields } from "./references.js";
import { createSchemaWriter } from "./schema-writer.js";
import { UnfitOperation } from "./unfit-operation.js";
import { fitName, uniqueNames } from "../unique-names.js";

/** Where a parameter goes, as a definition says it. */
type Placement = NonNullable<ServiceInput["request"]["in"]>[string];

/** An argument of the tool. */
type Argument = {
  /** What the service calls it. */
  readonly name: string;
  readonly where: OperationParameter["where"] | "body" | "wholeBody";
  readonly list?: OperationParameter["list"];
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
};

/** What a tool takes, and where each of it goes. */
export type OperationArguments = {
  readonly parameters: ServiceInput["parameters"];
  readonly in: { readonly [parameter: string]: Placement };
  /** The tool's parameters by what the path calls them. */
  readonly inPath: ReadonlyMap<string, string>;
};

/** Methods whose arguments go to the query where nothing else is said. */
const withoutBody = ["GET", "HEAD", "DELETE"];

/**
 * What a tool of an operation takes: its parameters and the fields of its body, or all of the body where it is no
 * plain object or has a field that is called as a parameter is.
 */
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
  const writer = createSchemaWriter(document, schemas);
  const written = [
    ...parameters.map((each): Argument => ({
      ...each,
      schema: described(writer.write(each.schema), each.description),
    })),
    ...bodyArguments(body, parameters, (schema) => writer.write(schema, { isOpened: true })),
  ];
  const definitions = writer.definitions();
  const nameOf = uniqueNames();
  const named = written.map((each) => ({ ...each, parameter: nameOf(each.name, each.where) }));
  const required = named.filter(({ isRequired }) => isRequired).map(({ parameter }) => parameter);
  const elsewhere = withoutBody.includes(method) ? "query" : "body";
  return {
    parameters: {
      type: "object",
      properties: Object.fromEntries(named.map(({ parameter, schema }) => [parameter, schema])),
      ...(required.length === 0 ? {} : { required }),
      ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
    },
    in: Object.fromEntries(
      named.flatMap((each) => {
        const placement = placementOf(each, each.parameter, elsewhere);
        return placement === undefined ? [] : [[each.parameter, placement]];
      }),
    ),
    inPath: new Map(
      named.flatMap(({ where, name, parameter }) => (where === "path" ? [[name, parameter]] : [])),
    ),
  };
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
    // A body that may be left out has required fields all the same: most documents forget to require the body.
    const required = requiredOf(schema);
    return Object.entries(fields).map(([name, field]) => ({
      name,
      where: "body",
      schema: field,
      isRequired: required.includes(name),
    }));
  }
  if (body.format === "form" && !typesOf(schema).includes("object")) {
    throw new UnfitOperation("its body is a form that is no object");
  }
  const description = typeof body.description === "string" ? body.description.trim() : "";
  const whole = schema["description"] === undefined ? described(schema, description) : schema;
  return [{ name: "body", where: "wholeBody", schema: whole, isRequired: body.isRequired }];
}

const plain = ["type", "properties", "required", "title", "description", "additionalProperties"];

/** Whether a schema is an object with these fields and no other rules. */
function isPlainObject(schema: JsonSchema): boolean {
  const others = Object.keys(schema).filter((keyword) => !plain.includes(keyword));
  const types = typesOf(schema);
  return (
    others.every((keyword) => ["default", "examples", "deprecated"].includes(keyword)) &&
    (types.length === 0 || types.includes("object")) &&
    !isRecord(schema["additionalProperties"]) &&
    Object.keys(propertiesOf(schema)).length > 0
  );
}

/** What a parameter is for is said of it, before what its schema says. */
function described(schema: JsonSchema, description: string): JsonSchema {
  return description === "" ? schema : { ...schema, description };
}

/** Nothing where the definition's own rule puts it there. */
function placementOf(
  { where, name, list = "repeat" }: Argument,
  parameter: string,
  elsewhere: "query" | "body",
): Placement | undefined {
  if (where === "path") return undefined;
  if (where === "wholeBody") return where;
  const isList = where === "query" && list !== "repeat";
  if (name === parameter && !isList) return where === elsewhere ? undefined : where;
  return { in: where, ...(name === parameter ? {} : { name }), ...(isList ? { list } : {}) };
}
