const words: ReadonlyMap<string, string> = new Map([
  ["boolean", "true or false"],
  ["array", "a list"],
  ["string", "text"],
  ["record", "fields"],
  ["object", "fields"],
  ["int", "a whole number"],
  ["number", "a number"],
]);

const bounds: ReadonlyMap<string, string> = new Map([
  [">=", "at least"],
  [">", "more than"],
  ["<=", "at most"],
  ["<", "less than"],
]);

/** What zod expected, in the words of people who write files: "expected text". What came is not in it. */
export function plainExpectation(message: string): string {
  return message
    .replace(/^Invalid (?:input|option): /, "")
    .replace(/, received .*$/, "")
    .replace(
      /^Too \w+: expected \w+ to (?:be|have) (>=?|<=?)(.+)$/,
      (_, bound: string, rest: string) => {
        return `expected ${bounds.get(bound) ?? bound} ${rest}`;
      },
    )
    .replace(/^expected (\w+)$/, (whole, type: string) => {
      const word = words.get(type);
      return word === undefined ? whole : `expected ${word}`;
    });
}
