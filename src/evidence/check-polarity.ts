import type { Claim, Clause } from "./claim.js";
import { coverage, shared } from "./content.js";
import { type Grounds, hasFigure, likeness } from "./grounds.js";

const yes = /^\s*(?:可以的?|能的?|是的?|有的?|支持|当然可以|yes|sure|certainly|of course)\s*$/u;
const no = /^\s*(?:不可以|不能|不行|不支持|没有)\s*$/u;

/** Why a sentence says the opposite of what it rests on; undefined if it does not. */
export function contradiction(sentence: Claim, grounds: Grounds): string | undefined {
  const [first, second] = sentence.clauses;
  const answer = first?.plain ?? "";
  if (second !== undefined && (second.negations > 0 ? yes : no).test(answer))
    return "it says yes and no";
  const person = agent.exec(sentence.plain)?.[0];
  if (person !== undefined && !grounds.claims.some(({ plain }) => plain.includes(person)))
    return `no quote says "${person}"`;
  const clauses = grounds.claims.flatMap((claim) => claim.clauses);
  return sentence.clauses
    .map((clause) => opposite(clause, clauses))
    .find((problem) => problem !== undefined);
}

function opposite(clause: Clause, all: readonly Clause[]): string | undefined {
  if (clause.content.tokens.size === 0) return undefined;
  const near = comparable(clause, all).map((one) => ({
    clause: one,
    score: likeness(clause, one),
  }));
  const best = Math.max(0, ...near.map(({ score }) => score));
  const alike = near.filter(({ score }) => score > 0 && score >= 0.9 * best);
  const [first] = alike;
  if (first === undefined) return unsaid(clause, all);
  if (alike.some((one) => isAgreed(clause, one.clause))) return undefined;
  if (near.some((one) => isAgreed(clause, one.clause) && isWithin(clause, one.clause)))
    return undefined;
  return `it says the opposite of "${first.clause.text.trim()}"`;
}

/** Whether a ground has all of a clause. */
function isWithin(clause: Clause, ground: Clause): boolean {
  return coverage(clause.content.tokens, ground.content.tokens) > 0.99;
}

const before = /(?<![a-z])(?:before|until)(?![a-z])|[以之]前|前(?!往|提|台|面|后|者)/u;
const after = /(?<![a-z])after(?![a-z])|[以之]后|后(?!台|面|者|续)/u;
const agent = /(?<![a-z])by (?:us|me|you)(?![a-z])|由(?:我们|您|你)/u;

/** Whether two clauses about the same both deny it or do not, with the same order in time. */
function isAgreed(clause: Clause, ground: Clause): boolean {
  const [isBefore, isAfter] = [before.test(clause.plain), after.test(clause.plain)];
  const turned = isAfter ? before.test(ground.plain) : isBefore && after.test(ground.plain);
  const isTurned =
    turned && isBefore !== isAfter && before.test(ground.plain) !== after.test(ground.plain);
  return clause.negations === ground.negations && !isTurned;
}

/** The clauses about the same; those that have a figure of it come first, and alone count for a short clause. */
function comparable(clause: Clause, all: readonly Clause[]): readonly Clause[] {
  const { tokens } = clause.content;
  const ofFigures = all.filter((one) => clause.figures.some((each) => hasFigure(one, each)));
  const isShort = ofFigures.length > 0 && shared(tokens, tokens) <= 3;
  const similar = (isShort ? ofFigures : all).filter(
    (one) => coverage(tokens, one.content.tokens) >= 0.5,
  );
  const both = similar.filter((one) => ofFigures.includes(one));
  return both.length > 0 ? both : similar;
}

/** A negation needs a ground that negates something of the same. */
function unsaid(clause: Clause, all: readonly Clause[]): string | undefined {
  if (clause.negations === 0) return undefined;
  const isSaid = all.some(
    (one) => one.negations > 0 && coverage(clause.content.tokens, one.content.tokens) >= 0.3,
  );
  return isSaid ? undefined : `nothing in the quotes denies it: "${clause.text.trim()}"`;
}
