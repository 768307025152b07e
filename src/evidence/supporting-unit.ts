import { checkedAnswer } from "./checked-answer.js";
import { claimOf } from "./claim.js";
import { coverage } from "./content.js";
import { claimsIn, hasFigure } from "./grounds.js";
import type { HeldQuote, Shown } from "./held-quotes.js";
import { placedUnits } from "./units.js";

/**
 * The one sentence or row of the shown texts that says what an answer says, for a model that answers right and copies
 * wrong: small ones cannot copy the row of a table. Every figure and every word of the answer must have its ground
 * there, or in the title; the words of the question are none. Undefined without one, and for an answer without figures.
 */
export function supportingUnit(
  answer: string,
  shown: readonly (Shown & { readonly title: string })[],
): HeldQuote | undefined {
  const claims = placedUnits(answer, { joinsFields: false }).map((unit) =>
    claimOf(unit.text, unit.kind),
  );
  const figures = claims.flatMap((claim) => claim.figures);
  if (figures.length === 0) return undefined;
  const tokens = new Set(claims.flatMap(({ content }) => [...content.tokens]));
  const [best] = shown
    .flatMap(({ id, title, text }) => claimsIn(text).map((claim) => ({ id, title, claim })))
    .filter(({ claim }) => figures.every((figure) => hasFigure(claim, figure)))
    .toSorted(
      (one, other) => coverage(tokens, other.claim.lent) - coverage(tokens, one.claim.lent),
    );
  if (best === undefined) return undefined;
  const { id, title, claim } = best;
  const { text } = claim;
  const { kept, dropped } = checkedAnswer(answer, { quotes: [text], known: [], asked: [title] });
  return kept !== "" && dropped.length === 0 ? { id, text } : undefined;
}
