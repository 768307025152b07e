import { PlangraphError } from "../../errors.js";
import { type OpenDatabase, openDatabase, unreadableFile } from "../../sqlite/index.js";
import { z } from "zod";

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

/** Opens a file of a base, or makes it. Throws `missing_package`, and `unreadable_file` for a file of something else. */
export async function openTables(file: string): Promise<OpenDatabase> {
  const where = `The knowledge base ${file}`;
  const db = await openDatabase(file, { where, busyMs: 10_000 });
  try {
    const isEmpty = db.prepare("SELECT name FROM sqlite_master LIMIT 1").all().length === 0;
    if (isEmpty) {
      db.exec("PRAGMA journal_mode = WAL;");
      db.exec(`BEGIN IMMEDIATE; ${tables} COMMIT;`);
    }
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
    return db;
  } catch (error) {
    db.close();
    throw unreadableFile(where, error);
  }
}

/** A number that describes the database. */
export function pragma(db: OpenDatabase, name: string): number {
  const [row] = db.prepare(`PRAGMA ${name}`).all();
  return z.record(z.string(), z.number()).parse(row)[name] ?? 0;
}
