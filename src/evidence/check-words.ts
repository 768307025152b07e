import type { Claim, Clause } from "./claim.js";
import { coverage, shared, strangeWords } from "./content.js";
import { type Grounds, nearestClaim, nearestClause } from "./grounds.js";
import { isUnspaced } from "./words.js";

/** The part of a sentence's content that one ground must have. */
const leastCoverage = 0.5;

/** The same for a long part of a sentence that has its ground as a whole: it may say the question again. */
const leastOfClause = 0.35;
const longClause = 4;

/** A part that only names the case of the question, such as "if you have paid already". */
const namesCase =
  /^\s*(?:如果|若|当|关于|对于|至于|(?:if|when|as for|for|regarding)(?![a-z]))|(?:后|时|的话|方面)\s*$/u;

/**
 * Why a sentence claims what no quote says; undefined if each of its words has a ground. The words of a frame, such as
 * a heading, may come from several.
 */
export function inventedWords(
  sentence: Claim,
  grounds: Grounds,
  isFrame: boolean,
): string | undefined {
  if (grounds.claims.length === 0) return "there is no quote";
  if (!sharesScript(sentence, grounds)) {
    // What is known of the user in another language says nothing that words could be compared with.
    return grounds.areQuoted ? inventedNames(sentence, grounds) : "there is no quote";
  }
  const [strange] = strangeWords(sentence.content, grounds.lent);
  if (strange !== undefined) return `"${strange}" stands in no quote`;
  return isFrame
    ? undefined
    : (unsupported(sentence, grounds) ?? anotherSubject(sentence, grounds));
}

function sharesScript({ content }: Claim, { claims }: Grounds): boolean {
  const isHan = content.runs.length > 0;
  return claims.some((claim) => claim.content.runs.length > 0 === isHan);
}

/** In another language than the quotes only names can be compared. */
function inventedNames({ text }: Claim, { lent }: Grounds): string | undefined {
  const names = text.match(/(?<![\p{L}\p{N}])\p{Lu}[\p{Script=Latin}\p{N}]{1,40}/gu) ?? [];
  const isInSentence = (name: string) => isUnspaced(text) || !text.trimStart().startsWith(name);
  const strange = names.find((name) => isInSentence(name) && !lent.has(name.toLowerCase()));
  return strange === undefined ? undefined : `"${strange}" stands in no quote`;
}

/** Each part must have its content from one ground, beside what is known: not from several, mixed. */
function unsupported(sentence: Claim, grounds: Grounds): string | undefined {
  const lent = isList(sentence) ? [grounds.said] : grounds.claims.map((claim) => claim.lent);
  const share = (tokens: ReadonlySet<string>) => {
    const own = new Set([...tokens].filter((token) => !grounds.known.has(token)));
    return Math.max(0, ...lent.map((one) => coverage(own, one)));
  };
  const isSaid = share(sentence.content.tokens) >= leastCoverage;
  const clause = sentence.clauses.find(({ plain, content: { tokens } }) =>
    isSaid
      ? share(tokens) < leastOfClause &&
        shared(tokens, tokens) >= longClause &&
        !namesCase.test(plain)
      : share(tokens) < leastCoverage,
  );
  return clause === undefined ? undefined : `no quote says "${clause.text.trim()}"`;
}

/** A part that puts a word of the question, or of another quote, in the place of the quote's own. */
function anotherSubject(sentence: Claim, grounds: Grounds): string | undefined {
  return sentence.clauses
    .map((clause) => replaced(clause, sentence, grounds))
    .find((problem) => problem !== undefined);
}

function replaced(clause: Clause, sentence: Claim, grounds: Grounds): string | undefined {
  const ground = nearestClaim(clause, grounds);
  if (ground === undefined) return undefined;
  const known = new Set([...ground.lent, ...grounds.known]);
  const [other] = strangeWords(clause.content, known, 1);
  if (other === undefined || !isName(other, clause)) return undefined;
  const isQuoted = strangeWords(clause.content, grounds.said, 1).length === 0;
  if (isQuoted && isList(sentence)) return undefined;
  const [left] = strangeWords(
    isQuoted ? ground.content : (nearestClause(clause, { claims: [ground] }) ?? ground).content,
    sentence.lent,
    1,
  );
  return left === undefined ? undefined : `it says "${other}" where the quote says "${left}"`;
}

/** A single strange sign, as in 芒果 beside 苹果, counts only in what a part is about. */
function isName(word: string, { content }: Clause): boolean {
  return word.length > 1 || content.runs[0]?.startsWith(word) === true;
}

function isList({ plain }: Claim): boolean {
  return /[、和与及]|(?<![a-z])(?:and|or)(?![a-z])/u.test(plain);
}
