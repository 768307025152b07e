import { type Claim, claimOf, type Clause, type Segment } from "./claim.js";
import { coverage, shared } from "./content.js";
import type { Figure } from "./figure.js";
import { placedUnits } from "./units.js";

/** What an answer may rest on, read. */
export type Grounds = {
  /** Sentences of quotes, and of known texts that ask nothing. */
  readonly claims: readonly Claim[];
  /** Known sentences that ask: they lend words and figures, and say nothing. */
  readonly questions: readonly Claim[];
  readonly figures: readonly Figure[];
  readonly lent: ReadonlySet<string>;
  /** The tokens of claims alone. */
  readonly said: ReadonlySet<string>;
  /** The tokens of claims that are known, not quoted. */
  readonly known: ReadonlySet<string>;
  /** Whether some claims are quoted: not all are known. */
  readonly areQuoted: boolean;
};

type Texts = {
  readonly quotes: readonly string[];
  readonly known: readonly string[];
  readonly asked?: readonly string[];
};

/** Reads the texts on which an answer may rest. */
export function groundsOf({ quotes, known, asked = [] }: Texts): Grounds {
  const quoted = quotes.flatMap(claimsIn);
  const told = known.flatMap(claimsIn);
  const questions = [...told.filter(({ isQuestion }) => isQuestion), ...asked.flatMap(claimsIn)];
  const facts = told.filter(({ isQuestion }) => !isQuestion);
  const claims = [...quoted, ...facts];
  return {
    claims,
    questions,
    figures: [...claims, ...questions].flatMap(({ figures }) => figures),
    lent: tokensOf([...claims, ...questions]),
    said: tokensOf(claims),
    known: tokensOf(facts),
    areQuoted: quoted.length > 0,
  };
}

/** The sentences and rows of a text. */
export function claimsIn(text: string): readonly Claim[] {
  return placedUnits(text, { joinsFields: true })
    .filter(({ kind }) => kind !== "header")
    .map((unit) => claimOf(unit.text, unit.kind));
}

function tokensOf(claims: readonly Claim[]): ReadonlySet<string> {
  return new Set(claims.flatMap(({ lent }) => [...lent]));
}

/** The claim that has most of the content of a sentence or clause; undefined without claims. */
export function nearestClaim(
  sentence: Pick<Claim, "content" | "figures">,
  { claims }: Grounds,
): Claim | undefined {
  const scored = claims.map((claim) => ({
    claim,
    score: coverage(sentence.content.tokens, claim.lent) + figuresShared(sentence, claim) / 100,
  }));
  return scored.toSorted((one, other) => other.score - one.score)[0]?.claim;
}

function figuresShared(one: Pick<Claim, "figures">, other: Claim): number {
  return one.figures.filter((figure) => hasFigure(other, figure)).length;
}

/** Whether a claim or a part of one has a figure. */
export function hasFigure(
  place: Pick<Claim | Segment | Clause, "figures">,
  { number }: Figure,
): boolean {
  return place.figures.some((figure) => figure.number === number || figure.also === number);
}

/** How much two clauses are alike, from 0 to 1. */
export function likeness(one: Clause, other: Clause): number {
  const [all, others] = [one.content.tokens, other.content.tokens];
  const both =
    shared(all, all) + shared(others, others) + one.figures.length + other.figures.length;
  const figures = one.figures.filter((figure) => hasFigure(other, figure)).length;
  return both === 0 ? 0 : (2 * (shared(all, others) + figures)) / both;
}

/** The clause of the grounds that is most like a clause; undefined without any. */
export function nearestClause(
  clause: Clause,
  { claims }: Pick<Grounds, "claims">,
): Clause | undefined {
  const scored = claims.flatMap((claim) =>
    claim.clauses.map((one) => ({ one, score: likeness(clause, one) })),
  );
  return scored.toSorted((one, other) => other.score - one.score)[0]?.one;
}
