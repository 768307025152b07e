import {
  fewestChunks,
  ftsRarenessOf,
  queryTokens,
  rarenessOf,
  scoreDigits,
  type Spread,
  titleWeight,
} from "./bm25.js";
import { CountRow, ScoreRow, SpreadRow } from "./rows.js";
import { scoped, type Statements } from "./sqlite-statements.js";
import type { Scope, Scored } from "./store.js";

type Select = Statements["all"];

/** In how many of the chunks that a scope allows each token is, and how many there are. */
export function spreadOf(all: Select, tokens: readonly string[], scope: Scope): Spread {
  return scope.filters.length === 0 ? spreadOfBase(all, tokens) : spreadWithin(all, tokens, scope);
}

/** The chunks with some of the tokens by BM25 with this spread of the scope, the best first. */
export function searchWords(
  all: Select,
  tokens: readonly string[],
  spread: Spread,
  scope: Scope,
  limit: number,
): readonly Scored[] {
  if (tokens.length === 0) return [];
  return scope.filters.length === 0 && spread.total >= fewestChunks
    ? searchBase(all, tokens, scope, limit)
    : searchWeighed(all, tokens, spread, scope, limit);
}

function spreadOfBase(all: Select, tokens: readonly string[]): Spread {
  const rows = all(
    "SELECT term, doc FROM spread WHERE term IN (SELECT value FROM json_each(?))",
    JSON.stringify(tokens),
  );
  const [count] = all("SELECT COUNT(*) AS count FROM chunk");
  return { total: CountRow.parse(count).count, by: countsIn(rows) };
}

function spreadWithin(all: Select, tokens: readonly string[], scope: Scope): Spread {
  const { where, values } = scoped(scope);
  const rows = all(
    `SELECT asked.value AS term, COUNT(*) AS doc FROM json_each(?) AS asked
     JOIN word ON word MATCH '"' || asked.value || '"' JOIN chunk ON chunk.row = word.rowid
     WHERE ${where} GROUP BY asked.value`,
    JSON.stringify(tokens),
    ...values,
  );
  const [count] = all(`SELECT COUNT(*) AS count FROM chunk WHERE ${where}`, ...values);
  return { total: CountRow.parse(count).count, by: countsIn(rows) };
}

function searchBase(all: Select, tokens: readonly string[], scope: Scope, limit: number) {
  const query = queryTokens(tokens).map((token) => `"${token}"`);
  const { where, values } = scoped(scope);
  const rows = all(
    `SELECT chunk.id AS id, ROUND(-bm25(word, ${titleWeight}, 1.0), ${scoreDigits}) AS score FROM word JOIN chunk ON chunk.row = word.rowid
     WHERE word MATCH ? AND ${where} ORDER BY score DESC, id LIMIT CAST(? AS INTEGER)`,
    query.join(" OR "),
    ...values,
    limit,
  );
  return rows.map((row) => ScoreRow.parse(row));
}

/**
 * FTS5 weighs a token by its rareness in the whole base, which would tell what stands outside of the scope. So each token
 * is searched for itself, and its score is brought to its rareness within the scope.
 */
function searchWeighed(
  all: Select,
  tokens: readonly string[],
  within: Spread,
  scope: Scope,
  limit: number,
) {
  const base = scope.filters.length === 0 ? within : spreadOfBase(all, tokens);
  const asked = queryTokens(tokens).map((token) => ({
    token: `"${token}"`,
    weight: rarenessOf(token, within) / ftsRarenessOf(token, base),
  }));
  const { where, values } = scoped(scope);
  const rows = all(
    `WITH found AS MATERIALIZED (
       SELECT chunk.id AS id, asked.key AS place,
         -bm25(word, ${titleWeight}, 1.0) * json_extract(asked.value, '$.weight') AS score
       FROM json_each(?) AS asked JOIN word ON word MATCH json_extract(asked.value, '$.token')
       JOIN chunk ON chunk.row = word.rowid WHERE ${where})
     SELECT id, ROUND(SUM(score), ${scoreDigits}) AS score FROM (SELECT * FROM found ORDER BY place)
     GROUP BY id ORDER BY score DESC, id LIMIT CAST(? AS INTEGER)`,
    JSON.stringify(asked),
    ...values,
    limit,
  );
  return rows.map((row) => ScoreRow.parse(row));
}

function countsIn(rows: readonly unknown[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => SpreadRow.parse(row)).map(({ term, doc }) => [term, doc]));
}
