import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { closeName, nearestFirst } from "../plan/nearest.js";

/** Every name that a type of options has: the compiler refuses a table that lacks one, or has one more. */
export type NamesOf<Options> = { readonly [Name in keyof Required<Options>]: unknown };

/** What other libraries call it, and what it is called here. */
type Elsewhere = { readonly [name: string]: string };

/**
 * Checks that options have only names that there are. Throws `invalid_option` with the nearest one, for what is no
 * object as well; `elsewhere` are names that other libraries have for it.
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
    throw wrong(`${where}: expected an object with ${listed(known)}, got ${shown(given)}.`);
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const ours = Object.hasOwn(elsewhere, unknown) ? elsewhere[unknown] : undefined;
  const hint = ours === undefined ? hintAt(unknown, known) : ` Did you mean ${ours}?`;
  throw wrong(
    `${where}: there is no "${unknown}".${hint} There is ${listed(nearestFirst(unknown, known))}.`,
  );
}

/** The sentence of an error that says which of the names an unknown one was meant to be; empty where none is near. */
export function hintAt(unknown: string, names: readonly string[]): string {
  const meant = closeName(unknown, names);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

/** A value as an error shows it: a text with its quotes, so that "10" is not taken for 10. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise (await it first)";
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value).slice(0, 5).join(", ");
    return keys === "" ? "an object without keys" : `an object with the keys ${keys}`;
  }
  return typeof value === "function" ? "a function" : String(value);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
