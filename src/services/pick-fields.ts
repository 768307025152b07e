import { isJsonObject, type Json, type JsonObject } from "../json/json.js";

/**
 * The given fields of an object, or of each object of a list, at their places: `user.name` gives `{ user: { name } }`.
 * Lists on the way are passed through. Undefined if there is data and none of it has any of the fields.
 */
export function pickFields(data: Json, fields: readonly string[]): Json | undefined {
  if (data === null || (Array.isArray(data) && data.length === 0)) return data;
  const picked = pickedOf(
    data,
    fields.map((field) => field.split(".")),
  );
  return hasField(picked) ? picked : undefined;
}

type Path = readonly string[];

function pickedOf(value: Json, paths: readonly Path[]): Json | undefined {
  if (Array.isArray(value)) {
    return value.flatMap((each: Json) => {
      const picked = pickedOf(each, paths);
      return picked === undefined ? [] : [picked];
    });
  }
  return isJsonObject(value) ? pickedObject(value, paths) : undefined;
}

function pickedObject(value: JsonObject, paths: readonly Path[]): JsonObject {
  const names = [...new Set(paths.flatMap(([name]) => (name === undefined ? [] : [name])))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const inside = Object.hasOwn(value, name) ? value[name] : undefined;
      if (inside === undefined) return [];
      const rest = paths.filter(([first]) => first === name).map(([, ...others]) => others);
      const isWhole = inside === null || rest.some((path) => path.length === 0);
      const picked = isWhole ? inside : pickedOf(inside, rest);
      return picked === undefined ? [] : [[name, picked]];
    }),
  );
}

/** Whether anything was found: a list of empty objects comes of fields that the answer does not have. */
function hasField(picked: Json | undefined): boolean {
  if (Array.isArray(picked)) return picked.some((each: Json) => hasField(each));
  return isJsonObject(picked) && Object.keys(picked).length > 0;
}
