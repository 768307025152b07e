import { chance } from "./chance.js";
import { groupBy } from "./group-by.js";

/** The values that each factor can have, by the factor's name. */
type Factors = { readonly [name: string]: readonly string[] };

/** One value of each factor. */
export type Combination<F extends Factors> = { readonly [Name in keyof F]: F[Name][number] };

/** All combinations of the factors' values, in the order in which they are written. */
export function allCombinations<F extends Factors>(factors: F): Combination<F>[];
export function allCombinations(factors: Factors): object[] {
  return Object.entries(factors).reduce<object[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

/**
 * A few of some combinations in which every two values of different factors stand together at least once, if
 * they do in any. For each pair that is open, in an order that the seed shuffles, the one is taken that brings
 * most new pairs.
 */
export function coveringArray<Row extends object>(rows: readonly Row[], seed: string): Row[] {
  const shuffled = rows
    .map((row) => ({ row, pairs: pairsOf(row), rank: chance(seed, JSON.stringify(row)) }))
    .toSorted((left, right) => left.rank - right.rank);
  const byPair = groupBy(
    shuffled.flatMap(({ row, pairs }) => pairs.map((pair) => ({ row, pairs, pair }))),
    ({ pair }) => pair,
  );
  const open = new Set(byPair.keys());
  const news = ({ pairs }: { readonly pairs: readonly string[] }) =>
    pairs.filter((pair) => open.has(pair)).length;
  const chosen: Row[] = [];
  for (const [pair, candidates] of byPair) {
    if (!open.has(pair)) continue;
    const best = candidates.reduce((left, right) => (news(right) > news(left) ? right : left));
    chosen.push(best.row);
    for (const covered of best.pairs) open.delete(covered);
  }
  return chosen;
}

/** Every two of a row's values, as texts. */
export function pairsOf(row: object): string[] {
  const values = Object.entries(row).map(([name, value]) => `${name}=${String(value)}`);
  return values.flatMap((left, at) => values.slice(at + 1).map((right) => `${left}, ${right}`));
}
