import { CountRow, EmbeddedRow, floatsOf, VectorRow } from "./rows.js";
import { VectorScan } from "./vector-scan.js";

type Ask = (sql: string, ...values: string[]) => unknown[];

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
  const part = (after: string) =>
    all("SELECT hash, numbers FROM vector WHERE hash > ? ORDER BY hash LIMIT 2000", after).map(
      (row) => VectorRow.parse(row),
    );
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
