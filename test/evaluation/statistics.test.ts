import { describe, expect, it } from "vitest";

import { compare, passAll, shareOf } from "../../src/evaluation/statistics.js";
import { seededRandom } from "../../src/run/random.js";

const each = (...results: readonly boolean[]) => results.map((result) => [result]);
const times = (count: number, results: readonly boolean[]) =>
  Array.from({ length: count }, () => results);

const subject = (...results: readonly boolean[]) =>
  new Map(results.map((result, at) => [String(at), [result]]));

describe("shareOf", () => {
  it.each([
    // Wilson's own interval, as other programs give it.
    { cases: [...times(18, [true])], low: 0.824, high: 1 },
    { cases: [...times(12, [true]), ...times(6, [false])], low: 0.437, high: 0.837 },
    { cases: each(true), low: 0.207, high: 1 },
    { cases: each(false, false, false), low: 0, high: 0.561 },
    { cases: [], low: 0, high: 1 },
  ])("is $low to $high", ({ cases, low, high }) => {
    const share = shareOf(cases);
    expect(share.low).toBeCloseTo(low, 2);
    expect(share.high).toBeCloseTo(high, 2);
  });

  it("is as wide for repeats that are all alike as for the cases alone", () => {
    const alone = shareOf([...times(12, [true]), ...times(6, [false])]);
    const repeated = shareOf([
      ...times(12, [true, true, true]),
      ...times(6, [false, false, false]),
    ]);
    expect(repeated.of).toBe(54);
    expect(repeated.high - repeated.low).toBeGreaterThan(0.9 * (alone.high - alone.low));
    // Of repeats that differ each tells something new.
    const mixed = shareOf(times(18, [true, true, false]));
    expect(mixed.high - mixed.low).toBeLessThan(0.75 * (alone.high - alone.low));
  });

  it.each([
    { name: "independent", cases: 60, repeats: 1, spread: 0 },
    { name: "three repeats of cases that differ", cases: 40, repeats: 3, spread: 0.6 },
  ])("holds the true share in 93 of 100 samples: $name", ({ cases, repeats, spread }) => {
    const seeds = 400;
    let held = 0;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = seededRandom(seed * 7_919);
      const sample = Array.from({ length: cases }, () => {
        const chance = 0.7 + (random() - 0.5) * spread;
        return Array.from({ length: repeats }, () => random() < chance);
      });
      const { low, high } = shareOf(sample);
      if (low <= 0.7 && high >= 0.7) held += 1;
    }
    expect(held / seeds).toBeGreaterThanOrEqual(0.93);
  });
});

describe("passAll", () => {
  it.each([
    { cases: times(4, [true, true]), k: 2, chance: 1 },
    {
      cases: [
        [true, true],
        [true, false],
      ],
      k: 2,
      chance: 0.5,
    },
    { cases: [[true, true, false]], k: 2, chance: 1 / 3 },
    { cases: [[true, true, false]], k: 1, chance: 2 / 3 },
  ])("of $cases at $k is $chance", ({ cases, k, chance }) => {
    expect(passAll(cases, k)).toBeCloseTo(chance, 6);
  });

  it("is unknown with fewer repeats", () => {
    expect(passAll([[true]], 2)).toBeUndefined();
  });
});

describe("compare", () => {
  const alternating = Array.from({ length: 40 }, (_, at) => at % 2 === 0);

  it.each([
    { name: "better", one: Array.from({ length: 40 }, () => true), other: alternating },
    { name: "worse", one: alternating, other: Array.from({ length: 40 }, () => true) },
    { name: "cannot tell", one: alternating, other: alternating },
    { name: "cannot tell", one: [true, true, true], other: [true, false, true] },
    { name: "cannot tell", one: [], other: [] },
    { name: "cannot tell", one: [true], other: [false] },
    { name: "cannot tell", one: [true, true, true, true], other: [false, false, false, false] },
    { name: "cannot tell", one: times(5, [true]).flat(), other: times(5, [false]).flat() },
    { name: "better", one: times(6, [true]).flat(), other: times(6, [false]).flat() },
  ])("says $name", ({ name, one, other }) => {
    const found = compare(subject(...one), subject(...other));
    expect(found.verdict).toBe(name);
    expect(compare(subject(...one), subject(...other))).toEqual(found);
  });

  it("says how many cases would tell", () => {
    const one = Array.from({ length: 20 }, (_, at) => at < 15);
    const other = Array.from({ length: 20 }, (_, at) => at < 8 || (at >= 15 && at < 18));
    const { verdict, casesNeeded = 0 } = compare(subject(...one), subject(...other));
    expect(verdict).toBe("cannot tell");
    expect(casesNeeded).toBeGreaterThan(20);
    expect(casesNeeded).toBeLessThan(200);
  });

  it("finds no difference where there is none in at least 94 of 100 samples", () => {
    let told = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seededRandom(seed * 104_729);
      const draw = () => subject(...Array.from({ length: 30 }, () => random() < 0.6));
      if (compare(draw(), draw()).verdict !== "cannot tell") told += 1;
    }
    expect(told).toBeLessThanOrEqual(6);
  });

  it("is stricter where many are compared", () => {
    const [one, other] = [times(7, [true]).flat(), times(7, [false]).flat()];
    expect(compare(subject(...one), subject(...other), 1).verdict).toBe("better");
    // 2 of 128 ways are as far apart, and 5 % are for five comparisons.
    expect(compare(subject(...one), subject(...other), 5).verdict).toBe("cannot tell");
  });
});
