import { typesOf } from "../../tools/argument-schema.js";
import { parametersInUrl } from "../definition.js";
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
  readonly list: "repeat" | "comma" | "space" | "pipe";
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
    if (reason === undefined) read.parameters.push(parameterOf(fields));
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
  return { ...parameterOf(fields), isRequired: true };
}

/** Headers that the client sets itself, according to OpenAPI. */
function isForClient(fields: Fields): boolean {
  const name = textOf(fields, "name").toLowerCase();
  return (
    textOf(fields, "in") === "header" && ["accept", "content-type", "authorization"].includes(name)
  );
}

function parameterOf(fields: Fields): OperationParameter {
  const where = textOf(fields, "in");
  return {
    where: where === "path" || where === "header" ? where : "query",
    name: textOf(fields, "name"),
    schema: schemaOf(fields),
    description: textOf(fields, "description").trim(),
    isRequired: mustBeSent(fields),
    list: listForm(fields),
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

/** How `style` and `explode` write a list. */
export function listForm(fields: Fields): OperationParameter["list"] {
  const style = textOf(fields, "style");
  const explode = fieldOf(fields, "explode") ?? (style === "" || style === "form");
  if (explode === true) return "repeat";
  if (style === "spaceDelimited") return "space";
  return style === "pipeDelimited" ? "pipe" : "comma";
}

const plainStyles: { readonly [where: string]: readonly string[] } = {
  path: ["", "simple"],
  header: ["", "simple"],
  query: ["", "form", "spaceDelimited", "pipeDelimited"],
};

/** Why a request cannot contain the parameter, if so. */
function whyUnfit(document: Fields, fields: Fields): string | undefined {
  const where = textOf(fields, "in");
  const styles = Object.hasOwn(plainStyles, where) ? plainStyles[where] : undefined;
  if (styles === undefined) return where === "cookie" ? "it is a cookie" : `it is in "${where}"`;
  const style = textOf(fields, "style");
  if (!styles.includes(style)) return `it is written in the style ${style}`;
  const types = typesOf(resolved(document, schemaOf(fields)));
  const isWrittenAsJson = Object.keys(fieldsOf(fields, "content")).length > 0;
  // A single value is written as JSON anyway; a list would be read as several values.
  if (types.includes("object") && !isWrittenAsJson) return "it is an object";
  if (types.includes("array") && (where !== "query" || isWrittenAsJson)) return "it is a list";
  return undefined;
}

function unfit(name: string, reason: string): UnfitOperation {
  return new UnfitOperation(`it requires the parameter "${name}", and ${reason}`);
}

/** The body of a request in the document. */
export type OperationBody = {
  readonly schema: unknown;
  readonly description: unknown;
  readonly isRequired: boolean;
  readonly format: "json" | "form";
  /** Set if it differs from the format's own. */
  readonly contentType: string | undefined;
  /** The encoding of form fields, by name. */
  readonly encoding: Fields;
};

const form = "application/x-www-form-urlencoded";

/** The body of an operation, JSON if possible. Throws `UnfitOperation` if it is required and neither JSON nor a form. */
export function operationBody(document: Fields, operation: Operation): OperationBody | undefined {
  const body = resolved(document, fieldOf(operation.fields, "requestBody"));
  const content = Object.entries(fieldsOf(body, "content")).map(([type, media]) => ({
    type: type.split(";", 1).join("").trim().toLowerCase(),
    media,
  }));
  if (content.length === 0) return undefined;
  const isRequired = fieldOf(body, "required") === true;
  const found =
    content.find(({ type }) => isJsonType(type)) ?? content.find(({ type }) => type === form);
  if (found === undefined) {
    throw new UnfitOperation(`its body is ${content.map(({ type }) => type).join(" or ")}`);
  }
  if (operation.method === "GET" || operation.method === "HEAD") {
    if (!isRequired) return undefined;
    throw new UnfitOperation(`it is ${operation.method} with a body`);
  }
  return {
    schema: fieldOf(found.media, "schema"),
    description: fieldOf(body, "description"),
    isRequired,
    format: found.type === form ? "form" : "json",
    contentType: found.type.endsWith("+json") ? found.type : undefined,
    encoding: fieldsOf(found.media, "encoding"),
  };
}

function isJsonType(type: string): boolean {
  return type === "application/json" || type.endsWith("+json") || type === "*/*";
}
