import { isRecord } from "../json/json.js";
import { calculationWord, figuresLeft, maxAskedFigures } from "../plan/asked-figures.js";
import { figurePlaces } from "../plan/figures.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { isCalculator } from "../roles/example-plans.js";
import { calculatingTools } from "../roles/plan-reading.js";
import type { Observation } from "../state/observation.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { textOf } from "./plan/result-labels.js";

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
  if (turns.length === 0) return pointsOf(question, [], tools)[0];
  const told = new Set<string>();
  let point: OpenPoint | undefined;
  for (let made = 1; made <= turns.length; made += 1) {
    const points = pointsOf(question, turns.slice(0, made).flat(), tools);
    point = points.find((each) => !told.has(each.told));
    if (point !== undefined) told.add(point.told);
  }
  return told.size > maxPoints ? undefined : point;
}

function pointsOf(
  question: string,
  calls: readonly Observation[],
  tools: readonly ToolForm[],
): OpenPoint[] {
  const seen = readCalls(question, calls, tools);
  if (seen.lookUps.length === 0) return [];
  return points.flatMap((pointOf) => {
    const { told, of } = pointOf(seen) ?? { told: "", of: [] };
    return of.length === 0 ? [] : [{ told, of: new Set(of) }];
  });
}

/** The calls for a question, as its names and figures are in them. */
type Calls = {
  readonly question: string;
  /** The names in the question. */
  readonly names: readonly string[];
  readonly all: readonly Observation[];
  /** The calls that found something out, and the names of the question that they are about. */
  readonly reads: readonly (Observation & { readonly about: readonly string[] })[];
  /** The names of the tools by what they do. */
  readonly lookUps: readonly string[];
  /** The look-ups that take a number, such as a year. */
  readonly withNumber: readonly string[];
  readonly calculators: readonly string[];
};

function readCalls(
  question: string,
  all: readonly Observation[],
  tools: readonly ToolForm[],
): Calls {
  const names = namesIn(question);
  const calculators = tools.filter(isCalculator).map(({ name }) => name);
  const calculating = calculatingTools(tools);
  const lookUps = tools.filter(({ name }) => !calculating.has(name));
  const isRead = ({ tool }: Observation) => lookUps.some(({ name }) => name === tool);
  return {
    question,
    names,
    all,
    reads: all.filter(isRead).map((call) => ({ ...call, about: namesOf(call, names) })),
    lookUps: lookUps.map(({ name }) => name),
    withNumber: lookUps.filter(takesNumber).map(({ name }) => name),
    calculators,
  };
}

/** Words with a capital in a row, but not at the beginning of a sentence. */
const capitals =
  /(?<=[^\s.:!?"{]["'“‘]?\s["'“‘]?)\p{Lu}[\p{L}\p{N}’'-]+(?:\s\p{Lu}[\p{L}\p{N}’'-]+)*/gu;

/** The names in a question, told by their capitals. */
function namesIn(question: string): string[] {
  return [...new Set(question.slice(0, maxQuestion).match(capitals) ?? [])];
}

/** A longer question holds a text; its names are not all asked about. */
const maxQuestion = 500;

/** The names that a call is about: of several only those that its result has, since a tool may take but one. */
function namesOf({ args, content }: Observation, names: readonly string[]): readonly string[] {
  const about = namesWithin(textOf(args), names);
  return about.length < 2 ? about : namesWithin(content, about);
}

function namesWithin(text: string, names: readonly string[]): readonly string[] {
  const plain = text.toLowerCase();
  return names.filter((name) => plain.includes(name.toLowerCase()));
}

function takesNumber({ parameters }: ToolForm): boolean {
  return isRecord(parameters) && Object.values(propertiesOf(parameters)).some(isNumeric);
}

function isNumeric(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, const: value, enum: values = [], anyOf = [] } = schema;
  const given = [value, ...(Array.isArray(values) ? values : [])];
  if (type === "number" || type === "integer") return true;
  if (given.some((each) => typeof each === "number")) return true;
  return Array.isArray(anyOf) && anyOf.some(isNumeric);
}

type Point = { readonly told: string; readonly of: readonly string[] };

/** Look-ups come before calculations: a figure that is found late makes an earlier calculation wrong. */
const points: readonly ((seen: Calls) => Point | undefined)[] = [
  unknownName,
  yearLeft,
  otherName,
  figureLeft,
  calculationAsked,
];

function unknownName({ names, reads, lookUps }: Calls): Point | undefined {
  const known = new Set(reads.filter(({ ok }) => ok).flatMap(({ about }) => about));
  const left = names.filter((name) => !known.has(name));
  if (left.length === 0) return undefined;
  const tried = reads.filter(({ about }) => about.some((name) => left.includes(name)));
  const of = lookUps.filter((name) => !tried.some(({ tool }) => tool === name));
  return { told: `Nothing is known yet about ${quoted(left)}.`, of };
}

/** A year that no call has; of several names, none about one of them. */
function yearLeft({ question, names, reads, withNumber }: Calls): Point | undefined {
  const asked = figurePlaces(question).filter(({ values: [year = 0] }) => isYear(year));
  const dated = names.length < 2 ? reads : reads.filter(({ about }) => about.length > 0);
  const left = figuresLeft(question, asked, dated);
  if (left.length === 0 || left.length > maxAskedFigures) return undefined;
  const about = names.length < 2 ? "" : ` about ${quoted(names)}`;
  return {
    told: `The question says ${left.join(" and ")}, and no call${about} has it yet.`,
    of: withNumber,
  };
}

function isYear(figure: number): boolean {
  return Number.isInteger(figure) && figure >= 1000 && figure <= 2100;
}

/** What was asked about one of several names is asked about the others, too, where another call has found them. */
function otherName({ reads }: Calls): Point | undefined {
  const last = reads.findLast(({ about }) => about.length > 0)?.tool;
  const asked = new Set(reads.filter(({ tool }) => tool === last).flatMap(({ about }) => about));
  const other = reads.flatMap(({ about }) => about).find((name) => !asked.has(name));
  return last === undefined || other === undefined
    ? undefined
    : { told: `${last} was not called about "${other}" yet.`, of: [last] };
}

function figureLeft({ question, all, withNumber, calculators }: Calls): Point | undefined {
  const mayBeYear = withNumber.length > 0;
  const asked = figurePlaces(question).filter(
    ({ values: [figure = 0] }) => !(mayBeYear && isYear(figure)),
  );
  const left = asked.length > maxAskedFigures ? [] : figuresLeft(question, asked, all);
  if (left.length === 0) return undefined;
  const told = `The question says ${left.join(" and ")}, and no call has it yet. Calculate with it.`;
  return { told, of: calculators };
}

function calculationAsked({ question, all, calculators }: Calls): Point | undefined {
  const word = calculationWord(question);
  const isDone = all.some(({ ok, tool }) => ok && calculators.includes(tool));
  if (word === undefined || isDone) return undefined;
  const told = `The question asks for a figure ("${word}") that is mostly calculated. Calculate it from the figures in the results.`;
  return { told, of: calculators };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" and ");
}
