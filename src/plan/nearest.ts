/** The names, those most like `wanted` first: by shared pairs of letters. */
export function nearestFirst(wanted: string, names: readonly string[]): string[] {
  return names.toSorted((left, right) => likeness(wanted, right) - likeness(wanted, left));
}

/** Dice's coefficient over letter pairs: 1 for equal words, 0 for nothing in common. */
function likeness(left: string, right: string): number {
  const leftPairs = pairsOf(left);
  const rightPairs = pairsOf(right);
  const shared = [...leftPairs].filter((pair) => rightPairs.has(pair)).length;
  return (2 * shared) / (leftPairs.size + rightPairs.size || 1);
}

function pairsOf(word: string): Set<string> {
  const letters = word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
}
