import { seededRandom } from "../run/random.js";

/** A share with its 95 % interval. */
export type Share = {
  readonly right: number;
  readonly of: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
};

/** The standard normal quantile of a two-sided interval of 95 %. */
const z = 1.959964;

/**
 * The share of right results with its interval (Wilson, 1927). Repeats of one case are not independent: the sample counts
 * as large as it would be with independent results of the same variance (Kish's design effect, clustered by case).
 */
export function shareOf(cases: readonly (readonly boolean[])[]): Share {
  const groups = cases.filter((results) => results.length > 0);
  const of = groups.reduce((sum, results) => sum + results.length, 0);
  const right = groups.reduce((sum, results) => sum + results.filter(Boolean).length, 0);
  if (of === 0) return { right, of, share: 0, low: 0, high: 1 };
  const share = right / of;
  const size = effectiveSize(groups, share, of);
  const middle = share + z ** 2 / (2 * size);
  const spread = z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  const scale = 1 + z ** 2 / size;
  return {
    right,
    of,
    share,
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
  };
}

/** How many independent results say as much as these: at least one a case, at most all. */
function effectiveSize(groups: readonly (readonly boolean[])[], share: number, of: number): number {
  const count = groups.length;
  // All alike, nothing tells how alike the repeats of a case are.
  if (share === 0 || share === 1 || count < 2) return count;
  const squares = groups.reduce((sum, results) => {
    const residual = results.reduce((total, isRight) => total + Number(isRight) - share, 0);
    return sum + residual ** 2;
  }, 0);
  const variance = ((squares / of ** 2) * count) / (count - 1);
  const size = (share * (1 - share)) / variance;
  return Math.min(of, Math.max(count, size));
}

/** The chance that `k` runs of a case are all right, over all cases with so many (pass^k of tau-bench). */
export function passAll(cases: readonly (readonly boolean[])[], k: number): number | undefined {
  const enough = cases.filter((results) => results.length >= k);
  if (enough.length === 0 || k < 1) return undefined;
  const chances = enough.map((results) => {
    const right = results.filter(Boolean).length;
    return choose(right, k) / choose(results.length, k);
  });
  return mean(chances);
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let at = 0; at < k; at += 1) ways *= (n - at) / (at + 1);
  return ways;
}

/** How one subject stands to another. */
export type Comparison = {
  readonly verdict: "better" | "worse" | "cannot tell";
  /** The difference of the shares, with its 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** How many cases both have. */
  readonly cases: number;
  /** About how many cases would tell such a difference; absent where there is none. */
  readonly casesNeeded?: number;
};

const resamples = 2_000;

/**
 * Compares two subjects on the cases that both have, case by case. One is better or worse where two tests say so: the
 * bootstrap of the differences (Efron, 1979), and Fisher's randomization test (1935), which few cases do not mislead.
 * `comparisons` is how many are made: each is then held to a stricter level, so that all together are wrong in one of
 * twenty evaluations at most (Bonferroni). The same input gives the same result.
 */
export function compare(
  one: ReadonlyMap<string, readonly boolean[]>,
  other: ReadonlyMap<string, readonly boolean[]>,
  comparisons = 1,
): Comparison {
  const differences = [...one].flatMap(([id, results]) => {
    const others = other.get(id);
    if (others === undefined || others.length === 0 || results.length === 0) return [];
    return [meanRight(results) - meanRight(others)];
  });
  if (differences.length === 0) {
    return { verdict: "cannot tell", difference: 0, low: -1, high: 1, cases: 0 };
  }
  const difference = mean(differences);
  const random = seededRandom(differences.length);
  const means = Array.from({ length: resamples }, () => {
    const drawn = differences.map(
      () => differences[Math.floor(random() * differences.length)] ?? 0,
    );
    return mean(drawn);
  }).toSorted((left, right) => left - right);
  const low = quantile(means, 0.025);
  const high = quantile(means, 0.975);
  const isByChance = chanceOf(differences, random) > level / comparisons;
  return {
    verdict: isByChance ? "cannot tell" : verdictOf(low, high),
    difference,
    low,
    high,
    cases: differences.length,
    ...neededFor(differences, difference),
  };
}

/** How often a difference may be told where there is none. */
const level = 0.05;

function verdictOf(low: number, high: number): Comparison["verdict"] {
  if (low > 0) return "better";
  return high < 0 ? "worse" : "cannot tell";
}

/** How likely a sum as large as this is where each difference could as well be the other way round. */
function chanceOf(differences: readonly number[], random: () => number): number {
  const own = differences.filter((each) => each !== 0);
  const least = Math.abs(sumOf(own)) - 1e-9;
  const isAll = own.length <= mostEnumerated;
  const count = isAll ? 2 ** own.length : randomizations;
  let larger = 0;
  for (let row = 0; row < count; row += 1) {
    const turned = own.map((each, at) => {
      const isTurned = isAll ? Math.floor(row / 2 ** at) % 2 === 1 : random() < 0.5;
      return isTurned ? -each : each;
    });
    if (Math.abs(sumOf(turned)) >= least) larger += 1;
  }
  return isAll ? larger / count : (larger + 1) / (count + 1);
}

/** With so many differences all ways are looked at, with more a sample. */
const mostEnumerated = 12;
const randomizations = 10_000;

/** The cases with which a difference of this size is found in four of five evaluations. */
function neededFor(
  differences: readonly number[],
  difference: number,
): Pick<Comparison, "casesNeeded"> {
  if (difference === 0 || differences.length < 2) return {};
  const variance =
    differences.reduce((sum, each) => sum + (each - difference) ** 2, 0) / (differences.length - 1);
  return { casesNeeded: Math.ceil(((z + powerQuantile) ** 2 * variance) / difference ** 2) };
}

/** The standard normal quantile of 80 %. */
const powerQuantile = 0.841621;

/** The value below which a share of the sorted values lies, between two of them where it falls there. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** The mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The share of right results of a case. */
export function meanRight(results: readonly boolean[] = []): number {
  return mean(results.map(Number));
}

/** The values in a random order. */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ value }) => value);
}
