import { optionalPackage, PlangraphError } from "../errors.js";
import { errorLine } from "../observe/redact.js";

/** A SQLite database, as `better-sqlite3` and compatible drivers open it. */
export type SqliteDatabase = {
  readonly exec: (sql: string) => unknown;
  readonly prepare: (sql: string) => {
    readonly all: (...values: string[]) => unknown[];
    readonly run: (...values: string[]) => unknown;
  };
};

/** An open file. */
export type OpenDatabase = SqliteDatabase & { readonly close: () => unknown };

const driver = "@langchain/langgraph-checkpoint-sqlite";

/**
 * Opens or creates a SQLite file with the driver of LangGraph's checkpointer. `where` names the file's use in errors.
 * Throws `missing_package`, and `unreadable_file` for a path that cannot be opened.
 */
export async function openDatabase(
  file: string,
  { where, busyMs }: { readonly where: string; readonly busyMs: number },
): Promise<OpenDatabase> {
  const { SqliteSaver } = await optionalPackage(
    () => import("@langchain/langgraph-checkpoint-sqlite"),
    `${where} needs the package "${driver}": npm install ${driver}.`,
  );
  try {
    const { db }: { db: OpenDatabase } = SqliteSaver.fromConnString(file);
    // Not every driver waits by default.
    db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return db;
  } catch (error) {
    throw unreadableFile(where, error);
  }
}

/** The error for a file that SQLite refuses; our own errors stay as they are. */
export function unreadableFile(where: string, error: unknown): PlangraphError {
  if (error instanceof PlangraphError) return error;
  return new PlangraphError(
    "unreadable_file",
    `${where}: it cannot be used as a SQLite database: ${errorLine(error)}`,
    { cause: error },
  );
}

/** Whether another connection holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "code") === "SQLITE_BUSY";
}
