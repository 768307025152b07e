import { z } from "zod";

import { bm25, queryTokens, rarenessOf, scoreDigits, type Spread, titleWeight } from "./bm25.js";
import type { PostgresClient } from "./postgres-client.js";
import { keyOf, type Tables } from "./postgres-tables.js";
import { type Scoped, Values } from "./postgres-values.js";
import { ScoreRow, SpreadRow } from "./rows.js";
import type { Scope, Scored } from "./store.js";

const TotalRow = z.object({ total: z.number() });

/** Finds chunks by their words, with the scores that SQLite's FTS5 gives. */
export class PostgresWords {
  readonly #client: PostgresClient;
  readonly #tables: Tables;
  readonly #scoped: Scoped;

  constructor(client: PostgresClient, tables: Tables, scoped: Scoped) {
    this.#client = client;
    this.#tables = tables;
    this.#scoped = scoped;
  }

  async spread(tokens: readonly string[], scope: Scope): Promise<Spread> {
    const words = new Values();
    const asked = `token = ANY (${words.bind(tokens.map(keyOf))}::text[])`;
    const rows = await this.#client.all(
      `SELECT token AS term, count(*)::integer AS doc FROM ${this.#counted(scope, words)} WHERE ${asked} GROUP BY token`,
      words.all,
    );
    const size = new Values();
    const [sum] = await this.#client.all(this.#size(scope, size), size.all);
    const counts = new Map(
      rows.map((row) => SpreadRow.parse(row)).map(({ term, doc }) => [term, doc]),
    );
    const by = tokens.flatMap((token) => {
      const count = counts.get(keyOf(token));
      return count === undefined ? [] : [[token, count] as const];
    });
    return { total: TotalRow.parse(sum).total, by: new Map(by) };
  }

  async search(
    tokens: readonly string[],
    spread: Spread,
    scope: Scope,
    limit: number,
  ): Promise<readonly Scored[]> {
    if (tokens.length === 0) return [];
    const { source, chunk, word } = this.#tables;
    const values = new Values();
    const counted = queryTokens(tokens);
    const asked = values.bind(counted.map(keyOf));
    const rareness = values.bind(counted.map((token) => rarenessOf(token, spread)));
    const { k1, b } = bm25;
    const rows = await this.#client.all(
      `WITH length AS (SELECT sum(words)::float8 / nullif(sum(chunks), 0) AS mean FROM ${source})
       SELECT chunk.id, round(sum(asked.rareness * ((found.often * (${k1}::float8 + 1)) / (found.often +
           ${k1}::float8 * (1 - ${b}::float8 + ${b}::float8 * chunk.words / length.mean))) ORDER BY asked.place)::numeric, ${scoreDigits})::float8 AS score
       FROM unnest(${asked}::text[], ${rareness}::float8[]) WITH ORDINALITY AS asked (token, rareness, place)
       JOIN ${word} ON word.token = asked.token
       JOIN ${chunk} ON chunk.row = word.chunk
       CROSS JOIN length
       CROSS JOIN LATERAL (SELECT (${titleWeight} * word.title + word.text)::float8 AS often) AS found
       WHERE ${this.#scoped(scope, values)}
       GROUP BY chunk.row ORDER BY score DESC, chunk.id LIMIT ${values.bind(limit)}`,
      values.all,
    );
    return rows.map((row) => ScoreRow.parse(row));
  }

  /** The words that count for how rare a token is: within a scope none that stands outside of it. */
  #counted(scope: Scope, values: Values): string {
    const { word, chunk } = this.#tables;
    if (scope.filters.length === 0) return word;
    return `(SELECT word.token FROM ${word} JOIN ${chunk} ON chunk.row = word.chunk
      WHERE ${this.#scoped(scope, values)}) AS word`;
  }

  #size(scope: Scope, values: Values): string {
    const { source, chunk } = this.#tables;
    return scope.filters.length === 0
      ? `SELECT coalesce(sum(chunks), 0)::float8 AS total FROM ${source}`
      : `SELECT count(*)::float8 AS total FROM ${chunk} WHERE ${this.#scoped(scope, values)}`;
  }
}
