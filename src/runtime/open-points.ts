import { oncePerObject } from "../models/once-per-object.js";
import { calculationWord, figuresLeft, isYear, maxAskedFigures } from "../plan/asked-figures.js";
import { figurePlaces } from "../plan/figures.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { type ToolsByWork, toolsByWork } from "../roles/tools-by-work.js";
import type { Observation } from "../state/observation.js";
import { type CallsSoFar, namesIn, readCalls } from "./calls-so-far.js";
import { isKnown } from "./messages.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/** What the calls for a question leave open. */
export type OpenPoint = {
  /** In words for the model. */
  readonly told: string;
  /** The tools that may settle it. */
  readonly of: ReadonlySet<string>;
};

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
  const told = new Set<string>();
  let point: OpenPoint | undefined;
  for (let made = 1; made <= turns.length; made += 1) {
    const points = pointsOf(question, turns.slice(0, made).flat(), byWork);
    point = points.find((each) => !told.has(each.told));
    if (point !== undefined) told.add(point.told);
  }
  return told.size > maxPoints ? undefined : point;
}

function pointsOf(
  question: string,
  calls: readonly Observation[],
  tools: ToolsByWork,
): OpenPoint[] {
  if (tools.lookUps.length === 0) return [];
  const seen = readCalls(question, calls, tools);
  return points.flatMap((pointOf) => {
    const { told, of } = pointOf(seen) ?? { told: "", of: [] };
    return of.length === 0 ? [] : [{ told, of: new Set(of) }];
  });
}

type Point = { readonly told: string; readonly of: readonly string[] };

/** Look-ups come before calculations: a figure that is found late makes an earlier calculation wrong. */
const points: readonly ((seen: CallsSoFar) => Point | undefined)[] = [
  unknownName,
  yearLeft,
  otherName,
  figureLeft,
  calculationAsked,
  comparisonAsked,
  wordLeft,
];

function unknownName({ names, reads, tools }: CallsSoFar): Point | undefined {
  const known = new Set(reads.filter(({ call }) => call.ok).flatMap(({ about }) => about));
  const left = names.filter((name) => !known.has(name));
  if (left.length === 0) return undefined;
  const tried = reads.filter(({ about }) => about.some((name) => left.includes(name)));
  const of = tools.lookUps.filter((name) => !tried.some(({ call }) => call.tool === name));
  return { told: `Nothing is known yet about ${quoted(left)}.`, of };
}

/** A year that no call has; of several names, none about one of them. */
function yearLeft({ question, names, reads, tools }: CallsSoFar): Point | undefined {
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
function otherName({ reads }: CallsSoFar): Point | undefined {
  const last = reads.findLast(({ about }) => about.length > 0)?.call.tool;
  const asked = new Set(
    reads.filter(({ call }) => call.tool === last).flatMap(({ about }) => about),
  );
  const other = reads.flatMap(({ about }) => about).find((name) => !asked.has(name));
  return last === undefined || other === undefined
    ? undefined
    : { told: `${last} was not called about "${other}" yet.`, of: [last] };
}

function figureLeft({ question, all, tools }: CallsSoFar): Point | undefined {
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
}: CallsSoFar): Point | undefined {
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
}: CallsSoFar): Point | undefined {
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

/** A word of the question that no result has, where the results name something else: the next link of a chain. */
function wordLeft({ question, all, reads, tools }: CallsSoFar): Point | undefined {
  if (succeeded(all, [...tools.calculating]) !== undefined) return undefined;
  if (calculationWord(question) !== undefined) return undefined;
  const known = new Set(reads.flatMap(({ call }) => [...wordsOf(call)]));
  const words = question.match(/(?<![\p{L}\p{N}])\p{Ll}{4,}(?!\p{L})/gu) ?? [];
  const left = [...new Set(words)].filter(
    (word) => !general.has(word) && [...contentWords(word)].some((each) => !known.has(each)),
  );
  const said = [question, ...reads.map(({ call }) => textOf(call.args))].join("\n");
  const names = reads
    .flatMap(({ call }) => (call.ok && isKnown(call) ? namesIn(call.content) : []))
    .filter((name) => name.length <= maxNameChars && !said.includes(name));
  if (left.length === 0 || names.length === 0) return undefined;
  const others = quoted([...new Set(names)].slice(0, maxNames));
  const told = `No result says anything of ${quoted(left)} yet. Look up what the results name: ${others}.`;
  return { told, of: tools.named };
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
