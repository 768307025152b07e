import { isRecord, type Json, jsonText } from "../json/json.js";

/** The deepest level of a value that is told. */
const maxDepth = 6;

/** A value as lines that a sentence can stand on: `status: shipped`, `items 1 name: cake`. */
export function factLines(value: Json, name = "", depth = 0): readonly string[] {
  if (depth > maxDepth || value === null || value === "") return [];
  const under = (key: string) => [name, key].filter((part) => part !== "").join(" ");
  if (Array.isArray(value)) {
    const isOne = value.length === 1;
    return value.flatMap((each, at) =>
      factLines(each, isOne ? name : under(`${at + 1}`), depth + 1),
    );
  }
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, each]) =>
      factLines(each ?? null, under(inWords(key)), depth + 1),
    );
  }
  const text = jsonText(value);
  return [name === "" ? text : `${name}: ${text}`];
}

/** `arrivesOn` and `arrives_on` as words. */
function inWords(key: string): string {
  return key
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();
}
