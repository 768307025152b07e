import { type Json, maxDepth, jsonText } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import type { ListForm } from "./definition.js";

/** A field of a query or a form, in the form that is sent. */
export type Field = { readonly name: string; readonly text: string; readonly isJson?: true };

const separators: { readonly [Form in ListForm]?: string } = { comma: ",", space: " ", pipe: "|" };

/** The fields of a query or a form that hold a value. Throws `invalid_arguments` for one that nests too deep. */
export function writeFields(name: string, value: Json, form: ListForm): Field[] {
  if (typeof value !== "object" || value === null) {
    return [{ name, text: value === null && form === "deep" ? "" : jsonText(value) }];
  }
  if (form === "deep") return deepFields(name, value);
  if (separators[form] !== undefined) return [{ name, text: writeText(value, form) }];
  if (form === "json") return [fieldOf(name, value)];
  if (Array.isArray(value)) return value.map((item: Json) => fieldOf(name, item));
  if (form !== "fields") return [fieldOf(name, value)];
  return Object.entries(value).flatMap(([key, each]: [string, Json]) =>
    writeFields(key, each, "repeat"),
  );
}

/** A value as one text: joined, if its form says so, else as JSON; an object is joined as `name,value,name,value`. */
export function writeText(value: Json, form: ListForm): string {
  const separator = separators[form];
  if (separator === undefined || typeof value !== "object" || value === null)
    return jsonText(value);
  return Object.entries(value)
    .flatMap(([key, item]: [string, Json]) =>
      Array.isArray(value) ? [jsonText(item)] : [key, jsonText(item)],
    )
    .join(separator);
}

/** `items[0][price]=x`: one field for each value inside. */
function deepFields(name: string, value: Json, depth = 0): Field[] {
  if (typeof value !== "object" || value === null) return writeFields(name, value, "deep");
  if (depth > maxDepth) {
    throw new ClassifiedError(
      "invalid_arguments",
      `"${name.slice(0, name.indexOf("["))}" nests more than ${maxDepth} objects and lists.`,
    );
  }
  return Object.entries(value).flatMap(([key, each]: [string, Json]) =>
    deepFields(`${name}[${key}]`, each, depth + 1),
  );
}

function fieldOf(name: string, value: Json): Field {
  const isJson = typeof value === "object" && value !== null;
  return { name, text: jsonText(value), ...(isJson ? { isJson } : {}) };
}
