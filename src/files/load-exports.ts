import { stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { optionalPackage, PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { errorLine } from "../observe/redact.js";

/** What a flag looks for in the modules that it names. */
export type Wanted<Thing> = {
  readonly flag: string;
  /** Its name, and the name of many with their origin: `tool`, `LangChain tools`. */
  readonly thing: string;
  readonly kind: string;
  readonly isThing: (value: unknown) => value is Thing;
  /** The error for a file without any. */
  readonly invalid: (message: string) => PlangraphError;
};

const scripts = [".js", ".mjs", ".cjs"];
const typescripts = [".ts", ".mts"];

/**
 * Loads what modules export: as named exports, in lists or as the default. Throws `unreadable_file` for a file that does
 * not exist, is not a module or fails to load, and `missing_package` for TypeScript without `tsx`.
 */
export async function loadExports<Thing>(
  files: readonly string[],
  wanted: Wanted<Thing>,
): Promise<Thing[]> {
  const things: Thing[] = [];
  // One after another, so that the first error is that of the first file.
  for (const file of files) things.push(...(await loadFile(file, wanted)));
  return things;
}

/**
 * What a module exports, by name; the fields of a default export, the form of CommonJS modules, are among them. Throws
 * like `loadExports`.
 */
export async function namedExports(flag: string, file: string): Promise<Record<string, unknown>> {
  const exported = await loadModule(`${flag} ${file}`, file);
  const inner = exported["default"];
  return { ...(isRecord(inner) ? inner : {}), ...exported };
}

async function loadModule(where: string, file: string): Promise<Record<string, unknown>> {
  const path = resolve(file);
  await checkFile(where, path);
  if (typescripts.includes(extname(path))) await readTypeScript(where);
  return importModule(where, path);
}

async function loadFile<Thing>(file: string, wanted: Wanted<Thing>): Promise<Thing[]> {
  const { flag, thing, kind } = wanted;
  const where = `${flag} ${file}`;
  const exported = await loadModule(where, file);
  const found = Object.values(exported).flatMap((value) => thingsIn(value, where, wanted));
  if (found.length > 0) return [...new Set(found)];
  throw wanted.invalid(
    `${where} exports no ${kind}: expected ${thing}s as named exports, a list of ${thing}s or a default export, got ${namesOf(exported)}.`,
  );
}

async function checkFile(where: string, path: string): Promise<void> {
  const known = [...scripts, ...typescripts];
  if (!known.includes(extname(path))) {
    throw unreadable(where, `expected a module that ends in ${known.join(", ")}.`);
  }
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw unreadable(where, "there is no such file.");
  if (!found.isFile()) throw unreadable(where, "this is not a file.");
}

/** Makes TypeScript importable for the rest of the process. */
async function readTypeScript(where: string): Promise<void> {
  const [commonjs, esm] = await optionalPackage(
    () => Promise.all([import("tsx/cjs/api"), import("tsx/esm/api")]),
    `${where}: TypeScript needs the package "tsx": npm install tsx, or give a .js file.`,
  );
  // Without "type": "module" in its package.json, a TypeScript file is read as CommonJS.
  commonjs.register();
  esm.register();
}

async function importModule(where: string, path: string): Promise<Record<string, unknown>> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return isRecord(module) ? module : {};
  } catch (error) {
    throw unreadable(where, `loading it failed: ${errorLine(error)}`, error);
  }
}

/** What is in one export: a thing, a list of things, or an object of these, the form of CommonJS modules. */
function thingsIn<Thing>(value: unknown, where: string, wanted: Wanted<Thing>): Thing[] {
  if (isRecord(value) && !wanted.isThing(value)) {
    return Object.values(value).flatMap((field) => directThings(field, where, wanted));
  }
  return directThings(value, where, wanted);
}

function directThings<Thing>(
  value: unknown,
  where: string,
  { kind, isThing, invalid }: Wanted<Thing>,
): Thing[] {
  if (isThing(value)) return [value];
  // A list without any is an unrelated export.
  if (!Array.isArray(value) || !value.some(isThing)) return [];
  const other: unknown = value.find((item) => !isThing(item));
  if (value.every(isThing)) return value;
  throw invalid(
    `${where}: a list of ${kind} has something else in it: ${other === null ? "null" : typeof other}.`,
  );
}

function namesOf(exported: Record<string, unknown>): string {
  const names = Object.keys(exported).slice(0, 8).join(", ");
  return names === "" ? "no exports" : `the exports ${names}`;
}

function unreadable(where: string, problem: string, cause?: unknown): PlangraphError {
  return new PlangraphError("unreadable_file", `${where}: ${problem}`, { cause });
}
