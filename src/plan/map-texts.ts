import { isRecord, type Json, type JsonObject } from "./json.js";

/** The value with every text in it, in nested objects and lists too, put through `change`; keys stay. */
function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each: Json) => mapTexts(each, change));
  return isJsonObject(value) ? mapFields(value, change) : value;
}

/** The same for an object, which stays one. */
export function mapFields(fields: JsonObject, change: (text: string) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, mapTexts(value, change)]),
  );
}

/** Whether JSON data is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
