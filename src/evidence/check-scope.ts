import type { Claim } from "./claim.js";
import { contentOf, coverage, shared } from "./content.js";
import { type Grounds, hasFigure, nearestClaim, nearestClause } from "./grounds.js";
import { withoutNegations } from "./negation.js";

const universals: readonly RegExp[] = [
  /所有|全部|任何|一切|任意|每[个件名种款一]|全场|全品类|一律|统一|统统|人人|无条件|(?<![a-z])(?:all(?! (?:you need|in all|the best))|any(?! (?:questions?|other|further))|every|everything|everyone|everybody|anyone|anything|entire|unconditional(?:ly)?)(?![a-z])/u,
  /随时|始终|总是|永远|永久|全年|全天|(?<![a-z])(?:always|anytime|forever)(?![a-z])|at any time/u,
];
const both = /(?<!内|时)[都均]/u;
const exclusive = /只能|只有|仅|(?<![a-z])only(?![a-z])/u;
const excludes =
  /[只仅限除不无]|(?<![a-z])(?:only|except|unless|not|cannot|no|excluding|without)(?![a-z])/u;
const list = /[、和与及跟]|分别/u;

/** Why a sentence says more than its ground, by a word such as "all"; undefined if it does not. */
export function generalisation(sentence: Claim, grounds: Grounds): string | undefined {
  const ground = nearestClaim(sentence, grounds)?.plain ?? "";
  const plain = withoutPolite(sentence.plain);
  const isOfEach = /[每各都均]|(?<![a-z])per/u.test(ground);
  const found = universals
    .filter((words) => !isOfEach && !words.test(ground))
    .map((words) => words.exec(plain)?.[0])
    .find((word) => word !== undefined);
  if (found !== undefined) return `the quote does not say "${found}"`;
  const isBoth = both.test(plain) && !list.test(plain);
  const isSaid = [both, list, /除/u, ...universals].some((words) => words.test(ground));
  return isBoth && !isSaid ? 'the quote does not say "都"' : undefined;
}

/** Why a sentence restricts what its ground does not, by "only" or by a limit; undefined if it does not. */
export function restriction(sentence: Claim, grounds: Grounds): string | undefined {
  return exclusion(sentence, grounds) ?? addedLimit(sentence, grounds);
}

function exclusion(sentence: Claim, grounds: Grounds): string | undefined {
  const ground = nearestClaim(sentence, grounds)?.plain;
  const found = exclusive.exec(sentence.plain)?.[0];
  if (found === undefined || ground === undefined || excludes.test(ground)) return undefined;
  return `the quote does not say "${found}"`;
}

const limits =
  /(?:一定|某个?)\p{Script=Han}{0,6}以[上下]|超过|不足|至少|最多|(?<![a-z])(?:above|below|(?:more|less|fewer) than|at (?:least|most))(?![a-z])/u;

/** A limit of which the ground knows nothing. One with a figure is checked with its figure. */
function addedLimit(sentence: Claim, grounds: Grounds): string | undefined {
  const found = limits.exec(withoutPolite(sentence.plain))?.[0];
  if (found === undefined || sentence.figures.length > 0) return undefined;
  const ground = nearestClaim(sentence, grounds);
  if (ground === undefined || ground.figures.length > 0 || limits.test(ground.plain))
    return undefined;
  return `the quote does not say "${found}"`;
}

function withoutPolite(plain: string): string {
  return plain.replaceAll(/at all|if any|not? [a-z]{1,12} any/g, " ");
}

type Restriction = {
  readonly text: string;
  readonly tokens: ReadonlySet<string>;
  readonly clause: number;
  /** It restricts the whole sentence, not only its clause. */
  readonly isWide: boolean;
};

const wide: readonly RegExp[] = [
  /除(?:了|去)?(?<scope>[^,，;；]{1,60}?)(?:之外|以外|外)/u,
  /(?<scope>[^,，;；]{1,60})(?:除外|例外|不在此列|不适用)/u,
  /(?:仅限于?|只限于?|仅对|只对|限于|前提是|条件是|除非|如果|假如|只要|若(?!干)|必须|只有|凭)(?<scope>[^,，;；]{1,60})/u,
  /(?:须|需要?)(?!支付|付款|付|缴|收|要|求)(?<scope>[^,，;；]{1,60})/u,
  /(?<![a-z])(?:except(?: for)?|excluding|other than|apart from|with the exception of|unless|provided(?: that)?|as long as|if|on condition that|subject to|must|requires?)(?![a-z])(?<scope>[^,;]{1,120})/u,
];
const narrow: readonly RegExp[] = [
  /(?:仅|只(?!有|要|限|对))(?<scope>[^,，;；]{1,60})/u,
  /(?<![a-z])only(?![a-z])(?<scope>[^,;]{1,120})/u,
];
const marker =
  /除|仅|只|限|前提|条件|如果|若|必须|须|需|(?<![a-z])(?:except|excluding|other than|apart from|unless|provided|as long as|if|only|must|require[sd]?|not)(?![a-z])|不|无法/u;

