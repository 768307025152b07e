import { oncePerObject } from "../models/once-per-object.js";
import { calculationWord, figuresLeft, isYear, maxAskedFigures } from "../plan/asked-figures.js";
import { figurePlaces } from "../plan/figures.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { type ToolsByWork, toolsByWork } from "../roles/tools-by-work.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, namesIn, readCalls } from "./calls-so-far.js";
import { isKnown } from "./messages.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/** The most points that are told for a question: a model that never gets there is to end. */
const maxPoints = 6;

/**
 * The next thing to call a tool for before a question is answered, judged by the words of question, calls and results
 * alone: a name or a figure of the question that no call has, or the calculation that it asks for. Each is told once; it
 * may be wrong, since a question may say more than is needed. `turns` are the calls so far, turn by turn.
 */
export function openPoint(
  question: string,
  turns: readonly (readonly Observation[])[],
  tools: readonly ToolForm[],
): OpenPoint | undefined {
  const byWork = toolsByWork(tools);
  if (turns.length === 0) return pointsOf(question, [], byWork)[0];
  const told: string[] = [];
  let point: OpenPoint | undefined;
  for (let made = 1; made <= turns.length; made += 1) {
    point = pointLeft(question, turns.slice(0, made).flat(), byWork, told);
    if (point !== undefined) told.push(point.told);
  }
  return point;
}

/** The same after the calls of a plan and the steps for what was told before. */
export function openAfterPlan(
  question: string,
  calls: readonly Observation[],
  tools: readonly ToolForm[],
  told: readonly string[],
): OpenPoint | undefined {
  return pointLeft(question, calls, toolsByWork(tools), told);
}

function pointLeft(
  question: string,
  calls: readonly Observation[],
  tools: ToolsByWork,
  told: readonly string[],
): OpenPoint | undefined {
  if (told.length >= maxPoints) return undefined;
  return pointsOf(question, calls, tools).find((point) => !told.includes(point.told));
}

function pointsOf(
  question: string,
  calls: readonly Observation[],
  tools: ToolsByWork,
): OpenPoint[] {
  if (tools.lookUps.length === 0) return [];
  const seen = readCalls(question, calls, tools);
  return points.flatMap((pointOf) => {
    const point = pointOf(seen);
    return point === undefined || point.of.length === 0 ? [] : [point];
  });
}

/** Look-ups come before calculations: a figure that is found late makes an earlier calculation wrong. */
const points: readonly ((seen: CallsSoFar) => OpenPoint | undefined)[] = [
  unknownName,
  yearLeft,
  otherName,
  figureLeft,
  calculationAsked,
  comparisonAsked,
  wordLeft,
];

function unknownName({ names, reads, tools }: CallsSoFar): OpenPoint | undefined {
  const known = new Set(reads.filter(({ call }) => call.ok).flatMap(({ about }) => about));
  const left = names.filter((name) => !known.has(name));
  if (left.length === 0) return undefined;
  const tried = reads.filter(({ about }) => about.some((name) => left.includes(name)));
  const of = tools.lookUps.filter((name) => !tried.some(({ call }) => call.tool === name));
  return { told: `Nothing is known yet about ${quoted(left)}.`, of };
}

/** A year that no call has; of several names, none about one of them. */
function yearLeft({ question, names, reads, tools }: CallsSoFar): OpenPoint | undefined {
  const asked = figurePlaces(question).filter(({ values: [year = 0] }) => isYear(year));
  const meant = names.length < 2 ? reads : reads.filter(({ about }) => about.length > 0);
  const left = figuresLeft(
    question,
    asked,
    meant.map(({ call }) => call),
  );
  if (left.length === 0 || left.length > maxAskedFigures) return undefined;
  const about = names.length < 2 ? "" : ` about ${quoted(names)}`;
  return {
    told: `The question says ${left.join(" and ")}, and no call${about} has it yet.`,
    of: tools.dated,
  };
}

/** What was asked about one of several names is asked about the others, too, where another call has found them. */
function otherName({ reads }: CallsSoFar): OpenPoint | undefined {
  const last = reads.findLast(({ about }) => about.length > 0)?.call.tool;
  const asked = new Set(
    reads.filter(({ call }) => call.tool === last).flatMap(({ about }) => about),
  );
  const other = reads.flatMap(({ about }) => about).find((name) => !asked.has(name));
  return last === undefined || other === undefined
    ? undefined
    : { told: `${last} was not called about "${other}" yet.`, of: [last] };
}

