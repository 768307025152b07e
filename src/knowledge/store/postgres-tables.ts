import { createHash } from "node:crypto";

import { z } from "zod";

import { lock, type PostgresClient, type RunSql } from "./postgres-client.js";

/** The form of the tables. */
const schemaVersion = 1;

/** The names of a base's tables, ready for statements. */
export type Tables = ReturnType<typeof tablesOf>;

/** The tables in a schema, whose name has been checked. */
function tablesOf(schema: string) {
  const own = (table: string) => `"${schema}".${table}`;
  return {
    form: own("plangraph_form"),
    fact: own("fact"),
    source: own("source"),
    chunk: own("chunk"),
    label: own("label"),
    word: own("word"),
    embedded: own("embedded"),
    embedding: own("embedding"),
    summary: own("summary"),
  };
}

// Texts are compared byte by byte, as SQLite does. Vectors get their table with the first of them.
function definition({ form, fact, source, chunk, label, word, embedded, summary }: Tables): string {
  const text = `text COLLATE "C" NOT NULL`;
  const ofChunk = `bigint NOT NULL REFERENCES ${chunk} ON DELETE CASCADE`;
  return `
    CREATE TABLE ${form} (version integer NOT NULL);
    INSERT INTO ${form} VALUES (${schemaVersion});
    CREATE TABLE ${fact} (name ${text} PRIMARY KEY, value text NOT NULL);
    CREATE TABLE ${source} (key ${text} PRIMARY KEY, name text NOT NULL, hash text NOT NULL,
      problems text NOT NULL, metadata text NOT NULL, chunks integer NOT NULL, words bigint NOT NULL);
    CREATE TABLE ${chunk} (row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id ${text} UNIQUE,
      source ${text}, hash text NOT NULL, first_day ${text}, last_day ${text}, words integer NOT NULL,
      data text NOT NULL);
    CREATE INDEX chunk_source ON ${chunk} (source);
    CREATE TABLE ${label} (chunk ${ofChunk}, name ${text}, value ${text}, PRIMARY KEY (name, value, chunk));
    CREATE INDEX label_chunk ON ${label} (chunk);
    CREATE TABLE ${word} (chunk ${ofChunk}, title integer NOT NULL, text integer NOT NULL, token ${text},
      PRIMARY KEY (token, chunk) INCLUDE (title, text));
    CREATE INDEX word_chunk ON ${word} (chunk);
    CREATE TABLE ${embedded} (chunk ${ofChunk}, kind ${text}, hash ${text}, PRIMARY KEY (hash, kind, chunk));
    CREATE INDEX embedded_chunk ON ${embedded} (chunk);
    CREATE TABLE ${summary} (hash ${text} PRIMARY KEY, questions text NOT NULL);`;
}

const SchemaState = z.object({ exists: z.boolean(), form: z.boolean(), tables: z.number() });
const FormRow = z.object({ version: z.number() });

/**
 * Makes the tables of a base, if its schema is missing or empty; of two programs at once, one does. Throws
 * `knowledge_failed` for a schema of something else or of a newer plangraph, and for a server that refuses.
 */
export async function openTables(client: PostgresClient): Promise<Tables> {
  const tables = tablesOf(client.schema);
  if (await isThere(client.all, client, tables)) return tables;
  await client.transaction(async (sql) => {
    await lock(sql, `tables ${client.schema}`, "alone");
    if (await isThere(sql, client, tables)) return;
    const { exists } = await stateOf(sql, client, tables);
    // With the right for the schema alone, this statement would be refused even where there is nothing to do.
    if (!exists) await sql(`CREATE SCHEMA "${client.schema}"`);
    await sql(definition(tables));
  });
  return tables;
}

async function isThere(sql: RunSql, client: PostgresClient, tables: Tables): Promise<boolean> {
  const { form, tables: count } = await stateOf(sql, client, tables);
  if (!form && count > 0) throw client.error("it holds something else than a base");
  if (!form) return false;
  const [row] = await sql(`SELECT version FROM ${tables.form}`);
  const { version } = FormRow.parse(row);
  if (version <= schemaVersion) return true;
  throw client.error(
    `its form ${version} is of a newer plangraph; this one reads up to form ${schemaVersion}`,
  );
}

async function stateOf(sql: RunSql, { schema }: PostgresClient, { form }: Tables) {
  const [row] = await sql(
    `SELECT to_regnamespace($1) IS NOT NULL AS exists, to_regclass($2) IS NOT NULL AS form,
      (SELECT count(*)::integer FROM pg_class WHERE relnamespace = to_regnamespace($1)) AS tables`,
    [`"${schema}"`, form],
  );
  return SchemaState.parse(row);
}

/** Longer texts do not fit into an index. */
const longestKey = 300;

/**
 * A text as it can be kept and found in Postgres, which knows no NUL and no long text in an index. Two texts never become
 * the same: who may find what depends on it.
 */
export function keyOf(text: string): string {
  const plain = text.replaceAll("\u001A", "\u001A1").replaceAll("\0", "\u001A0");
  if (plain.length <= longestKey) return plain;
  return `\u001A2${createHash("sha256").update(plain).digest("hex")}`;
}
