import { dirname, relative, resolve, sep } from "node:path";

import { disk, type FileSource, unreadable } from "../files/file-source.js";

/** An agent file and the files that it names, as they were at one time: plain JSON, with paths from its folder. */
export type FileVersion = {
  /** The texts of the files. */
  readonly files: { readonly [path: string]: string };
  /** What was in the folders that they name. */
  readonly folders: { readonly [path: string]: readonly string[] };
};

/** Files of the disk, kept as they are read. */
export type RecordedFiles = {
  /** Reads each file once. */
  readonly source: FileSource;
  /** What was read so far. */
  readonly version: () => FileVersion;
  /** Whether all of it is still the same on the disk. */
  readonly isUnchanged: () => Promise<boolean>;
};

/** Reads from the disk, and keeps what was read. */
export function recordFiles(main: string): RecordedFiles {
  const files = new Map<string, string>();
  const folders = new Map<string, { readonly names: readonly string[]; readonly ending: RegExp }>();
  const source: FileSource = {
    async text(file) {
      const path = resolve(file);
      const text = files.get(path) ?? (await disk.text(file));
      files.set(path, text);
      return text;
    },
    async names(path, ending) {
      const names = await disk.names(path, ending);
      if (names !== undefined) folders.set(resolve(path), { names, ending });
      return names;
    },
  };
  const version = () => ({
    files: Object.fromEntries([...files].map(([path, text]) => [keyOf(main, path), text])),
    folders: Object.fromEntries(
      [...folders].map(([path, { names }]) => [keyOf(main, path), names]),
    ),
  });
  const isUnchanged = async () => {
    const texts = [...files].map(async ([path, text]) => (await textAt(path)) === text);
    const lists = [...folders].map(async ([path, { names, ending }]) => {
      const now = (await disk.names(path, ending)) ?? [];
      return now.join("\n") === names.join("\n");
    });
    return (await Promise.all([...texts, ...lists])).every(Boolean);
  };
  return { source, version, isUnchanged };
}

/** Reads what a version kept, and nothing else. */
export function keptFiles(main: string, { files, folders }: FileVersion): FileSource {
  const texts = new Map(Object.entries(files));
  const lists = new Map(Object.entries(folders));
  return {
    async text(file) {
      const text = texts.get(keyOf(main, file));
      if (text !== undefined) return text;
      throw unreadable(file, "it is not among the files that the run began with.");
    },
    names: async (path) => lists.get(keyOf(main, path)),
  };
}

/** A path from the folder of the main file: the version is the same wherever that folder is. */
function keyOf(main: string, path: string): string {
  return relative(dirname(resolve(main)), resolve(path))
    .split(sep)
    .join("/");
}

async function textAt(file: string): Promise<string | undefined> {
  return disk.text(file).catch(() => undefined);
}
