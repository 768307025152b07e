import { isRecord } from "../../json/json.js";

/** An OpenAPI document, or an object in one. */
export type Fields = { readonly [name: string]: unknown };

/** An own field of an external object; undefined for an inherited field and for other values. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The field as an object; `{}` if it is not one. */
export function fieldsOf(value: unknown, name: string): Fields {
  const field = fieldOf(value, name);
  return isRecord(field) ? field : {};
}

/** The field as a list; `[]` if it is not one. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

/** The field as a string; `""` if it is not one. */
export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : "";
}

/** The `$ref` of an object, if it has one. */
export function referenceOf(value: unknown): string | undefined {
  const reference = fieldOf(value, "$ref");
  return typeof reference === "string" ? reference : undefined;
}

/** The target of a `$ref` in the document. Throws `UnfitOperation` if it is not in the document. */
export function referredTo(document: Fields, reference: string): unknown {
  if (!reference.startsWith("#")) {
    throw new UnfitOperation(`it refers to another document: ${JSON.stringify(reference)}`);
  }
  let at: unknown = document;
  for (const part of partsOf(reference)) {
    at = Array.isArray(at) ? at[Number(part)] : fieldOf(at, part);
    if (at === undefined) {
      throw new UnfitOperation(`it refers to ${JSON.stringify(reference)}, which is not there`);
    }
  }
  return at;
}

/** Normalizes a reference: one text for all its spellings. */
export function pointerOf(reference: string): string {
  return reference.startsWith("#") ? `#${JSON.stringify(partsOf(reference))}` : reference;
}

/** The last part of a reference: the name of its target. */
export function lastPart(reference: string): string {
  return partsOf(reference).at(-1) ?? "";
}

function partsOf(reference: string): string[] {
  return reference
    .slice(1)
    .split("/")
    .slice(1)
    .map((part) => decoded(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An object of the document, with all references followed. Throws `UnfitOperation` if there is no target. */
export function resolved(document: Fields, value: unknown): Fields {
  const seen = new Set<string>();
  let at = value;
  for (let reference = referenceOf(at); reference !== undefined; reference = referenceOf(at)) {
    if (seen.has(pointerOf(reference))) {
      throw new UnfitOperation(`it refers to ${JSON.stringify(reference)}, which refers to itself`);
    }
    seen.add(pointerOf(reference));
    at = referredTo(document, reference);
  }
  return isRecord(at) ? at : {};
}

/** The reason why an operation cannot become a service. */
export class UnfitOperation extends Error {
  override readonly name = "UnfitOperation";
}

/** The value, or a replacement if the document has none that fits. */
export function unlessUnfit<Value>(read: () => Value, otherwise: (reason: string) => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnfitOperation) return otherwise(error.message);
    throw error;
  }
}
