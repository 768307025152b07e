import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import { type OpenDatabase, unreadableFile } from "../../sqlite/index.js";
import { isClosed } from "./store.js";

/** How long a statement waits while another program writes. */
export const busyMs = 10_000;

/** A database whose errors are `knowledge_failed`, and say what can be done. Closing it twice is closing it once. */
export function guardedDatabase(db: OpenDatabase, where: string): OpenDatabase {
  let isOpen = true;
  const guard = <Result>(work: () => Result): Result => {
    // A driver may still answer, from a statement that it has prepared.
    if (!isOpen) throw failed(where, isClosed);
    try {
      return work();
    } catch (error) {
      throw failed(where, problemOf(error) ?? errorLine(error).replace(/\.$/, ""), error);
    }
  };
  return {
    exec: (sql) => guard(() => db.exec(sql)),
    prepare: (sql) => {
      const statement = guard(() => db.prepare(sql));
      return {
        all: (...values) => guard(() => statement.all(...values)),
        run: (...values) => guard(() => statement.run(...values)),
      };
    },
    close: () => {
      if (isOpen) db.close();
      isOpen = false;
    },
  };
}

/** The error for a file that cannot be opened: `unreadable_file`, or `knowledge_failed` while another program has it. */
export async function openingError(file: string, where: string, error: unknown): Promise<unknown> {
  const cause = error instanceof PlangraphError ? error.cause : error;
  if (cause === undefined || isMissingPackage(error)) return error;
  const problem = problemOf(cause);
  if (problem !== undefined && isBusy(cause)) return failed(where, problem, cause);
  const why = (await placeProblem(file)) ?? problem;
  if (why === undefined) return unreadableFile(where, error);
  return new PlangraphError("unreadable_file", `${where}: ${why}.`, { cause });
}

function isMissingPackage(error: unknown): boolean {
  return error instanceof PlangraphError && error.code === "missing_package";
}

function failed(where: string, problem: string, cause?: unknown): PlangraphError {
  return new PlangraphError("knowledge_failed", `${where}: ${problem}.`, { cause });
}

/** What an error of a driver means for whoever can mend it; drivers differ in codes. */
function problemOf(error: unknown): string | undefined {
  if (isBusy(error)) {
    return `another program has kept it locked for more than ${busyMs / 1_000} seconds; try again when that is done`;
  }
  const code = codeOf(error);
  if (code.startsWith("SQLITE_READONLY") || /readonly database/.test(errorLine(error))) {
    return "it cannot be written: the file or its folder is read-only for this program";
  }
  if (code.startsWith("SQLITE_FULL")) return "it cannot be written: the disk is full";
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return `the file is damaged: ${errorLine(error)}`;
  return undefined;
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}

/** What is wrong with the place of a file. */
async function placeProblem(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const [own, above] = [await kindOf(file), await kindOf(folder)];
  if (own === "folder") return "it is a folder; expected a file";
  if (above === "hidden" || own === "hidden") return "this program may not look into its folder";
  if (above !== "folder") return `there is no folder ${folder}; make it first`;
  if (own === "file" && !(await may(file, constants.R_OK))) return "this program may not read it";
  if (await may(folder, constants.W_OK)) return undefined;
  return own === "missing"
    ? `it cannot be made: the folder ${folder} is read-only for this program`
    : `it cannot be opened: SQLite makes files beside it, and the folder ${folder} is read-only for this program. Copy it to a folder that can be written`;
}

async function kindOf(path: string): Promise<"file" | "folder" | "missing" | "hidden"> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    return /^E(?:ACCES|PERM)$/.test(codeOf(error)) ? "hidden" : "missing";
  }
}

async function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
