/** Whether the long tables of cases run in full: `npm run test:all-rows`. */
const isFull = process.env["PLANGRAPH_TEST_ROWS"] === "all";

/**
 * Every so manyth row of a long table, from the `turn`th one: several tests of one table, each with a turn of its own,
 * take different rows. All rows where the tables run in full.
 */
export function someOf<Row>(rows: readonly Row[], every: number, turn = 0): readonly Row[] {
  return isFull ? rows : rows.filter((_, at) => at % every === turn % every);
}

/** A number of repetitions, for a run of all rows and for others. */
export function timesOf({
  all,
  usually,
}: {
  readonly all: number;
  readonly usually: number;
}): number {
  return isFull ? all : usually;
}
