import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { PlangraphError } from "../errors.js";
import { errorLine } from "../observe/redact.js";
import { hintAt } from "../run/check-names.js";

/** Where data files are read from: the disk, or what was kept of it. */
export type FileSource = {
  /** The text of a file. Throws `unreadable_file`. */
  readonly text: (file: string) => Promise<string>;
  /** The names in a folder with such an ending, sorted; undefined for what is no folder. */
  readonly names: (path: string, ending: RegExp) => Promise<readonly string[] | undefined>;
};

/** The files as they are now. */
export const disk: FileSource = {
  async text(file) {
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
      if (code === "ENOENT")
        throw unreadable(file, `there is no such file.${await nearFile(file)}`, error);
      if (code === "EISDIR") throw unreadable(file, "this is a folder, not a file.", error);
      throw unreadable(file, `it cannot be read: ${errorLine(error)}`, error);
    }
  },
  async names(path, ending) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) return undefined;
    return (await readdir(path)).filter((name) => ending.test(name)).toSorted();
  },
};

/** Suggests a file of the same folder whose name is close. */
async function nearFile(file: string): Promise<string> {
  return hintAt(basename(file), await readdir(dirname(file)).catch(() => []));
}

/** The error for a data file that cannot be read. */
export function unreadable(file: string, problem: string, cause?: unknown): PlangraphError {
  return new PlangraphError("unreadable_file", `${file}: ${problem}`, { cause });
}
