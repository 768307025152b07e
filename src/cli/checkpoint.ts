import { resolve } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { errorLine } from "../observe/redact.js";

/** A file in which threads are kept. */
export type CheckpointFile = {
  readonly saver: BaseCheckpointSaver;
  readonly close: () => void;
};

/**
 * Opens the SQLite file of `--checkpoint`, or makes it. Throws `missing_package` without LangGraph's
 * SQLite package, `unreadable_file` for what is no such file.
 */
export async function openCheckpoint(file: string): Promise<CheckpointFile> {
  const { SqliteSaver } = await sqlitePackage();
  try {
    const saver = SqliteSaver.fromConnString(resolve(file));
    // The first look makes or reads the tables: a file that is no database is noticed here.
    await saver.getTuple({ configurable: { thread_id: "" } });
    return { saver, close: () => void saver.db.close() };
  } catch (error) {
    throw new PlangraphError(
      "unreadable_file",
      `--checkpoint ${file}: it cannot be opened as a SQLite database: ${errorLine(error)}`,
      { cause: error },
    );
  }
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
