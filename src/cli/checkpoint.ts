import { statSync } from "node:fs";
import { resolve } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph";

import { optionalPackage, PlangraphError } from "../errors.js";
import { type SqliteDatabase, unreadableFile } from "../sqlite/index.js";

/** A file of threads. */
export type CheckpointFile = {
  readonly saver: BaseCheckpointSaver;
  readonly close: () => void;
};

/** How long a run, and a repeatable command, wait for a program that writes to the file, in milliseconds. */
const busyMs = { run: 5_000, command: 1_000 };

/** Opens or creates the `--checkpoint` SQLite file. Throws `missing_package`, or `unreadable_file` for other formats. */
export async function openCheckpoint(file: string): Promise<CheckpointFile> {
  const saver = await connect(file, busyMs.run);
  try {
    // The first read creates or reads the tables, and fails for a file that is not a database.
    await saver.getTuple({ configurable: { thread_id: "" } });
    return { saver, close: () => void saver.db.close() };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A SQLite file of threads, and a function that closes it. */
type ThreadFile = CheckpointFile & { readonly db: SqliteDatabase };

/** Opens an existing file of threads; creates nothing. Throws as `openCheckpoint` does. */
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
    throw new PlangraphError("unreadable_file", `--checkpoint ${file}: it holds no checkpoints.`);
  } catch (error) {
    close();
    throw unreadable(file, error);
  }
}

function tablesIn(db: SqliteDatabase): number {
  const tables = "type = 'table' AND name IN ('checkpoints', 'writes')";
  return db.prepare(`SELECT name FROM sqlite_master WHERE ${tables}`).all().length;
}

async function connect(file: string, waitMs: number) {
  const name = "@langchain/langgraph-checkpoint-sqlite";
  const { SqliteSaver } = await optionalPackage(
    () => import("@langchain/langgraph-checkpoint-sqlite"),
    `--checkpoint needs the package "${name}": npm install ${name}.`,
  );
  try {
    const saver = SqliteSaver.fromConnString(resolve(file));
    // Not every driver waits by default.
    saver.db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return saver;
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): PlangraphError {
  return unreadableFile(`--checkpoint ${file}`, error);
}
