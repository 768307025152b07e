import { isRecord, type JsonObject, namedValues } from "../json/json.js";
import { readJson } from "../json/read-json.js";

/** A call's arguments, or what is wrong with them. */
export type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of a call as an object. Nothing, `null` and `""` mean no arguments; a text is
 * read as JSON, repaired where only its form is wrong, and a text within a text once more; a list of pairs of name and
 * value is the object that it stands for.
 */
export function readArguments(raw: unknown): ReadArguments {
  if (raw === undefined || raw === null) return { ok: true, args: {} };
  if (typeof raw === "string") return readText(raw);
  const object = isRecord(raw) ? raw : namedValues(raw);
  const args = object === undefined ? undefined : asJson(object);
  if (args !== undefined) return { ok: true, args };
  return {
    ok: false,
    problem: `expected an object of arguments, got ${describe(raw)}`,
  };
}

function readText(text: string): ReadArguments {
  if (text.trim() === "") return { ok: true, args: {} };
  const read = readJson(text);
  if (!read.ok) return { ok: false, problem: read.problem };
  const inner = typeof read.value === "string" ? readJson(read.value) : read;
  if (!inner.ok || (typeof inner.value !== "object" && inner.value !== undefined)) {
    return {
      ok: false,
      problem: `expected an object of arguments, got ${describe(read.value)}`,
    };
  }
  return readArguments(inner.value);
}

/** The object as JSON data, where it can be written as such: not when it is circular or too deep. */
function asJson(value: Record<string, unknown>): JsonObject | undefined {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return isJsonObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Whether what `JSON.parse` gave is an object. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

function describe(value: unknown): string {
  const text = textOf(value);
  const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return `${kind} (${text.length > 80 ? `${text.slice(0, 80)}…` : text})`;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return "not JSON";
  }
}