/** Why a sentence leaves a condition of its ground out that the answer has nowhere; undefined if it does not. */
export function cutCondition(
  sentence: Claim,
  grounds: Grounds,
  answer: readonly Claim[],
): string | undefined {
  const ground = nearestClaim(sentence, grounds);
  if (ground === undefined || coverage(sentence.content.tokens, ground.lent) < 0.5)
    return undefined;
  const isMarked = answer.some(({ plain }) => marker.test(plain));
  const told = new Set(answer.flatMap(({ lent }) => [...lent]));
  const missing = restrictionsIn(ground).find(
    ({ tokens, isWide, clause }) =>
      (isWide || meets(sentence, ground, clause)) &&
      coverage(tokens, told) < (isMarked ? 0.5 : 0.8),
  );
  if (missing !== undefined) return `it leaves out "${missing.text}"`;
  const bound =
    cutBound(sentence, ground, answer) ??
    cutPlace(sentence, grounds, told) ??
    cutSubject(sentence, grounds, told);
  return bound === undefined ? undefined : `it leaves out "${bound}"`;
}

function restrictionsIn(ground: Claim): readonly Restriction[] {
  return ground.clauses.flatMap(({ plain, text }, clause) => {
    const found = (patterns: readonly RegExp[], isWide: boolean) =>
      patterns.flatMap((pattern) => {
        const scope = pattern.exec(plain)?.groups?.["scope"];
        if (scope === undefined) return [];
        const { tokens } = contentOf(withoutNegations(scope));
        return [{ text: text.trim(), tokens, clause, isWide }];
      });
    return [...found(wide, true), ...found(narrow, false)];
  });
}

/** Whether a sentence is about the clause of a ground. */
function meets(sentence: Claim, ground: Claim, at: number): boolean {
  const tokens = ground.clauses[at]?.content.tokens ?? new Set<string>();
  return shared(sentence.content.tokens, tokens) > 0;
}

const atMost = /^\s?(?:[以之]?内|之?前|以下|[以之]?后|以上|起)/u;
const atLeast =
  /(?:满|超过|达到|(?<![a-z])(?:within|from|over|above|before|after|until|under|by|up to))\s?$/u;

/** A limit in the clause of the ground that a sentence resembles most, which the answer has nowhere. */
function cutBound(sentence: Claim, ground: Claim, answer: readonly Claim[]): string | undefined {
  if (sentence.content.tokens.size === 0) return undefined;
  const clause = ground.clauses.find(
    ({ content }) => coverage(sentence.content.tokens, content.tokens) >= 0.5,
  );
  const figure = clause?.figures.find(({ start, end }) => {
    const [before, behind] = [ground.text.slice(0, start), ground.text.slice(end, end + 4)];
    return atMost.test(behind) || atLeast.test(before.slice(-12).toLowerCase());
  });
  if (figure === undefined || answer.some((claim) => hasFigure(claim, figure))) return undefined;
  return clause?.text.trim();
}

/** The words around a figure in its ground, if most of them are neither in the answer nor in the question. */
function cutPlace(
  sentence: Claim,
  grounds: Grounds,
  told: ReadonlySet<string>,
): string | undefined {
  const asked = grounds.questions.flatMap(({ lent }) => [...lent]);
  const all = new Set([...told, ...asked]);
  const segments = grounds.claims.flatMap((claim) => claim.segments);
  for (const figure of sentence.figures) {
    const holding = segments.filter((segment) => hasFigure(segment, figure));
    const [first] = holding;
    const isTold = holding.some(({ core }) => coverage(core.tokens, all) >= 0.4);
    if (first !== undefined && !isTold) return first.text;
  }
  return undefined;
}

const you = /^\s*(?:[您你](?!的)|you(?![a-z]))/u;

/** Those whom the ground names where the sentence says "you", if nobody knows whether the asker is one of them. */
function cutSubject(
  sentence: Claim,
  grounds: Grounds,
  told: ReadonlySet<string>,
): string | undefined {
  const asked = grounds.questions.flatMap(({ lent }) => [...lent]);
  const all = new Set([...told, ...grounds.known, ...asked]);
  for (const clause of sentence.clauses.filter(({ plain }) => you.test(plain))) {
    const ground = nearestClause(clause, grounds);
    const subject = subjectOf(ground?.plain ?? "");
    if (coverage(contentOf(withoutNegations(subject)).tokens, all) < 0.5)
      return ground?.text.trim();
  }
  return undefined;
}

/** What stands before the verb of a clause. */
function subjectOf(plain: string): string {
  const verb =
    /可以?|能够?|享受?|支持|需要?|必须|(?<![a-z])(?:can|may|must|get|will|have|has|receive|pay)(?![a-z])/u;
  const at = plain.search(verb);
  return at === -1 ? "" : plain.slice(0, at);
}