function figureLeft({ question, all, tools }: CallsSoFar): OpenPoint | undefined {
  const { calculators, dated } = tools;
  const mayBeYear = dated.length > 0;
  const asked = figurePlaces(question).filter(
    ({ values: [figure = 0] }) => !(mayBeYear && isYear(figure)),
  );
  const left = asked.length > maxAskedFigures ? [] : figuresLeft(question, asked, all);
  if (left.length === 0) return undefined;
  const { args } = succeeded(all, calculators) ?? {};
  const missing = args === undefined ? "no call has it yet" : `${textOf(args)} does not have it`;
  const told = `The question says ${left.join(" and ")}, and ${missing}. Calculate with it.`;
  return { told, of: calculators };
}

function calculationAsked({
  question,
  all,
  tools: { calculators },
}: CallsSoFar): OpenPoint | undefined {
  const word = calculationWord(question);
  if (word === undefined || succeeded(all, calculators) !== undefined) return undefined;
  const told = `The question asks for a figure ("${word}") that is mostly calculated. Calculate it from the figures in the results.`;
  return { told, of: calculators };
}

/** A choice between several by a figure: "which is older", "who has the most". */
const choice =
  /\b(?:[Ww]hich|[Ww]ho|[Ww]hose|[Ww]here)\b.{0,300}?\b(?:[a-z]{2,20}er|more|less|[a-z]{2,20}est|most|least|first|last)\b|(?:哪|谁).{0,300}?[更最比]/su;

function comparisonAsked({
  question,
  names,
  all,
  tools: { comparisons },
}: CallsSoFar): OpenPoint | undefined {
  if (names.length < 2 || !choice.test(question)) return undefined;
  if (succeeded(all, comparisons) !== undefined) return undefined;
  const told = `The question asks which of ${quoted(names)} it is. Compare the figures in the results that it asks about.`;
  return { told, of: comparisons };
}

/** Words of questions that a result need not have. */
const general: ReadonlySet<string> = new Set(
  (
    "year years many much number name lies between among during since until within without every each both same " +
    "exactly together else whole"
  ).split(" "),
);

/** The most names that are told, and the longest: what a result says is not to speak for the user. */
const maxNames = 4;
const maxNameChars = 40;

/** A result that says what was asked for, and not a passage that has all kinds of words. */
const maxFactChars = 500;

/** A word of the question that no result has, where the results name something else: the next link of a chain. */
function wordLeft({ question, all, reads, tools }: CallsSoFar): OpenPoint | undefined {
  if (calculationWord(question) !== undefined) return undefined;
  if (succeeded(all, [...tools.calculating]) !== undefined) return undefined;
  if (reads.some(({ call: { content } }) => content.length > maxFactChars)) return undefined;
  if (isCounted(question, reads.at(-1)?.call)) return undefined;
  const known = new Set(reads.flatMap(({ call }) => [...wordsOf(call)]));
  const words = question.match(/(?<![\p{L}\p{N}])\p{Ll}{4,}(?!\p{L})/gu) ?? [];
  const left = [...new Set(words)].filter(
    (word) => !general.has(word) && [...contentWords(word)].some((each) => !known.has(each)),
  );
  const next = untriedNames({ question, reads, tools });
  if (left.length === 0 || next.length === 0) return undefined;
  const others = quoted(next.map(({ name }) => name));
  const told = `No result says anything of ${quoted(left)} yet. Look up what the results name: ${others}.`;
  return { told, of: [...new Set(next.flatMap(({ of }) => of))] };
}

/** The names in trusted results of which no call has told anything yet, with the tools that may. */
function untriedNames({
  question,
  reads,
  tools,
}: Pick<CallsSoFar, "question" | "reads" | "tools">) {
  const calls = reads.map(({ call }) => call);
  const found = calls.flatMap((call) => (call.ok && isKnown(call) ? namesIn(call.content) : []));
  return [...new Set(found)]
    .filter((name) => name.length <= maxNameChars && !question.includes(name))
    .map((name) => {
      const tried = calls.filter(({ args }) => textOf(args).includes(name));
      const isTold = tried.some(({ ok }) => ok);
      const left = tools.named.filter((tool) => !tried.some((call) => call.tool === tool));
      return { name, of: isTold ? [] : left };
    })
    .filter(({ of }) => of.length > 0)
    .slice(0, maxNames);
}

/** Whether the last result has what is counted: "how many people". */
function isCounted(question: string, last: Observation | undefined): boolean {
  const [, counted] = /\b[Hh]ow (?:many|much) (\p{Ll}{3,})/u.exec(question) ?? [];
  if (counted === undefined || last?.ok !== true) return false;
  const found = contentWords(last.content);
  return [...contentWords(counted)].every((word) => found.has(word));
}

/** The words of a look-up and, where it found something, of its result. */
const wordsOf = oncePerObject(({ args, ok, content }: Observation) =>
  contentWords(`${textOf(args)}\n${ok ? content : ""}`),
);

/** The first call of such a tool that succeeded. */
function succeeded(calls: readonly Observation[], of: readonly string[]): Observation | undefined {
  return calls.find(({ ok, tool }) => ok && of.includes(tool));
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" and ");
}
