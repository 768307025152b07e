import { type Json, type JsonObject, mapFields } from "../json/json.js";
import { printReference, type Reference, replaceReferences, wholeReference } from "./reference.js";

/** A reference without its braces: `E1`, `E1.items[0]`. */
export function referenceName(reference: Pick<Reference, "id" | "path">): string {
  return printReference(reference).slice(2, -2);
}

/**
 * The arguments with a value in place of each reference, by its name (`referenceName`). A value that is a
 * whole argument keeps its type; one inside a longer text stands there as text. References without a value stay.
 */
export function fillReferences(args: JsonObject, values: ReadonlyMap<string, Json>): JsonObject {
  return mapFields(args, (text) => {
    const only = wholeReference(text);
    if (only !== undefined) return values.get(referenceName(only)) ?? text;
    return replaceReferences(text, (reference) => {
      const value = values.get(referenceName(reference)) ?? reference.text;
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  });
}
