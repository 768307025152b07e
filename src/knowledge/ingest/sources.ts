import { readdir, readFile, stat } from "node:fs/promises";
import { extname, relative, resolve, sep } from "node:path";

import { optionalPackage, PlangraphError } from "../../errors.js";
import type { SourceReader } from "../read/read-source.js";

/** What to read into a base: a file, a folder, a pattern such as `docs/**\/*.md`, or a text under a name of its own. */
export type KnowledgeSource =
  | string
  | {
      /** With an ending that says what it is, such as `faq.md`. */
      readonly name: string;
      readonly content: string | Uint8Array;
    };

/** A source that is there, and how its bytes are had. */
export type FoundSource = {
  readonly name: string;
  readonly reader: SourceReader;
  readonly bytes: () => Promise<Uint8Array>;
};

type Found = { readonly sources: readonly FoundSource[]; readonly skipped: readonly string[] };

/**
 * Finds sources, each once, in order. Files of other kinds in folders and patterns are skipped. Throws `unreadable_file`
 * for what is not there, matches nothing, or is named and cannot be read.
 */
export async function findSources(
  given: readonly KnowledgeSource[],
  readers: ReadonlyMap<string, SourceReader>,
): Promise<Found> {
  const sources = new Map<string, FoundSource>();
  const skipped = new Set<string>();
  for (const one of given) {
    const found = typeof one === "string" ? await filesAt(one) : { files: [], isNamed: true };
    if (typeof one !== "string") {
      const { name, content } = one;
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      sources.set(name, { name, reader: readerOf(name, readers), bytes: async () => bytes });
    }
    for (const file of found.files) {
      const name = relative(process.cwd(), file).split(sep).join("/");
      if (!found.isNamed && !readers.has(extname(file).toLowerCase())) skipped.add(name);
      else
        sources.set(name, { name, reader: readerOf(name, readers), bytes: () => readFile(file) });
    }
  }
  return { sources: [...sources.values()], skipped: [...skipped] };
}

function readerOf(name: string, readers: ReadonlyMap<string, SourceReader>): SourceReader {
  const reader = readers.get(extname(name).toLowerCase());
  if (reader !== undefined) return reader;
  throw unreadable(
    `${name}: no reader for it; expected a name that ends in ${[...readers.keys()].join(", ")}`,
  );
}

async function filesAt(
  path: string,
): Promise<{ readonly files: readonly string[]; readonly isNamed: boolean }> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return { files: [resolve(path)], isNamed: true };
  const files = found?.isDirectory() === true ? await filesIn(path) : await filesLike(path);
  if (files.length === 0)
    throw unreadable(`${path}: there is no such file, and nothing matches it`);
  return { files, isNamed: false };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .toSorted((left, right) => (left < right ? -1 : 1));
}

async function filesLike(pattern: string): Promise<readonly string[]> {
  if (!/[*?[\]{}]/.test(pattern)) return [];
  const { glob } = await optionalPackage(
    () => import("tinyglobby"),
    `${pattern}: a pattern needs the package "tinyglobby": npm install tinyglobby, or name a folder.`,
  );
  const files = await glob(pattern, { absolute: true });
  return files.toSorted((left, right) => (left < right ? -1 : 1));
}

/** The error for a source that cannot be read. */
function unreadable(what: string): PlangraphError {
  return new PlangraphError("unreadable_file", `${what}.`);
}
