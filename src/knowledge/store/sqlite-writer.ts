import { RowNumber } from "./rows.js";
import type { Statements } from "./sqlite-statements.js";
import type { IndexedChunk } from "./store.js";

/** Writes and removes chunks, inside the transaction of its caller. */
export class SqliteWriter {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Writes a chunk with all by which it is found. */
  insert({ chunk, hash, tokens, vectors }: IndexedChunk): void {
    const { id, source, from = "", until = "9999-12-31", metadata } = chunk;
    this.#sql.run(
      "INSERT INTO chunk (id, source, hash, first_day, last_day, data) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      source,
      hash,
      from,
      until,
      JSON.stringify(chunk),
    );
    const row = this.#rowOf(id);
    if (row === undefined) return;
    this.putWords(row, tokens.title, tokens.text);
    for (const [name, values] of Object.entries(metadata)) {
      for (const value of values)
        this.#sql.run("INSERT OR IGNORE INTO label VALUES (?, ?, ?)", row, name, value);
    }
    for (const { kind, hash: of } of vectors) {
      this.#sql.run("INSERT OR IGNORE INTO embedded VALUES (?, ?, ?)", row, kind, of);
    }
  }

  putWords(row: number, title: string, text: string): void {
    this.#sql.run(
      "INSERT INTO word (rowid, title, text) VALUES (CAST(? AS INTEGER), ?, ?)",
      row,
      title,
      text,
    );
  }

  /** Removes a chunk with all by which it is found. */
  remove(id: string): void {
    const row = this.#rowOf(id);
    if (row === undefined) return;
    this.#sql.run("DELETE FROM word WHERE rowid = CAST(? AS INTEGER)", row);
    this.#sql.run("DELETE FROM label WHERE chunk = CAST(? AS INTEGER)", row);
    this.#sql.run("DELETE FROM embedded WHERE chunk = CAST(? AS INTEGER)", row);
    this.#sql.run("DELETE FROM chunk WHERE row = CAST(? AS INTEGER)", row);
  }

  #rowOf(id: string): number | undefined {
    const [found] = this.#sql.all("SELECT row FROM chunk WHERE id = ?", id);
    return found === undefined ? undefined : RowNumber.parse(found).row;
  }
}
