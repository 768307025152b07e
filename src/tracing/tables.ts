import { z } from "zod";

import { PlangraphError } from "../errors.js";
import type { OpenDatabase, SqliteDatabase } from "../sqlite/index.js";

/** Marks a file as one of traces, and the form of its tables. */
const applicationId = 0x70_67_74_72;
const schemaVersion = 1;

/** The thread of a run, as its index has it. */
export const threadOf = "json_extract(data, '$.threadId')";

/** Files of earlier versions lack it. */
const threadIndex = `CREATE INDEX IF NOT EXISTS run_thread ON run (${threadOf});`;

const tables = `
  CREATE TABLE IF NOT EXISTS run (
    id TEXT PRIMARY KEY, graph TEXT NOT NULL, status TEXT NOT NULL, started INTEGER NOT NULL,
    ended INTEGER, data TEXT NOT NULL, mark TEXT
  );
  CREATE INDEX IF NOT EXISTS run_started ON run (started);
  CREATE TABLE IF NOT EXISTS event (run TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS event_run ON event (run);
  CREATE TABLE IF NOT EXISTS content (hash TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS used (run TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (run, hash)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS used_hash ON used (hash);
  ${threadIndex}
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/**
 * Checks what a file is, and makes the tables in an empty one. Throws `unreadable_file` for a file of something else or
 * of a newer form, and for one without tables, unless it is to be made.
 */
export function prepareTables(
  db: OpenDatabase,
  { where, create }: { readonly where: string; readonly create: boolean },
): void {
  const unusable = (what: string) => new PlangraphError("unreadable_file", `${where}: ${what}.`);
  const isEmpty = db.prepare("SELECT name FROM sqlite_master LIMIT 1").all().length === 0;
  if (isEmpty && !create) throw unusable("it holds no traces");
  if (isEmpty) {
    // Results of some thousand characters fill small pages best. Free pages can go back to the disk only in a file that was made so.
    db.exec(
      "PRAGMA page_size = 1024; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;",
    );
    db.exec(`BEGIN IMMEDIATE; ${tables} COMMIT;`);
  }
  if (pragma(db, "application_id") !== applicationId) {
    throw unusable("it holds something else than traces");
  }
  const version = pragma(db, "user_version");
  if (version > schemaVersion) {
    const forms = `form ${version}, of a newer plangraph; this one reads up to form ${schemaVersion}`;
    throw unusable(`its traces have ${forms}`);
  }
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  if (create) db.exec(threadIndex);
}

/** A number that describes the database. */
export function pragma(db: SqliteDatabase, name: string): number {
  const [row] = db.prepare(`PRAGMA ${name}`).all();
  return z.record(z.string(), z.number()).parse(row)[name] ?? 0;
}
