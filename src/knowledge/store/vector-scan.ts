import type { Scored, VectorKind } from "./store.js";

/** A vector of a chunk; several chunks may share one. */
type Entry = { readonly id: string; readonly kind: VectorKind; readonly at: number };

/** All vectors of a base in one array, of length 1 each, scanned exactly: 10,000 of 384 numbers take some milliseconds. */
export class VectorScan {
  readonly #numbers: Float32Array;
  readonly #dimension: number;
  readonly #entries: { readonly [Kind in VectorKind]: readonly Entry[] };

  constructor(numbers: Float32Array, dimension: number, entries: readonly Entry[]) {
    this.#numbers = numbers;
    this.#dimension = dimension;
    this.#entries = {
      question: entries.filter(({ kind }) => kind === "question"),
      content: entries.filter(({ kind }) => kind === "content"),
    };
  }

  /** The nearest chunks of a kind among those that are allowed, each once, the best first. */
  nearest(
    vector: Float32Array,
    kind: VectorKind,
    allowed: ReadonlySet<string> | undefined,
    limit: number,
  ): readonly Scored[] {
    let top: readonly Scored[] = [];
    let waiting: Scored[] = [];
    let least = -Infinity;
    for (const { id, at } of this.#entries[kind]) {
      if (allowed !== undefined && !allowed.has(id)) continue;
      const score = product(vector, this.#numbers, at * this.#dimension);
      if (score < least) continue;
      waiting.push({ id, score });
      // Not all of them are sorted: most are worse than those that are kept.
      if (waiting.length < limit * 4) continue;
      top = bestOf([...top, ...waiting], limit);
      waiting = [];
      if (top.length === limit) least = top.at(-1)?.score ?? least;
    }
    return bestOf([...top, ...waiting], limit);
  }
}

/** The product of a vector with the one that begins here among others. */
export function product(vector: Float32Array, numbers: Float32Array, start: number): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += (vector[index] ?? 0) * (numbers[start + index] ?? 0);
  }
  return sum;
}

/** The best of them, each chunk once. */
export function bestOf(scored: readonly Scored[], limit: number): readonly Scored[] {
  const seen = new Set<string>();
  const isFirst = ({ id }: Scored) => !seen.has(id) && seen.add(id).size > 0;
  return scored.toSorted(byScore).filter(isFirst).slice(0, limit);
}

/** The best first; equal ones in the order of their ids, so that a base answers twice alike. */
export function byScore(left: Scored, right: Scored): number {
  return right.score - left.score || (left.id < right.id ? -1 : 1);
}

/** The vector with length 1, as stored: cosines are sums of products. */
export function unit(vector: readonly number[] | Float32Array): Float32Array {
  const made = Float32Array.from(vector);
  const length = Math.hypot(...made);
  return length === 0 ? made : made.map((number) => number / length);
}
