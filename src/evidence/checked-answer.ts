import { inventedWords } from "./check-words.js";
import { wrongFigure } from "./check-figures.js";
import { contradiction } from "./check-polarity.js";
import { cutCondition, generalisation, restriction } from "./check-scope.js";
import { type Claim, claimOf } from "./claim.js";
import { shared } from "./content.js";
import { isCourtesy, saysAbsence } from "./courtesy.js";
import { type Grounds, groundsOf } from "./grounds.js";
import { removeUnits } from "./remove-units.js";
import { placedUnits, type Unit } from "./units.js";

/** A sentence that may not go out. */
type DroppedSentence = {
  readonly sentence: string;
  /** One English sentence for the model that wrote it. */
  readonly why: string;
};

/** What of an answer may go out. */
export type CheckedAnswer = {
  /** The answer without the sentences that have no ground; empty if no claim is left. */
  readonly kept: string;
  readonly dropped: readonly DroppedSentence[];
};

/** On what an answer may rest: quotes that hold, and texts that are known, such as the question and results of tools. */
export type AnswerGrounds = {
  readonly quotes: readonly string[];
  readonly known: readonly string[];
  /** Questions: they lend words and figures, and state nothing. Those in `known` are found by their words. */
  readonly asked?: readonly string[];
};

type Sentence = {
  readonly unit: Unit;
  readonly claim: Claim;
  readonly kind: "claim" | "frame" | "courtesy" | "bare";
  /** The sentence before a list, of which this is an item. */
  readonly opening: Claim | undefined;
};

/**
 * What of an answer may go out, sentence by sentence. A sentence stays if its figures, its negations, its conditions
 * and its words have a ground. Rather a true sentence is dropped than a false one kept.
 */
export function checkedAnswer(answer: string, grounds: AnswerGrounds): CheckedAnswer {
  const read = groundsOf(grounds);
  const sentences = sentencesOf(answer);
  const why = new Map<Sentence, string>();
  sentences.forEach((sentence, at) => {
    const problem = problemOf(sentence, sentences[at - 1], read);
    if (problem !== undefined) why.set(sentence, problem);
  });
  dropCutConditions(sentences, read, why);
  dropBareAnswers(sentences, why);
  const isAnswered = sentences.some((one) => one.kind === "claim" && !why.has(one));
  const dropped = sentences.flatMap((sentence) => {
    const problem = why.get(sentence);
    const { text } = sentence.unit;
    return problem === undefined
      ? []
      : [{ sentence: text, why: `Leave out or correct "${text}": ${problem}.` }];
  });
  const units = sentences.filter((sentence) => why.has(sentence)).map(({ unit }) => unit);
  return { kept: isAnswered ? removeUnits(answer, units) : "", dropped };
}

function sentencesOf(answer: string): readonly Sentence[] {
  let opening: Claim | undefined;
  return placedUnits(answer, { joinsFields: false }).map((unit) => {
    const claim = claimOf(unit.text, unit.kind);
    const kind = kindOf(unit, claim);
    if (unit.mark !== "item") opening = opensList.test(unit.text) ? claim : undefined;
    return { unit, claim, kind, opening: unit.mark === "item" ? opening : undefined };
  });
}

const opensList = /[:：]\s{0,4}[*_]{0,3}$/;

/** Frames do not answer by themselves, but may say something: headings, and what opens a list. */
function kindOf(unit: Unit, claim: Claim): Sentence["kind"] {
  if (isPolite(unit, claim)) return "courtesy";
  if (unit.mark === "heading" || isBold(unit.text) || opensList.test(unit.text)) return "frame";
  return claim.figures.length === 0 && claim.content.tokens.size === 0 ? "bare" : "claim";
}

/** Whether a unit claims nothing: courtesy, a question, the header of a table. */
function isPolite({ kind, text }: Unit, { plain, figures }: Claim): boolean {
  if (kind === "header" || /[?？]\s{0,4}[*_]{0,3}$/.test(text)) return true;
  return figures.length === 0 && (isCourtesy(plain) || saysAbsence(plain));
}

/** A short line in bold. */
function isBold(text: string): boolean {
  return /^\*\*[^*。.!！]{1,30}\*\*$/.test(text.trim());
}

function problemOf(
  sentence: Sentence,
  before: Sentence | undefined,
  grounds: Grounds,
): string | undefined {
  const { claim, kind } = sentence;
  if (kind === "courtesy" || kind === "bare") return undefined;
  const context = before?.claim.content.tokens ?? new Set<string>();
  return (
    (kind === "frame" ? undefined : wrongFigure(claim, grounds, context)) ??
    polarityProblem(sentence, grounds) ??
    generalisation(claim, grounds) ??
    restriction(claim, grounds) ??
    inventedWords(claim, grounds, kind === "frame")
  );
}

/** An item says what it says together with the sentence that opens its list. */
function polarityProblem(
  { unit, claim, kind, opening }: Sentence,
  grounds: Grounds,
): string | undefined {
  if (opening !== undefined && opening.content.tokens.size + opening.clauses.length > 1) {
    const joined = `${opening.text.replace(opensList, "")} ${unit.text}`;
    return contradiction(claimOf(joined, "sentence"), grounds);
  }
  const isAnnounced = /(?:如下|以下|following|here (?:is|are))[^\n]{0,60}[:：]\s{0,4}[*_]{0,3}$/i;
  // A word or two name what follows.
  const isTitle = kind === "frame" && shared(claim.content.tokens, claim.content.tokens) <= 2;
  return isTitle || isAnnounced.test(unit.text) ? undefined : contradiction(claim, grounds);
}

/** A condition may stand in another sentence, which must stay itself. */
function dropCutConditions(
  sentences: readonly Sentence[],
  grounds: Grounds,
  why: Map<Sentence, string>,
): void {
  for (let size = -1; size !== why.size;) {
    size = why.size;
    const kept = sentences.filter((sentence) => !why.has(sentence));
    const claims = kept.map(({ claim }) => claim);
    for (const sentence of kept.filter(({ kind }) => kind === "claim")) {
      const problem = cutCondition(sentence.claim, grounds, claims);
      if (problem !== undefined) why.set(sentence, problem);
    }
  }
}

/** "Yes." or "You can apply." stays before a sentence that stays and says so. */
function dropBareAnswers(sentences: readonly Sentence[], why: Map<Sentence, string>): void {
  sentences.forEach((sentence, at) => {
    if (sentence.kind !== "bare") return;
    const next = sentences[at + 1];
    const isBacked = next?.kind === "claim" && !why.has(next);
    const isNegated = (next?.claim.clauses[0]?.negations ?? 0) > 0;
    const denies = sentence.claim.clauses.some(({ negations }) => negations > 0);
    if (!isBacked || isNegated !== denies) why.set(sentence, "no quote says so");
  });
}
