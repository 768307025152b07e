/** The names, sorted by similarity to `wanted`: by shared pairs of letters. */
export function nearestFirst(wanted: string, names: readonly string[]): string[] {
  return names.toSorted((left, right) => likeness(wanted, right) - likeness(wanted, left));
}

/** Dice's coefficient over letter pairs: 1 for equal words, 0 for no common pair. */
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

/** The only name like `wanted`: other case or signs, or one or two wrong letters in a longer word. */
export function closeName(wanted: string, names: readonly string[]): string | undefined {
  const plain = lettersOf(wanted);
  const slips = names
    .map((name) => ({ name, distance: editDistance(plain, lettersOf(name)) }))
    .filter(({ name, distance }) => distance <= (Math.min(plain.length, name.length) > 6 ? 2 : 1))
    .toSorted((left, right) => left.distance - right.distance);
  return plain === "" ? undefined : slips[0]?.name;
}

function lettersOf(word: string): string {
  // Names are short; a long one is not a misspelling.
  return word
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** How many letters to insert, delete, replace, or swap with the next one to turn one word into the other. */
function editDistance(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column += 1) {
      const [last, end] = [left[row - 1], right[column - 1]];
      const isSwap = last === right[column - 2] && left[row - 2] === end;
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (last === end ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(left.length, right.length);
}
