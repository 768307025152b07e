import { boundOf } from "./bounds.js";
import type { Claim, Segment } from "./claim.js";
import { coverage, strangeWords, weightOfToken } from "./content.js";
import type { Figure } from "./figure.js";
import { isSameFigure, missingFigures } from "./figures.js";
import { type Grounds, hasFigure } from "./grounds.js";
import { hidden } from "./masked.js";
import { isOfKind } from "./measures.js";

/** Why a figure of a sentence has no ground, or belongs to something else; undefined if none does. */
export function wrongFigure(
  sentence: Claim,
  grounds: Grounds,
  context: ReadonlySet<string>,
): string | undefined {
  const [missing] = missingFigures(sentence.text, sentence.figures, grounds.figures);
  if (missing !== undefined) return `"${missing}" stands in no quote`;
  if (isMisordered(sentence, grounds)) return "its figures are not in the order of their names";
  return sentence.segments
    .flatMap((segment) =>
      segment.figures.map((figure) => misplaced(figure, segment, { sentence, grounds, context })),
    )
    .find((problem) => problem !== undefined);
}

/** Whether names and figures that are told in turn stand in another order in every ground. */
function isMisordered(sentence: Claim, { claims }: Grounds): boolean {
  if (!/分别|依次|(?<![a-z])respectively(?![a-z])/u.test(sentence.plain)) return false;
  const first = sentence.plain.indexOf(hidden);
  const names = [...sentence.content.tokens].filter(
    (token) => token.length > 1 && sentence.plain.lastIndexOf(token, first) !== -1,
  );
  return !claims.some(({ plain, figures }) => {
    const places = names.map((name) => plain.indexOf(name)).filter((place) => place !== -1);
    const order = sentence.figures.map((figure) =>
      figures.findIndex((other) => isSameFigure(figure, other)),
    );
    return [places, order].every((all) => all.every((place, at) => place >= (all[at - 1] ?? 0)));
  });
}

type Place = {
  readonly sentence: Claim;
  readonly grounds: Grounds;
  readonly context: ReadonlySet<string>;
};

type Candidate = {
  readonly claim: Claim;
  readonly segment: Segment;
  readonly score: number;
  readonly isHolding: boolean;
};

/** Compares the words around a figure with those around it, and around figures of its kind, in the grounds. */
function misplaced(figure: Figure, segment: Segment, place: Place): string | undefined {
  const { sentence, grounds } = place;
  const all = [
    ...candidates(grounds.claims, 1, figure, segment, place),
    ...candidates(grounds.questions, 0.5, figure, segment, place),
  ];
  const holding = all.filter(({ isHolding }) => isHolding);
  if (holding.length === 0) return undefined;
  const written = sentence.text.slice(figure.start, figure.end).trim();
  const best = Math.max(...holding.map(({ score }) => score));
  const rival = all.find(
    (one) =>
      !one.isHolding && !isTold(one.segment, figure, segment, sentence) && one.score > best + 1e-9,
  );
  if (rival !== undefined)
    return `"${written}" is not what the quotes say of it: "${rival.segment.text}"`;
  if (!holding.some(({ claim }) => isAbout(segment, claim, grounds)))
    return `no quote says "${written}" of it`;
  const first = holding.find(({ score }) => score === best);
  if (first === undefined) return undefined;
  const isTurned = isOpposite(figure, segment, sentence, first) || isSwapped(segment, first, place);
  return isTurned ? `the quote says "${first.segment.text}"` : undefined;
}

function candidates(
  claims: readonly Claim[],
  weight: number,
  figure: Figure,
  segment: Segment,
  { context }: Place,
): readonly Candidate[] {
  return claims.flatMap((claim) =>
    claim.segments
      .filter(({ figures }) => figures.some((other) => isOfKind(figure.unit, other.unit)))
      .map((one) => ({
        claim,
        segment: one,
        score: weight * match(segment, one, context, figure),
        isHolding: one.figures.some((other) => isSameFigure(figure, other)),
      })),
  );
}

/** Whether a part has the figures of a rival, too, or its sentence has them in another unit: it tells of both. */
function isTold(rival: Segment, figure: Figure, segment: Segment, sentence: Claim): boolean {
  return rival.figures
    .filter((other) => isOfKind(figure.unit, other.unit))
    .every((other) => hasFigure(other.unit === figure.unit ? segment : sentence, other));
}

/** Whether the words around a figure are those of a claim, beside words of the question. */
function isAbout(segment: Segment, claim: Claim, { said, known }: Grounds): boolean {
  const own = [...segment.core.tokens].filter((token) => said.has(token) && !known.has(token));
  return coverage(new Set(own), claim.lent) >= 0.4;
}

/** Whether a part names something of another part where its ground names something else. */
function isSwapped(segment: Segment, { claim, segment: ground }: Candidate, place: Place): boolean {
  const [other] = strangeWords(
    segment.core,
    new Set([...ground.core.tokens, ...place.grounds.known]),
  );
  if (other === undefined || claim.segments.length < 2) return false;
  const isOfSibling = strangeWords(segment.core, claim.lent).every((word) => word !== other);
  const told = new Set([...place.sentence.lent, ...place.context]);
  return isOfSibling && strangeWords(ground.core, told).length > 0;
}

/** Whether "at most" became "at least", or "within" became "after". */
function isOpposite(
  figure: Figure,
  segment: Segment,
  sentence: Claim,
  { claim, segment: ground }: Candidate,
): boolean {
  const other = ground.figures.find((one) => isSameFigure(figure, one));
  const [bound, held] = [boundOf(sentence.text, figure), other && boundOf(claim.text, other)];
  // "Below 59 it costs 6" tells the other side of "from 59 on it is free".
  const isOtherSide = segment.figures.some((one) => !hasFigure(ground, one));
  return !isOtherSide && bound !== undefined && held !== undefined && bound !== held;
}

/** The weight of the words around both figures; words before the part count less. */
function match(
  segment: Segment,
  ground: Segment,
  context: ReadonlySet<string>,
  figure: Figure,
): number {
  const inGround = (token: string) => {
    if (ground.own.has(token)) return segment.own.has(token) ? 1 : 0.75;
    return ground.inherited.has(token) ? 0.75 : 0;
  };
  const weights = new Map([
    ...[...context].map((token): [string, number] => [token, 0.25]),
    ...[...segment.inherited].map((token): [string, number] => [token, 0.5]),
    ...[...segment.own].map((token): [string, number] => [token, 1]),
  ]);
  let score = 0;
  for (const [token, weight] of weights) score += weight * inGround(token) * weightOfToken(token);
  const others = segment.figures.filter((other) => other !== figure);
  return score + others.filter((other) => hasFigure(ground, other)).length / 2;
}
