import { CountRow, EmbeddedRow, floatsOf, IdRow, NumbersRow, VectorRow } from "./rows.js";
import type { Statements } from "./sqlite-statements.js";
import type { Scored } from "./store.js";
import { product, unit, VectorScan } from "./vector-scan.js";

type Ask = Statements["all"];

/** The vectors of chunks: to be scored, with the conditions that follow. */
export const chunkVectors = `SELECT chunk.id AS id, numbers FROM embedded JOIN vector ON vector.hash = embedded.hash
  JOIN chunk ON chunk.row = embedded.chunk`;

/** How near chunks are to a vector. */
export function scoresOf(vector: readonly number[], chunks: readonly unknown[]): readonly Scored[] {
  const asked = unit(vector);
  return chunks.map((row) => {
    const { numbers } = NumbersRow.parse(row);
    return { ...IdRow.parse(row), score: product(asked, floatsOf(numbers), 0) };
  });
}

/** Vectors in the order of their hashes, from the first after this one. */
export function vectorsAfter(all: Ask, after: string, limit: number) {
  const rows = all(
    "SELECT hash, numbers FROM vector WHERE hash > ? ORDER BY hash LIMIT CAST(? AS INTEGER)",
    after,
    limit,
  );
  return rows.map((row) => VectorRow.parse(row));
}

/** Reads all vectors of a base, and which chunks they find. */
export function readVectors(all: Ask): VectorScan {
  const { numbers, dimension, places } = readNumbers(all);
  const rows = all(
    "SELECT chunk.id AS id, kind, embedded.hash AS hash FROM embedded JOIN chunk ON chunk.row = embedded.chunk",
  );
  const entries = rows.flatMap((row) => {
    const { id, kind, hash } = EmbeddedRow.parse(row);
    const at = places.get(hash);
    return at === undefined ? [] : [{ id, kind, at }];
  });
  return new VectorScan(numbers, dimension, entries);
}

/** All vectors in one array, and the place of each by its hash. Read in parts, because twice all of them is too much. */
function readNumbers(all: Ask) {
  const part = (after: string) => vectorsAfter(all, after, 2_000);
  const { count } = CountRow.parse(all("SELECT COUNT(*) AS count FROM vector")[0]);
  const places = new Map<string, number>();
  let rows = part("");
  const dimension = (rows[0]?.numbers.byteLength ?? 0) / 4;
  const numbers = new Float32Array(count * dimension);
  while (rows.length > 0) {
    for (const { hash, numbers: own } of rows) {
      numbers.set(floatsOf(own), places.size * dimension);
      places.set(hash, places.size);
    }
    rows = part(rows.at(-1)?.hash ?? "");
  }
  return { numbers, dimension, places };
}
