import { optionalPackage, PlangraphError } from "../../errors.js";
import { isRecord } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import {
  fieldOf,
  type Fields,
  fieldsOf,
  listOf,
  resolved,
  textOf,
  unlessUnfit,
} from "./references.js";

/** Whether this is a document of Swagger 2.0, the version before OpenAPI 3.0. */
export function isSwagger(document: unknown): document is Fields {
  return isRecord(document) && textOf(document, "swagger").startsWith("2.");
}

/**
 * A document of Swagger 2.0 as one of OpenAPI 3.1. Throws `missing_package` without `@scalar/openapi-upgrader`, and
 * `invalid_input` for a document that it cannot read.
 */
export async function upgradedSwagger(document: Fields, file: string): Promise<unknown> {
  const { upgrade } = await optionalPackage(
    () => import("@scalar/openapi-upgrader"),
    `${file}: Swagger 2.0 needs the package "@scalar/openapi-upgrader": npm install @scalar/openapi-upgrader, or give an OpenAPI document of version 3.`,
  );
  try {
    // The package changes what it is given: no object may stand in two places.
    const copy: { [name: string]: unknown } = JSON.parse(JSON.stringify(explicit(document)));
    return upgrade(copy, "3.1");
  } catch (error) {
    throw new PlangraphError(
      "invalid_input",
      `${file}: the Swagger document cannot be converted to OpenAPI 3: ${errorLine(error)}`,
      { cause: error },
    );
  }
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/** The document with defaults of Swagger written out that the package does not know. */
function explicit(document: Fields): Fields {
  const paths = Object.entries(fieldsOf(document, "paths")).map(
    ([path, value]): [string, unknown] => {
      if (!isRecord(value)) return [path, value];
      const shared = parametersOf(document, value);
      const operations = Object.entries(value).map(([name, each]): [string, unknown] => [
        name,
        methods.includes(name) && isRecord(each) ? explicitOperation(document, each, shared) : each,
      ]);
      // Each operation has them now.
      return [path, Object.fromEntries(operations.filter(([name]) => name !== "parameters"))];
    },
  );
  const read = isRecord(fieldOf(document, "paths")) ? { paths: Object.fromEntries(paths) } : {};
  return { ...document, schemes: schemesOf(document), ...read };
}

/** Secrets go by https if the service has it, or does not say. */
function schemesOf(document: Fields): string[] {
  const given = listOf(document, "schemes").filter((each) => each === "http" || each === "https");
  return given.length > 0 && !given.includes("https") ? ["http"] : ["https"];
}

/** An operation with the parameters of its path, and with a content type for its form. */
function explicitOperation(document: Fields, operation: Fields, shared: readonly Fields[]): Fields {
  const own = parametersOf(document, operation);
  const names = new Set(own.map(keyOf));
  const parameters = [...shared.filter((each) => !names.has(keyOf(each))), ...own].map(withFormat);
  const form = parameters.filter((each) => textOf(each, "in") === "formData");
  const given = Array.isArray(fieldOf(operation, "consumes")) ? operation : document;
  if (form.length === 0 || listOf(given, "consumes").some(isFormType)) {
    return { ...operation, parameters };
  }
  const isMultipart = form.some((each) => textOf(each, "type") === "file");
  const type = isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { ...operation, parameters, consumes: [type] };
}

/** The parameters in place of references: the package takes a form's for a parameter of the query. */
function parametersOf(document: Fields, holder: unknown): Fields[] {
  return listOf(holder, "parameters")
    .filter(isRecord)
    .map((each) =>
      unlessUnfit(
        () => resolved(document, each),
        () => each,
      ),
    );
}

function isFormType(type: unknown): boolean {
  return typeof type === "string" && /form/i.test(type);
}

function keyOf(parameter: Fields): string {
  const where = textOf(parameter, "in");
  return where === "body" ? where : `${where} ${textOf(parameter, "name")}`;
}

/** A list in a form has commas by default; the package would repeat the field. */
function withFormat(parameter: Fields): Fields {
  const isList = textOf(parameter, "in") === "formData" && textOf(parameter, "type") === "array";
  return isList ? { collectionFormat: "csv", ...parameter } : parameter;
}
