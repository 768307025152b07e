import { PlangraphError } from "../../errors.js";
import { folded } from "../../evidence/fold.js";

/** The words of a subject, as a person maintains them. */
export type TermsInput = {
  /** Names by which a thing is also called, under its present name. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** Names that are more than their parts. */
  readonly protected?: readonly string[];
  /** Further words that say nothing about a subject. */
  readonly stop?: readonly string[];
};

/** Terms, ready to be looked up. */
export type Terms = {
  /** The names in a folded text, each as its present name, as often as they occur; of two that overlap the longer one. */
  readonly namesIn: (plain: string) => readonly string[];
  /** The folded text with the present name behind each former one, in parentheses. */
  readonly withPresentNames: (text: string) => string;
  /** Folded stop words. */
  readonly stop: ReadonlySet<string>;
  /** The terms as they were given. */
  readonly given: TermsInput;
};

/** One line of a list of terms; `where` is its place, for errors. */
export type TermEntry = {
  readonly kind: "name" | "synonym" | "protected" | "stop";
  readonly text: string;
  /** The present name of a synonym. */
  readonly of?: string;
  readonly where: string;
};

/** The entries of terms; `placeOf` says where a path in them stands, for errors. */
export function termEntries(
  { synonyms = {}, protected: names = [], stop = [] }: TermsInput,
  placeOf: (path: readonly (string | number)[]) => string,
): readonly TermEntry[] {
  const listed = (kind: "protected" | "stop", words: readonly string[]) =>
    words.map((text, at): TermEntry => ({ kind, text, where: placeOf([kind, at]) }));
  return [
    ...Object.entries(synonyms).flatMap(([name, others]): TermEntry[] => [
      { kind: "name", text: name, where: placeOf(["synonyms", name]) },
      ...others.map((text, at): TermEntry => {
        const where = placeOf(["synonyms", name, at]);
        return { kind: "synonym", text, of: name, where };
      }),
    ]),
    ...listed("protected", names),
    ...listed("stop", stop),
  ];
}

/** Makes terms of their entries. Throws `invalid_knowledge` with all contradictions and both places of each. */
export function termsOf(entries: readonly TermEntry[], given: TermsInput): Terms {
  const earlier = new Map<string, TermEntry[]>();
  const problems = entries.flatMap((entry) => {
    const text = folded(entry.text);
    const same = earlier.get(text) ?? [];
    earlier.set(text, [...same, entry]);
    return problemsOf(entry, same);
  });
  if (problems.length > 0) {
    throw new PlangraphError(
      "invalid_knowledge",
      `The terms contradict one another: ${problems.join("; ")}.`,
    );
  }
  const named = entries.filter(({ kind }) => kind !== "stop");
  const present = new Map(named.map(({ text, of = text }) => [folded(text), folded(of)]));
  const pattern = patternOf([...present.keys()]);
  const find = (plain: string) => (pattern === undefined ? [] : [...plain.matchAll(pattern)]);
  return {
    namesIn: (plain) => find(plain).map(([name]) => present.get(name) ?? name),
    withPresentNames: (text) => {
      if (pattern === undefined) return text;
      return folded(text).replaceAll(pattern, (name) => {
        const now = present.get(name);
        return now === undefined || now === name ? name : `${name} (${now})`;
      });
    },
    stop: new Set(entries.filter(({ kind }) => kind === "stop").map(({ text }) => folded(text))),
    given,
  };
}

/** Finds any of the names, the longer ones first; one in Latin letters only as a whole word. */
function patternOf(names: readonly string[]): RegExp | undefined {
  if (names.length === 0) return undefined;
  const byLength = names.toSorted((left, right) => right.length - left.length);
  const alternatives = byLength.map((name) => {
    const before = /^[\p{Script=Latin}\p{N}]/u.test(name)
      ? String.raw`(?<![\p{Script=Latin}\p{N}])`
      : "";
    const after = /[\p{Script=Latin}\p{N}]$/u.test(name)
      ? String.raw`(?![\p{Script=Latin}\p{N}])`
      : "";
    return `${before}${name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)}${after}`;
  });
  return new RegExp(alternatives.join("|"), "gu");
}

/** The problems of an entry beside earlier ones with the same text. */
function problemsOf(entry: TermEntry, same: readonly TermEntry[]): readonly string[] {
  if (folded(entry.text).trim() === "") return [`${entry.where}: it is empty`];
  return same.flatMap((other) => {
    const why = contradiction(entry, other);
    return why === undefined ? [] : [`"${entry.text}" (${entry.where}) ${why} (${other.where})`];
  });
}

function contradiction(entry: TermEntry, other: TermEntry): string | undefined {
  const kinds = new Set([entry.kind, other.kind]);
  if (kinds.has("stop") && kinds.size > 1) return "is a stop word and a name";
  if (kinds.has("synonym") && kinds.has("name")) {
    const isOwn = entry.of === other.text;
    return isOwn ? "is listed as a synonym of itself" : "is a synonym and has synonyms itself";
  }
  const isOfTwo = entry.kind === "synonym" && other.kind === "synonym" && entry.of !== other.of;
  return isOfTwo ? `is a synonym of "${entry.of}" and of "${other.of}"` : undefined;
}
