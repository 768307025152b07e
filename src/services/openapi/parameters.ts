import { typesOf } from "../../tools/argument-schema.js";
import { type ListForm, parametersInUrl } from "../definition.js";
import type { Operation } from "./operations.js";
import {
  fieldOf,
  type Fields,
  fieldsOf,
  listOf,
  resolved,
  textOf,
  UnfitOperation,
} from "./references.js";

/** A parameter of the document, and its place in a request. */
export type OperationParameter = {
  readonly where: "path" | "query" | "header";
  /** The service's name for it. */
  readonly name: string;
  readonly schema: unknown;
  readonly description: string;
  readonly isRequired: boolean;
  readonly list: ListForm;
};

/** A parameter that is left out. */
export type Dropped = { readonly parameter: string; readonly reason: string };

type Read = { parameters: OperationParameter[]; dropped: Dropped[] };

/** The parameters of path and operation; inexpressible ones are dropped, or throw `UnfitOperation` if required. */
export function operationParameters(document: Fields, operation: Operation): Read {
  const found = new Map<string, Fields>();
  const given = [operation.item, operation.fields].flatMap((each) => listOf(each, "parameters"));
  for (const each of given) {
    const fields = resolved(document, each);
    found.set(`${textOf(fields, "in")} ${textOf(fields, "name")}`, fields);
  }
  const inPath = [...new Set(parametersInUrl(operation.path))];
  const read: Read = {
    parameters: inPath.map((name) => pathParameter(document, name, found)),
    dropped: [],
  };
  for (const fields of found.values()) {
    const name = textOf(fields, "name");
    if (textOf(fields, "in") === "path" || isForClient(fields) || name === "") continue;
    const reason = whyUnfit(document, fields);
    if (reason === undefined) read.parameters.push(parameterOf(document, fields));
    else if (mustBeSent(fields)) throw unfit(name, reason);
    else read.dropped.push({ parameter: name, reason });
  }
  return read;
}

/** Every name in the path is a parameter, even if the document does not describe it. */
function pathParameter(document: Fields, name: string, found: ReadonlyMap<string, Fields>) {
  const fields = found.get(`path ${name}`) ?? { in: "path", name, schema: { type: "string" } };
  const reason = whyUnfit(document, fields);
  if (reason !== undefined) throw unfit(name, reason);
  return { ...parameterOf(document, fields), isRequired: true };
}

/** Headers that the client sets itself, according to OpenAPI. */
function isForClient(fields: Fields): boolean {
  const name = textOf(fields, "name").toLowerCase();
  return (
    textOf(fields, "in") === "header" && ["accept", "content-type", "authorization"].includes(name)
  );
}

function parameterOf(document: Fields, fields: Fields): OperationParameter {
  const given = textOf(fields, "in");
  const where = given === "path" || given === "header" ? given : "query";
  const types = typesOf(resolved(document, schemaOf(fields)));
  const isObject = types.includes("object");
  return {
    where,
    name: textOf(fields, "name"),
    schema: schemaOf(fields),
    description: textOf(fields, "description").trim(),
    isRequired: mustBeSent(fields),
    list:
      where === "query"
        ? listForm(fields, isObject)
        : listFormOutsideOfQuery(fields, isObject || types.includes("array")),
  };
}

function mustBeSent(fields: Fields): boolean {
  return fieldOf(fields, "required") === true;
}

/** A parameter has a schema, or one content type with a schema. */
function schemaOf(fields: Fields): unknown {
  const [content] = Object.values(fieldsOf(fields, "content"));
  return fieldOf(fields, "schema") ?? fieldOf(content, "schema");
}

/** How `style` and `explode` write a list or an object in a query or a form. */
export function listForm(fields: Fields, isObject: boolean): ListForm {
  const style = textOf(fields, "style");
  if (isWrittenAsJson(fields)) return "json";
  if (style === "deepObject") return "deep";
  const explode = fieldOf(fields, "explode") ?? (style === "" || style === "form");
  if (explode === true) return isObject ? "fields" : "repeat";
  if (style === "spaceDelimited") return "space";
  return style === "pipeDelimited" ? "pipe" : "comma";
}

/** A path and a header know the style `simple` alone. */
function listFormOutsideOfQuery(fields: Fields, isSeveral: boolean): ListForm {
  if (isWrittenAsJson(fields)) return "json";
  return isSeveral ? "comma" : "repeat";
}

function isWrittenAsJson(fields: Fields): boolean {
  return Object.keys(fieldsOf(fields, "content")).length > 0;
}

const plainStyles: { readonly [where: string]: readonly string[] } = {
  path: ["", "simple"],
  header: ["", "simple"],
  query: ["", "form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

/** Why a request cannot contain the parameter, if so. */
function whyUnfit(document: Fields, fields: Fields): string | undefined {
  const where = textOf(fields, "in");
  const styles = Object.hasOwn(plainStyles, where) ? plainStyles[where] : undefined;
  if (styles === undefined) return where === "cookie" ? "it is a cookie" : `it is in "${where}"`;
  const style = textOf(fields, "style");
  if (!styles.includes(style)) return `it is written in the style ${style}`;
  const types = typesOf(resolved(document, schemaOf(fields)));
  // `a=1,b=2`: no definition says so.
  const isNamed = fieldOf(fields, "explode") === true && where !== "query";
  return isNamed && types.includes("object") ? "it is an object" : undefined;
}

function unfit(name: string, reason: string): UnfitOperation {
  return new UnfitOperation(`it requires the parameter "${name}", and ${reason}`);
}
