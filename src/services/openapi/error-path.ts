import { typesOf } from "../../tools/argument-schema.js";
import type { Operation } from "./operations.js";
import { type Fields, fieldOf, fieldsOf, listOf, resolved } from "./references.js";
import { UnfitOperation } from "./unfit-operation.js";

/** Where services have what they say of a refusal, the surest first. */
const paths = ["error.message", "message", "detail", "error_description", "error"];

/** Where an operation's refusals have their message, if the document tells of one of these places. */
export function errorPath(document: Fields, { fields }: Operation): string | undefined {
  const responses = Object.entries(fieldsOf(fields, "responses"));
  const refusals = responses.filter(([status]) => /^(?:[45]|default$)/i.test(status));
  for (const [, response] of refusals) {
    const found = paths.find((path) => says(document, response, path.split(".")));
    if (found !== undefined) return found;
  }
  return undefined;
}

function says(document: Fields, response: unknown, path: readonly string[]): boolean {
  try {
    const content = Object.entries(fieldsOf(resolved(document, response), "content"));
    const [, json] = content.find(([type]) => /json/i.test(type)) ?? [];
    const property = path.reduce<unknown>(
      (at, name) => propertyOf(document, at, name),
      fieldOf(json, "schema"),
    );
    const types = property === undefined ? [] : typesOf(resolved(document, property));
    return types.includes("string") || (path.join() === "detail" && types.length > 0);
  } catch (error) {
    // A service can be called without knowing where its errors say what they are.
    if (error instanceof UnfitOperation) return false;
    throw error;
  }
}

function propertyOf(document: Fields, schema: unknown, name: string, depth = 0): unknown {
  const fields = resolved(document, schema);
  const own = fieldOf(fieldOf(fields, "properties"), name);
  if (own !== undefined || depth > 2) return own;
  return listOf(fields, "allOf")
    .slice(0, 20)
    .map((part) => propertyOf(document, part, name, depth + 1))
    .find((each) => each !== undefined);
}
