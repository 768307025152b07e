import { statSync } from "node:fs";
import { resolve } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { errorLine } from "../observe/redact.js";
import type { SqliteDatabase } from "../runtime/prune-checkpoints.js";

/** A file in which threads are kept. */
export type CheckpointFile = {
  readonly saver: BaseCheckpointSaver;
  readonly close: () => void;
};

/** How long a run, and a command that can be given again, wait for a program that writes to the file, in milliseconds. */
const busyMs = { run: 5_000, command: 1_000 };

/**
 * Opens the SQLite file of `--checkpoint`, or makes it. Throws `missing_package` without LangGraph's
 * SQLite package, `unreadable_file` for what is no such file.
 */
export async function openCheckpoint(file: string): Promise<CheckpointFile> {
  const saver = await connect(file, busyMs.run);
  try {
    // The first look makes or reads the tables: a file that is no database is noticed here.
    await saver.getTuple({ configurable: { thread_id: "" } });
    return { saver, close: () => void saver.db.close() };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A SQLite file with threads in it, and how to close it. */
export type ThreadFile = CheckpointFile & { readonly db: SqliteDatabase };

/** Opens a file that threads are kept in already, and makes nothing. Throws as `openCheckpoint` does. */
export async function openThreads(file: string): Promise<ThreadFile> {
  if (statSync(resolve(file), { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PlangraphError("unreadable_file", `--checkpoint ${file}: there is no such file.`);
  }
  const saver = await connect(file, busyMs.command);
  const { db }: { db: SqliteDatabase & { close: () => void } } = saver;
  const close = () => {
    db.close();
  };
  try {
    if (tablesIn(db) === 2) return { saver, db, close };
  } catch (error) {
    close();
    throw unreadable(file, error);
  }
  close();
  throw new PlangraphError("unreadable_file", `--checkpoint ${file}: it holds no checkpoints.`);
}

function tablesIn(db: SqliteDatabase): number {
  const tables = "type = 'table' AND name IN ('checkpoints', 'writes')";
  return db.prepare(`SELECT name FROM sqlite_master WHERE ${tables}`).all().length;
}

async function connect(file: string, waitMs: number) {
  const { SqliteSaver } = await sqlitePackage();
  try {
    const saver = SqliteSaver.fromConnString(resolve(file));
    // Not every driver waits by itself.
    saver.db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return saver;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The error that names a file which SQLite refuses. */
export function unreadable(file: string, error: unknown): PlangraphError {
  return new PlangraphError(
    "unreadable_file",
    `--checkpoint ${file}: it cannot be used as a SQLite database: ${errorLine(error)}`,
    { cause: error },
  );
}

async function sqlitePackage() {
  try {
    return await import("@langchain/langgraph-checkpoint-sqlite");
  } catch (error) {
    const name = "@langchain/langgraph-checkpoint-sqlite";
    throw new PlangraphError(
      "missing_package",
      `--checkpoint needs the package "${name}": npm install ${name}.`,
      { cause: error },
    );
  }
}
