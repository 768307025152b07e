import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { closeName, nearestFirst } from "../plan/nearest.js";

/** A table with every name of an options type: the compiler refuses one that lacks or adds a name. */
export type NamesOf<Options> = { readonly [Name in keyof Required<Options>]: unknown };

/** Names of other libraries, and ours for the same. */
type Elsewhere = { readonly [name: string]: string };

/**
 * Checks the names of options. Throws `invalid_option` with the nearest name for an unknown one, and for a value that
 * is no object; `elsewhere` are names of other libraries.
 */
export function checkNames(
  where: string,
  given: unknown,
  names: { readonly [name: string]: unknown },
  elsewhere: Elsewhere = {},
): void {
  if (given === undefined) return;
  const known = Object.keys(names);
  if (!isRecord(given) || Array.isArray(given)) {
    throw invalidOption(`${where}: expected an object with ${listed(known)}, got ${shown(given)}.`);
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const ours = Object.hasOwn(elsewhere, unknown) ? elsewhere[unknown] : undefined;
  const hint = ours === undefined ? hintAt(unknown, known) : ` Did you mean ${ours}?`;
  throw invalidOption(
    `${where}: there is no "${unknown}".${hint} There is ${listed(nearestFirst(unknown, known))}.`,
  );
}

/** A name that nothing has yet: the wanted one, or the first free one of `NAME_2`, `NAME_3`, … */
export function freeName(
  wanted: string,
  taken: { readonly has: (name: string) => boolean },
  between = "_",
): string {
  let name = wanted;
  for (let at = 2; taken.has(name); at += 1) name = `${wanted}${between}${at}`;
  return name;
}

/** The part of an error that suggests a name; empty where none is near. */
export function hintAt(unknown: string, names: readonly string[]): string {
  const meant = closeName(unknown, names);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

/** A value as errors show it; a text has quotes, so that "10" differs from 10. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise (await it first)";
  if (value instanceof Date) return shownDate(value);
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value).slice(0, 5).join(", ");
    return keys === "" ? "an object without keys" : `an object with the keys ${keys}`;
  }
  return typeof value === "function" ? "a function" : String(value);
}

function shownDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? "an invalid date" : `the date ${date.toISOString()}`;
}

/** A value as JSON, cut after so many characters. */
export function preview(value: unknown, maxChars: number): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}

/** The error for an option that cannot be used. */
export function invalidOption(message: string, options?: ErrorOptions): PlangraphError {
  return new PlangraphError("invalid_option", message, options);
}
