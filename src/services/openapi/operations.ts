import { PlangraphError } from "../../errors.js";
import { isRecord, maxDepth } from "../../json/json.js";
import { nearestFirst } from "../../plan/nearest.js";
import { invalidOption } from "../../run/check-names.js";
import { isWithin, maxValues } from "../../files/bounds.js";
import {
  fieldOf,
  type Fields,
  fieldsOf,
  listOf,
  resolved,
  textOf,
  unlessUnfit,
} from "./references.js";

/** An operation of a document, with its path item. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  /** Its `operationId`; `""` if it has none. */
  readonly id: string;
  readonly tags: readonly string[];
  readonly fields: Fields;
  readonly item: Fields;
};

/** An operation that was not made a service, and why. */
export type LeftOut = { readonly operation: string; readonly reason: string };

const httpMethods = ["get", "head", "post", "put", "patch", "delete", "options", "trace", "query"];

/** Checks that this is an OpenAPI document of version 3. Throws `invalid_input` if not, or if it is too large to walk. */
export function readDocument(value: unknown): Fields {
  if (!isWithin(value, maxDepth, maxValues)) {
    const limits = `${maxDepth} objects and lists, or expands to more than ${maxValues} values`;
    throw new PlangraphError("invalid_input", `The document nests more than ${limits}.`);
  }
  const version = textOf(value, "openapi");
  if (isRecord(value) && /^3\.\d/.test(version) && isRecord(fieldOf(value, "paths"))) return value;
  const swagger = textOf(value, "swagger");
  const got = [
    version === ""
      ? ""
      : `version ${version}${isRecord(fieldOf(value, "paths")) ? "" : " without paths"}`,
    swagger === ""
      ? ""
      : `Swagger ${swagger}; importOpenApi(file) reads it, with the package @scalar/openapi-upgrader`,
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
    const read = () => operationsOf(path, resolved(document, value));
    return unlessUnfit(read, (reason) => {
      leftOut.push({ operation: path, reason });
      return [];
    });
  });
  return { operations, leftOut };
}

function operationsOf(path: string, item: Fields): Operation[] {
  return Object.entries(item).flatMap(([method, fields]) => {
    if (!httpMethods.includes(method) || !isRecord(fields)) return [];
    const tags = listOf(fields, "tags").filter((tag) => typeof tag === "string");
    const id = textOf(fields, "operationId").trim();
    return [{ method: method.toUpperCase(), path, id, tags, fields, item }];
  });
}

/** The name of an operation in reports: `listPets (GET /pets)`. */
export function labelOf({ id, method, path }: Operation): string {
  return id === "" ? `${method} ${path}` : `${id} (${method} ${path})`;
}

/** Selects operations; each field narrows the selection, and without any field all are selected. */
export type OperationChoice = {
  /** Operations with one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Operations with these ids, or `GET /path`; `*` matches any text. */
  readonly operations?: readonly string[] | undefined;
  /** Operations with one of these methods. */
  readonly methods?: readonly string[] | undefined;
};

/** The selected operations, in order. Throws `invalid_option` for an unknown tag or operation, or an empty selection. */
export function selectOperations(
  operations: readonly Operation[],
  { tags, operations: patterns, methods }: OperationChoice,
): Operation[] {
  for (const pattern of patterns ?? []) checkPattern(pattern, operations);
  for (const tag of tags ?? []) {
    if (operations.some((each) => each.tags.includes(tag))) continue;
    throw invalidOption(
      `There is no tag ${JSON.stringify(tag)} in the document. ${tagLine(operations)}`,
    );
  }
  const upper = methods?.map((method) => method.toUpperCase());
  const chosen = operations.filter(
    (operation) =>
      (tags?.some((tag) => operation.tags.includes(tag)) ?? true) &&
      (patterns?.some((pattern) => isMeant(operation, pattern)) ?? true) &&
      (upper?.includes(operation.method) ?? true),
  );
  if (chosen.length > 0) return chosen;
  throw invalidOption(`No operation is selected. ${tagLine(operations)}`);
}

/** Whether the selection names an operation itself, not only a pattern or tag that matches it. */
export function isNamed(operation: Operation, { operations = [] }: OperationChoice): boolean {
  return operations.some((pattern) => !pattern.includes("*") && isMeant(operation, pattern));
}

function isMeant({ id, method, path }: Operation, pattern: string): boolean {
  const [, first = "", rest = ""] = /^(\S+)\s+(\/.*|\*)$/.exec(pattern) ?? [];
  if (first === "") return id !== "" && fits(id, pattern);
  return fits(method, first.toUpperCase()) && fits(path, rest);
}

/** Whether a text matches the pattern, part by part. */
function fits(text: string, pattern: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

function checkPattern(pattern: string, operations: readonly Operation[]): void {
  if (operations.some((operation) => isMeant(operation, pattern))) return;
  const known = operations.map(({ id, method, path }) =>
    id === "" || pattern.includes(" ") ? `${method} ${path}` : id,
  );
  const nearest = nearestFirst(pattern, known).slice(0, 5).join(", ");
  throw invalidOption(
    `There is no operation ${JSON.stringify(pattern)} in the document; the nearest are: ${nearest}.`,
  );
}

/** The tags with their numbers of operations, the most used first. */
function tagLine(operations: readonly Operation[]): string {
  const counts = new Map<string, number>();
  for (const tag of operations.flatMap(({ tags }) => (tags.length === 0 ? ["(none)"] : tags))) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  if (counts.size === 0) return "The document has no operations.";
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return `Its tags: ${sorted.map(([tag, count]) => `${tag} (${count})`).join(", ")}.`;
}
