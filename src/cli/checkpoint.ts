import { statSync } from "node:fs";
import { resolve } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { z } from "zod";

import { optionalPackage, PlangraphError } from "../errors.js";
import { invalidOption } from "../run/check-names.js";
import {
  isBusy,
  pruneCheckpoints,
  type Pruned,
  type SqliteDatabase,
  unreadableFile,
} from "../sqlite/index.js";
import type { CliIo } from "./io.js";
import { count, fileSize } from "./view/event-lines.js";

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

function unreadable(file: string, error: unknown): PlangraphError {
  return unreadableFile(`--checkpoint ${file}`, error);
}

const Given = z.object({
  checkpoint: z.string().optional(),
  keep: z.string().optional(),
  thread: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
});

/** The result of `prune`; sizes of the file in bytes. */
type Report = Pruned & { readonly bytesBefore: number; readonly bytesAfter: number };

/** Prunes a file of threads and reports it. Throws for unusable flags and files, and while another program writes. */
export async function pruneCommand(options: unknown, { stdout, stderr }: CliIo): Promise<void> {
  const flags = readPruneFlags(options);
  const { file, json, quiet } = flags;
  const bytesBefore = sizeOf(file);
  const { pruned, isShrunk } = await pruneFile(flags);
  const report: Report = { ...pruned, bytesBefore, bytesAfter: sizeOf(file) };
  if (json) stdout.write(`${JSON.stringify({ file, ...report }, null, 2)}\n`);
  else if (!quiet) stdout.write(`${reportLine(file, report)}\n`);
  if (!isShrunk) {
    stderr.write(
      `${file} keeps its size because another program uses it. Its free space is reused.\n`,
    );
  }
}

/** Parses the flags of `prune`, including the required ones. Throws `invalid_option`. */
function readPruneFlags(options: unknown) {
  const { checkpoint: file, keep, thread: threadId, json, quiet } = Given.parse(options);
  if (file === undefined) {
    throw invalidOption("prune needs --checkpoint FILE.db, the file that holds the threads.");
  }
  if (keep === undefined) {
    throw invalidOption("prune needs --keep N: how many checkpoints of each thread stay.");
  }
  if (!/^[1-9]\d{0,14}$/.test(keep)) {
    throw invalidOption(`--keep ${keep}: expected a whole number from 1.`);
  }
  return { file, keep: Number(keep), threadId, json, quiet };
}

async function pruneFile({ file, keep, threadId }: ReturnType<typeof readPruneFlags>) {
  const threads = await openThreads(file);
  try {
    const pruned = await pruneCheckpoints(threads, { keep, threadId });
    if (threadId !== undefined && pruned.threads === 0) {
      throw new PlangraphError("invalid_input", `There is no thread "${threadId}" in ${file}.`);
    }
    return { pruned, isShrunk: pruned.removed === 0 || shrink(threads.db) };
  } catch (error) {
    if (!isBusy(error)) throw unreadable(file, error);
    const message = `--checkpoint ${file}: another program is writing to it. Try again when it is done.`;
    throw new Error(message, { cause: error });
  } finally {
    threads.close();
  }
}

/** Returns free space to the disk, unless another program reads or writes. */
function shrink(db: SqliteDatabase): boolean {
  try {
    db.exec("VACUUM");
    const [done] = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    return z.object({ busy: z.literal(0) }).safeParse(done).success;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** The size of a database in bytes, including its write-ahead log. */
function sizeOf(file: string): number {
  const sizes = [file, `${file}-wal`].map(
    (each) => statSync(resolve(each), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((total, size) => total + size, 0);
}

function reportLine(
  file: string,
  { threads, removed, kept, bytesBefore, bytesAfter }: Report,
): string {
  const what = `removed ${count(removed, "checkpoint")} of ${count(threads, "thread")}, kept ${kept}`;
  return `${file}: ${what}; ${fileSize(bytesBefore)} before, ${fileSize(bytesAfter)} now.`;
}
