import { statSync } from "node:fs";
import { resolve } from "node:path";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { invalidOption } from "../run/check-names.js";
import type { DatabasePlace } from "../server/index.js";
import { isBusy, pruneCheckpoints, type Pruned, type SqliteDatabase } from "../sqlite/index.js";
import { openThreads, unreadable } from "./checkpoint.js";
import { placeIn, Places } from "./database-place.js";
import type { CliIo } from "./io.js";
import { count, fileSize } from "./view/event-lines.js";

const Given = Places.extend({
  checkpoint: z.string().optional(),
  keep: z.string().optional(),
  olderThan: z.string().optional(),
  thread: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
});
type Given = z.infer<typeof Given>;

/** The result of `prune`; sizes of the file in bytes. */
type Report = Pruned & { readonly bytesBefore: number; readonly bytesAfter: number };

/**
 * Prunes a file or a database of threads and reports it. Throws for unusable flags, files and databases, and while
 * another program writes to a file.
 */
export async function pruneCommand(options: unknown, io: CliIo): Promise<void> {
  const given = Given.parse(options);
  const place = placeIn(given);
  if (given.checkpoint !== undefined && place !== undefined) {
    throw invalidOption("prune: expected either --checkpoint, --database or --data.");
  }
  await (place === undefined ? ofFile(given, io) : ofDatabase(place, given, io));
}

async function ofFile(given: Given, { stdout, stderr }: CliIo): Promise<void> {
  const { checkpoint: file, thread: threadId, json, quiet } = given;
  if (file === undefined) {
    throw invalidOption(
      "prune needs --checkpoint FILE.db, the file that holds the threads, or --database URL, or --data DIR.",
    );
  }
  if (given.olderThan !== undefined) {
    throw invalidOption("--older-than: a file does not say when its threads were last used.");
  }
  const keep = keepIn(given);
  const bytesBefore = sizeOf(file);
  const { pruned, isShrunk } = await pruneFile({ file, keep, threadId });
  const report: Report = { ...pruned, bytesBefore, bytesAfter: sizeOf(file) };
  if (json) stdout.write(`${JSON.stringify({ file, ...report }, null, 2)}\n`);
  else if (!quiet) stdout.write(`${reportLine(file, report)}\n`);
  if (!isShrunk) {
    stderr.write(
      `${file} keeps its size because another program uses it. Its free space is reused.\n`,
    );
  }
}

async function ofDatabase(place: DatabasePlace, given: Given, { stdout }: CliIo): Promise<void> {
  const { thread: threadId, json, quiet } = given;
  const { pruneDatabase } = await import("../server/index.js");
  const rules = { keep: keepIn(given), ...defined({ olderThanMs: olderIn(given), threadId }) };
  const pruned = await pruneDatabase(place, rules);
  if (threadId !== undefined && pruned.threads + pruned.busy === 0) {
    throw new PlangraphError("invalid_input", `There is no thread "${threadId}".`);
  }
  const { busy } = pruned;
  if (json) stdout.write(`${JSON.stringify(pruned, null, 2)}\n`);
  else if (!quiet) {
    const left = busy === 0 ? "" : `; ${count(busy, "thread")} at work, left alone`;
    stdout.write(`${prunedWords(pruned)}${left}.\n`);
  }
}

function keepIn({ keep }: Given): number {
  if (keep === undefined) {
    throw invalidOption("prune needs --keep N: how many checkpoints of each thread stay.");
  }
  if (/^[1-9]\d{0,14}$/.test(keep)) return Number(keep);
  throw invalidOption(`--keep ${keep}: expected a whole number from 1.`);
}

const units: ReadonlyMap<string, number> = new Map([
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
]);

function olderIn({ olderThan }: Given): number | undefined {
  if (olderThan === undefined) return undefined;
  const [, number, unit = ""] = /^(\d{1,6})([dhm])$/.exec(olderThan) ?? [];
  const ms = units.get(unit);
  if (ms !== undefined) return Number(number) * ms;
  throw invalidOption(`--older-than ${olderThan}: expected a time such as 30d, 12h or 90m.`);
}

type FileRules = {
  readonly file: string;
  readonly keep: number;
  readonly threadId: string | undefined;
};

async function pruneFile({ file, keep, threadId }: FileRules) {
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

function reportLine(file: string, report: Report): string {
  const sizes = `${fileSize(report.bytesBefore)} before, ${fileSize(report.bytesAfter)} now`;
  return `${file}: ${prunedWords(report)}; ${sizes}.`;
}

function prunedWords({ threads, removed, kept }: Pruned): string {
  return `removed ${count(removed, "checkpoint")} of ${count(threads, "thread")}, kept ${kept}`;
}
