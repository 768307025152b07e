import { typesOf } from "../../tools/argument-schema.js";
import { isToken, type ListForm, parametersInUrl } from "../definition.js";
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
  readonly where: "path" | "query" | "header" | "cookie";
  /** The service's name for it. */
  readonly name: string;
  readonly schema: unknown;
  readonly description: string;
  readonly isRequired: boolean;
  readonly list: ListForm;
  /** What stands before it in the path. */
  readonly prefix?: string;
};

/** A parameter that is left out. */
export type Dropped = { readonly parameter: string; readonly reason: string };

/** The parameters of an operation, and those that are left out. */
export type ReadParameters = {
  readonly parameters: readonly OperationParameter[];
  readonly dropped: readonly Dropped[];
};

/** The parameters of path and operation; inexpressible ones are dropped, or throw `UnfitOperation` if required. */
export function operationParameters(document: Fields, operation: Operation): ReadParameters {
  const found = new Map<string, Fields>();
  const given = [operation.item, operation.fields].flatMap((each) => listOf(each, "parameters"));
  for (const each of given) {
    const fields = resolved(document, each);
    found.set(`${textOf(fields, "in")} ${textOf(fields, "name")}`, fields);
  }
  const inPath = [...new Set(parametersInUrl(operation.path))];
  const parameters = inPath.map((name) => pathParameter(document, name, found));
  const dropped: Dropped[] = [];
  for (const fields of found.values()) {
    const name = textOf(fields, "name");
    if (textOf(fields, "in") === "path" || isForClient(fields) || name === "") continue;
    const reason = whyUnfit(document, fields);
    if (reason === undefined) parameters.push(parameterOf(document, fields));
    else if (mustBeSent(fields)) throw unfit(name, reason);
    else dropped.push({ parameter: name, reason });
  }
  return { parameters, dropped };
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
  const where = places.find((each) => each === given) ?? "query";
  const name = textOf(fields, "name");
  const types = typesOf(resolved(document, schemaOf(fields)));
  const isObject = types.includes("object");
  const isSeveral = isObject || types.includes("array");
  return {
    where,
    name,
    schema: schemaOf(fields),
    description: textOf(fields, "description").trim(),
    isRequired: mustBeSent(fields),
    ...(where === "query" || where === "cookie"
      ? { list: listForm(fields, isObject) }
      : formOfStyle(fields, isSeveral)),
  };
}

/** How a path or a header holds the parameter, by RFC 6570. A list that is not exploded is one text behind a prefix. */
function formOfStyle(
  fields: Fields,
  isSeveral: boolean,
): Pick<OperationParameter, "list" | "prefix"> {
  const list = listFormOutsideOfQuery(fields, isSeveral);
  const style = textOf(fields, "style");
  if (style !== "label" && style !== "matrix") return { list };
  if (isSeveral && fieldOf(fields, "explode") === true) return { list: style };
  const name = encodeURIComponent(textOf(fields, "name"));
  return { list, prefix: style === "label" ? "." : `;${name}=` };
}

const places = ["path", "header", "cookie"] as const;

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

/** Without the prefixes of `label` and `matrix`, a path and a header know the style `simple` alone. */
function listFormOutsideOfQuery(fields: Fields, isSeveral: boolean): ListForm {
  if (isWrittenAsJson(fields)) return "json";
  return isSeveral ? "comma" : "repeat";
}

function isWrittenAsJson(fields: Fields): boolean {
  return Object.keys(fieldsOf(fields, "content")).length > 0;
}

const plainStyles: { readonly [where: string]: readonly string[] } = {
  path: ["", "simple", "label", "matrix"],
  header: ["", "simple"],
  cookie: ["", "form"],
  query: ["", "form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

/** Why a request cannot contain the parameter, if so. */
function whyUnfit(document: Fields, fields: Fields): string | undefined {
  const where = textOf(fields, "in");
  const styles = Object.hasOwn(plainStyles, where) ? plainStyles[where] : undefined;
  if (styles === undefined) return `it is in "${where}"`;
  const style = textOf(fields, "style");
  if (!styles.includes(style)) return `it is written in the style ${style}`;
  const types = typesOf(resolved(document, schemaOf(fields)));
  // `a=1,b=2`: no definition says so.
  const isSimple = ["", "simple"].includes(style) && ["path", "header"].includes(where);
  const isNamed = fieldOf(fields, "explode") === true && isSimple;
  return isNamed && types.includes("object") ? "it is an object" : whyNoCookie(fields);
}

function whyNoCookie(fields: Fields): string | undefined {
  const where = textOf(fields, "in");
  const name = textOf(fields, "name");
  if (where === "header" && name.toLowerCase() === "cookie") return "it is all cookies";
  return where === "cookie" && !isToken(name) ? "its name is none of a cookie" : undefined;
}

function unfit(name: string, reason: string): UnfitOperation {
  return new UnfitOperation(`it requires the parameter "${name}", and ${reason}`);
}
