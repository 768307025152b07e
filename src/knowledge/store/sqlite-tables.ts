import { PlangraphError } from "../../errors.js";
import { type OpenDatabase, openDatabase } from "../../sqlite/index.js";
import { z } from "zod";

import { busyMs, guardedDatabase, openingError } from "./sqlite-errors.js";

/** Marks a file as a base, and the form of its tables. */
const applicationId = 0x70_67_6b_62;
const schemaVersion = 1;

const tables = `
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE source (name TEXT PRIMARY KEY, hash TEXT NOT NULL, problems TEXT NOT NULL,
    metadata TEXT NOT NULL);
  CREATE TABLE chunk (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, hash TEXT NOT NULL,
    first_day TEXT NOT NULL, last_day TEXT NOT NULL, data TEXT NOT NULL
  );
  CREATE INDEX chunk_source ON chunk (source);
  CREATE TABLE label (chunk INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (name, value, chunk)) WITHOUT ROWID;
  CREATE INDEX label_chunk ON label (chunk);
  CREATE TABLE embedded (chunk INTEGER NOT NULL, kind TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (chunk, kind, hash)) WITHOUT ROWID;
  CREATE INDEX embedded_hash ON embedded (hash);
  CREATE TABLE vector (hash TEXT PRIMARY KEY, numbers BLOB NOT NULL);
  CREATE TABLE summary (hash TEXT PRIMARY KEY, questions TEXT NOT NULL);
  CREATE VIRTUAL TABLE word USING fts5(title, text, tokenize = "unicode61 remove_diacritics 0 tokenchars '=.'");
  CREATE VIRTUAL TABLE spread USING fts5vocab(word, 'row');
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/**
 * Opens a file of a base, or makes it; of two programs at once, one does. Throws `missing_package`, `unreadable_file` for
 * a file of something else or in a place where it cannot be used, and `knowledge_failed`, as all that is done with it does.
 */
export async function openTables(file: string): Promise<OpenDatabase> {
  const where = file === ":memory:" ? "The knowledge base in memory" : `The knowledge base ${file}`;
  try {
    const db = await openDatabase(file, { where, busyMs });
    return readied(db, where);
  } catch (error) {
    throw await openingError(file, where, error);
  }
}

function readied(db: OpenDatabase, where: string): OpenDatabase {
  try {
    if (isEmpty(db)) make(db);
    if (pragma(db, "application_id") !== applicationId) {
      throw new PlangraphError("unreadable_file", `${where}: it holds something else than a base.`);
    }
    const version = pragma(db, "user_version");
    if (version > schemaVersion) {
      throw new PlangraphError(
        "unreadable_file",
        `${where}: its form ${version} is of a newer plangraph; this one reads up to form ${schemaVersion}.`,
      );
    }
    db.exec("PRAGMA synchronous = NORMAL;");
    return guardedDatabase(db, where);
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: OpenDatabase): boolean {
  return db.prepare("SELECT name FROM sqlite_master LIMIT 1").all().length === 0;
}

function make(db: OpenDatabase): void {
  db.exec("PRAGMA journal_mode = WAL;");
  db.exec("BEGIN IMMEDIATE;");
  // Another program may have made them meanwhile.
  if (isEmpty(db)) db.exec(tables);
  db.exec("COMMIT;");
}

/** A number that describes the database. */
export function pragma(db: OpenDatabase, name: string): number {
  const [row] = db.prepare(`PRAGMA ${name}`).all();
  return z.record(z.string(), z.number()).parse(row)[name] ?? 0;
}
