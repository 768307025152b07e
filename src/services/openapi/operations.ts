import { PlangraphError } from "../../errors.js";
import { isRecord, maxDepth } from "../../json/json.js";
import { isWithin, maxValues } from "../data-size.js";
import { fieldOf, type Fields, fieldsOf, listOf, resolved, textOf } from "./references.js";
import { UnfitOperation } from "./unfit-operation.js";

/** An operation of a document, with the path item that it stands in. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  /** Its `operationId`; `""` where it has none. */
  readonly id: string;
  readonly tags: readonly string[];
  readonly fields: Fields;
  readonly item: Fields;
};

/** What was not made a service, and why. */
export type LeftOut = { readonly operation: string; readonly reason: string };

const methods = ["get", "head", "post", "put", "patch", "delete", "options", "trace", "query"];

/** An OpenAPI document of version 3. Throws `invalid_input` for anything else, and for what is too much to go through. */
export function readDocument(value: unknown): Fields {
  if (!isWithin(value, maxDepth, maxValues)) {
    const limits = `${maxDepth} objects and lists, or stands for more than ${maxValues} values`;
    throw new PlangraphError("invalid_input", `The document nests more than ${limits}.`);
  }
  const version = textOf(value, "openapi");
  if (isRecord(value) && /^3\.\d/.test(version) && isRecord(fieldOf(value, "paths"))) return value;
  const swagger = textOf(value, "swagger");
  const got = [
    version === ""
      ? ""
      : `version ${version}${isRecord(fieldOf(value, "paths")) ? "" : " without paths"}`,
    swagger === "" ? "" : `Swagger ${swagger}; convert it first, with swagger2openapi for one`,
  ].find((each) => each !== "");
  throw new PlangraphError(
    "invalid_input",
    `Expected an OpenAPI document of version 3.0 or 3.1 with paths, got ${got ?? "something else"}.`,
  );
}

/** All operations of a document in its order, and the paths that could not be read. */
export function operationsIn(document: Fields): { operations: Operation[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const operations = Object.entries(fieldsOf(document, "paths")).flatMap(([path, value]) => {
    if (!path.startsWith("/")) return [];
    try {
      return operationsOf(path, resolved(document, value));
    } catch (error) {
      if (!(error instanceof UnfitOperation)) throw error;
      leftOut.push({ operation: path, reason: error.message });
      return [];
    }
  });
  return { operations, leftOut };
}

function operationsOf(path: string, item: Fields): Operation[] {
  return Object.entries(item).flatMap(([method, fields]) => {
    if (!methods.includes(method) || !isRecord(fields)) return [];
    const tags = listOf(fields, "tags").filter((tag) => typeof tag === "string");
    const id = textOf(fields, "operationId").trim();
    return [{ method: method.toUpperCase(), path, id, tags, fields, item }];
  });
}

/** What an operation is called in reports: `listPets (GET /pets)`. */
export function labelOf({ id, method, path }: Operation): string {
  return id === "" ? `${method} ${path}` : `${id} (${method} ${path})`;
}
