import { defined } from "../json/json.js";
import { calculationWord, figuresLeft, isYear, maxAskedFigures } from "../plan/asked-figures.js";
import { figurePlaces } from "../plan/figures.js";
import type { ToolStep } from "../plan/step.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { toolsByWork } from "../roles/tools-by-work.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { askedAlike } from "./asked-alike.js";
import { askedInVain } from "./asked-in-vain.js";
import { askedLink } from "./asked-link.js";
import {
  asSaid,
  type CallsSoFar,
  fillable,
  isAbout,
  namesWithin,
  numberIn,
  quoted,
  readCalls,
  tellsFact,
} from "./calls-so-far.js";
import {
  calculatedBetween,
  calculatedMore,
  calculatedOther,
  dividedBySome,
  figuresToSum,
} from "./calculated-figures.js";
import { chainEnds } from "./chain-ends.js";
import { choice, chosenBy } from "./choice.js";
import { comparedOther } from "./compared-figures.js";
import { namesUncompared } from "./compared-names.js";
import { comparedUndivided } from "./compared-ratios.js";
import { onlyFigure } from "./counted-figures.js";
import { isCalculating, nextLink } from "./next-link.js";
import { otherLink } from "./other-link.js";
import { contentWords } from "./plan/result-labels.js";
import { unmultipliedCount } from "./unmultiplied-count.js";
import { figuresSaid, unsaidFigures } from "./unsaid-figures.js";
import { untoldThing } from "./untold-thing.js";
import { divisionAsked, meanUnasked, scaleUnasked } from "./wrong-calculation.js";

/**
 * The most points that are told: a model that never gets there is to end. An agent makes one call for each, and a question about
 * six things needs ten of them; a plan gets several steps for each, and a task of a plan asks for little.
 */
const maxPoints = { question: 15, task: 6, plan: 6 };

/** How often the same words are told to be left: the first look-up may have been of the wrong name. */
const maxSame = 3;

/** What is asked, and the calls for it so far. */
export type Asked = {
  readonly question: string;
  /** The calls turn by turn. */
  readonly turns: readonly (readonly Observation[])[];
  /** Whether it is a task that names all that it is about; default false: a question may say "the head of the firm". */
  readonly namesAll?: boolean;
  /** The calls that were made before the first turn; default none. */
  readonly before?: readonly Observation[];
  /** What else the model was given, such as its instructions: figures may come from there. */
  readonly said?: readonly string[];
};

/**
 * The next thing to call a tool for before a question is answered, judged by the words of question, calls and results
 * alone: a name or a figure of the question that no call has, or the calculation that it asks for. Each is told once, and
 * once more where its call failed; it may be wrong, since a question may say more than is needed.
 */
export function openPoint(asked: Asked, tools: readonly ToolForm[]): OpenPoint | undefined {
  const { turns, namesAll = false, before = [] } = asked;
  const read = callsReader(asked, tools);
  if (turns.length === 0) return pointLeft(read(before), []) ?? firstLookUp(read(before));
  const most = namesAll ? maxPoints.task : maxPoints.question;
  const told: string[] = [];
  let point: OpenPoint | undefined;
  for (let made = 1; made <= turns.length; made += 1) {
    if (told.length >= most) return undefined;
    const isVain = turns[made - 1]?.every(({ ok }) => !ok) === true;
    point = pointLeft(read([...before, ...turns.slice(0, made).flat()]), told, isVain);
    if (point !== undefined) told.push(point.told);
  }
  return point;
}

/** Reads calls as those for what is asked. */
function callsReader({ question, namesAll, said }: Asked, tools: readonly ToolForm[]) {
  const byWork = toolsByWork(tools);
  const figures = said && figuresSaid([question, ...said]);
  return (calls: readonly Observation[]): CallsSoFar => ({
    ...readCalls(question, calls, byWork, namesAll),
    said: figures,
  });
}

/**
 * Whether the calls for a question tell what it asks: it is about one name that a result has, in one year at most, and leaves
 * nothing open. A question about several names or years may want a calculation that its words do not tell.
 */
export function isTold(
  { question, turns, namesAll = false, before = [] }: Asked,
  tools: readonly ToolForm[],
): boolean {
  const made = [...before, ...turns.flat()];
  const seen = readCalls(question, made, toolsByWork(tools), namesAll);
  const years = figurePlaces(question).filter(({ values: [year = 0] }) => isYear(year));
  const [, ...otherNames] = seen.names;
  const [, ...otherYears] = years;
  return (
    otherNames.length === 0 &&
    otherYears.length === 0 &&
    seen.reads.some(({ call, about }) => tells(call, about)) &&
    pointLeft(seen, []) === undefined
  );
}

/**
 * Whether a result is a fact about one of these names: asked about "the Sebb lamp by Vane", a tool may tell of Vane alone, and a
 * passage that has the name may say nothing of what is asked.
 */
function tells(call: Observation, names: readonly string[]): boolean {
  return tellsFact(call) && namesWithin(call.content, names).length > 0;
}

/** Where neither the question nor a result has a figure, there is nothing to calculate with yet. */
function firstLookUp({ question, all, tools }: CallsSoFar): OpenPoint | undefined {
  const { lookUps: of } = tools;
  if (all.length > 0 || of.length === 0 || figurePlaces(question).length > 0) return undefined;
  return { told: "Nothing was looked up yet.", of };
}

/** The same after the calls of a plan and the steps for what was told before. */
export function openAfterPlan(
  { question, steps, calls }: PlanAsked,
  tools: readonly ToolForm[],
  told: readonly string[],
): OpenPoint | undefined {
  if (told.length >= maxPoints.plan) return undefined;
  const byWork = toolsByWork(tools);
  const planned = new Map(steps.map(({ id, args }) => [id, args]));
  // The figures that a calculation takes from results are not those of the question, though they may be equal.
  const written = calls.map((call) => {
    const args = byWork.calculating.has(call.tool) ? planned.get(call.callId) : undefined;
    return { ...call, ...defined({ args }) };
  });
  return pointLeft(readCalls(question, written, byWork), told);
}

/** A question with the steps of the plan for it, and their calls. */
type PlanAsked = {
  readonly question: string;
  readonly steps: readonly Pick<ToolStep, "id" | "args">[];
  readonly calls: readonly Observation[];
};

/** The first point that was not told yet; else, where no call of the last turn succeeded, the first that was told once. */
function pointLeft(
  seen: CallsSoFar,
  told: readonly string[],
  isVain = false,
): OpenPoint | undefined {
  if (seen.tools.lookUps.length === 0) return undefined;
  return firstPoint(seen, told, 0) ?? (isVain ? firstPoint(seen, told, 1) : undefined);
}

/** The first point that was told at most so many times. */
function firstPoint(
  seen: CallsSoFar,
  told: readonly string[],
  times: number,
): OpenPoint | undefined {
  // One after the other: a later point is only worked out where no earlier one is told.
  for (const pointOf of points) {
    const point = pointOf(seen);
    if (point !== undefined && point.of.length > 0 && mayTell(point, told, times)) return point;
  }
  return undefined;
}

function mayTell({ told: words, key }: OpenPoint, told: readonly string[], times: number) {
  if (told.filter((one) => one === words).length > times) return false;
  return key === undefined || told.filter((one) => one.startsWith(key)).length < maxSame;
}

/** Look-ups come before calculations: a figure that is found late makes an earlier calculation wrong. */
const points: readonly ((seen: CallsSoFar) => OpenPoint | undefined)[] = [
  unknownName,
  askedLink,
  otherLink,
  yearLeft,
  otherName,
  otherEnd,
  askedInVain,
  untoldBefore,
  foundSince,
  unsaidFigures,
  unmultipliedCount,
  figureLeft,
  calculationAsked,
  calculatedOther,
  calculatedMore,
  dividedBySome,
  comparisonAsked,
  namesUncompared,
  comparedOther,
  comparedUndivided,
  nextLink,
  untoldThing,
  divisionAsked,
  calculatedBetween,
  scaleUnasked,
  meanUnasked,
];

/** What is found after a calculation, that lacks: so what it is of is looked up before it is made again. */
function untoldBefore(seen: CallsSoFar): OpenPoint | undefined {
  return isCalculating(seen) ? untoldThing(seen) : undefined;
}

function unknownName(seen: CallsSoFar): OpenPoint | undefined {
  const { names, reads, tools } = seen;
  const known = new Set(reads.filter(({ call }) => call.ok).flatMap(({ about }) => about));
  const left = names.filter((name) => !known.has(name));
  if (left.length === 0) return undefined;
  const tried = reads.filter(({ about }) => about.some((name) => left.includes(name)));
  const of = tools.lookUps.filter((name) => !tried.some(({ call }) => call.tool === name));
  const said = quoted(left.map((name) => asSaid(name, seen)));
  return { told: `Nothing is known yet about ${said}.`, of: fillable(of, seen) };
}

/** A year that no call has; where all is named that is asked about, none about one of the names. */
function yearLeft({ question, names, isNamed, reads, tools }: CallsSoFar): OpenPoint | undefined {
  const asked = figurePlaces(question).filter(({ values: [year = 0] }) => isYear(year));
  const meant = isNamed ? reads.filter(({ about }) => about.length > 0) : reads;
  const left = figuresLeft(
    question,
    asked,
    meant.map(({ call }) => call),
  );
  if (left.length === 0 || left.length > maxAskedFigures) return undefined;
  const about = isNamed ? ` about ${quoted(names)}` : "";
  return {
    told: `The question says ${left.join(" and ")}, and no call${about} has it yet.`,
    of: tools.dated,
  };
}

function otherName({ question, reads }: CallsSoFar): OpenPoint | undefined {
  return askedAlike(question, reads);
}

/** The ends of a chain are names of the question, too, though it does not say them. */
function otherEnd(seen: CallsSoFar): OpenPoint | undefined {
  const ends = chainEnds(seen);
  const reads = seen.reads.map(({ call }) => ({
    call,
    about: ends.filter((name) => isAbout(call, name)),
  }));
  return askedAlike(seen.question, reads);
}

function figureLeft({ question, all, tools }: CallsSoFar): OpenPoint | undefined {
  const { calculators, dated } = tools;
  const mayBeYear = dated.length > 0;
  const asked = figurePlaces(question).filter(
    ({ values: [figure = 0] }) => !(mayBeYear && isYear(figure)),
  );
  const left = asked.length > maxAskedFigures ? [] : figuresLeft(question, asked, all);
  if (left.length === 0) return undefined;
  const made = all.findLast(({ ok, tool }) => ok && calculators.includes(tool));
  // The calculation itself is not quoted: a small model would write it once more.
  const missing = made === undefined ? "no call has it yet" : "no calculation so far has it";
  const result = left.length === 1 ? numberIn(made) : undefined;
  const and = result === undefined ? "" : ` and with ${result}, the result so far`;
  const key = `The question says ${left.join(" and ")}, and ${missing}.`;
  return { key, told: `${key} Calculate with it${and}.`, of: calculators };
}

function calculationAsked(seen: CallsSoFar): OpenPoint | undefined {
  const { calculators } = seen.tools;
  const word = calculationWord(seen.question);
  if (word === undefined || isCalculated(seen, calculators)) return undefined;
  const asked = `The question asks for a figure ("${word}") that is mostly calculated.`;
  const figures = isPlan(seen) ? undefined : figuresToSum(seen);
  if (figures !== undefined) {
    return { told: `${asked} Calculate it with ${figures}.`, of: calculators };
  }
  const ends = endsFound(seen, seen.all);
  return ends.length === 0 || ends.length > maxEnds
    ? { told: `${asked} Calculate it from the figures in the results.`, of: calculators }
    : { told: `${asked} Calculate it with ${named(ends)}.`, of: calculators, takes: idsOf(ends) };
}

/** What was found at the ends of a chain after something was calculated, which lacks it. */
function foundSince(seen: CallsSoFar): OpenPoint | undefined {
  const { question, all, tools } = seen;
  const made = all.findLastIndex(({ ok, tool }) => ok && tools.calculating.has(tool));
  const since = made < 0 ? [] : endsFound(seen, all.slice(made + 1));
  if (since.length === 0 || since.length > maxEnds) return undefined;
  const isChoice = choice.test(question);
  const what = (isChoice && !isPlan(seen) ? figuresAt(since, seen) : undefined) ?? named(since);
  const told = `${what} came after the last calculation, which used other figures in place of that. ${isChoice ? "Compare" : "Calculate again, with"} ${what}.`;
  return { told, of: isChoice ? tools.comparisons : tools.calculators, takes: idsOf(since) };
}

/** The end of a chain, and the id of the last look-up about it. */
type FoundEnd = { readonly name: string; readonly id: string };

/** What these calls have found at the ends of a chain. */
function endsFound(seen: CallsSoFar, calls: readonly Observation[]): readonly FoundEnd[] {
  const found = calls.filter(({ ok, tool }) => ok && seen.tools.lookUps.includes(tool));
  return chainEnds(seen).flatMap((name) => {
    const id = found.findLast((call) => isAbout(call, name))?.callId;
    return id === undefined ? [] : [{ name, id }];
  });
}

/** These, as a calculation may refer to them. */
function named(ends: readonly FoundEnd[]): string {
  return ends
    .map(({ name, id }) => `${stepId.test(id) ? `{{${id}}}` : "what was found"} about "${name}"`)
    .join(" and ");
}

/** The figures at these ends by which a question chooses: "1971" about "Ida Marsh", where it asks who is older. */
function figuresAt(ends: readonly FoundEnd[], { question, all }: CallsSoFar): string | undefined {
  const words = contentWords(chosenBy(question) ?? "");
  const figures = ends.map(({ name, id }) => {
    const call = all.find(({ callId }) => callId === id);
    const figure = call && onlyFigure(call, words);
    return figure === undefined ? undefined : `${figure} about "${name}"`;
  });
  return figures.includes(undefined) ? undefined : figures.join(" and ");
}

function idsOf(ends: readonly FoundEnd[]): string[] {
  return ends.map(({ id }) => id).filter((id) => stepId.test(id));
}

/** The most results that are named. */
const maxEnds = 4;

/** In a plan calls have the ids of their steps. */
const stepId = /^E\d+$/;

/** Whether the calls are those of a plan, where results are referred to. */
function isPlan({ all }: CallsSoFar): boolean {
  return all.some(({ callId }) => stepId.test(callId));
}

/** Whether such a tool has calculated, and nothing was looked up since: what was found later, a calculation lacks. */
function isCalculated({ all, reads, tools }: CallsSoFar, of: readonly string[]): boolean {
  const last = reads.findLast(({ call }) => call.ok)?.call;
  const since = last === undefined ? all : all.slice(all.lastIndexOf(last) + 1);
  return (
    succeeded(all, of) !== undefined &&
    since.some(({ ok, tool }) => ok && tools.calculating.has(tool))
  );
}

function comparisonAsked(seen: CallsSoFar): OpenPoint | undefined {
  const { question } = seen;
  const { comparisons } = seen.tools;
  const ends = chainEnds(seen);
  const names = ends.length > 1 ? ends : seen.names;
  if (names.length < 2 || !choice.test(question)) return undefined;
  if (isCalculated(seen, comparisons)) return undefined;
  const told = `The question asks which of ${quoted(names)} it is. Compare the figures in the results that it asks about.`;
  return { told, of: comparisons };
}

/** The first call of such a tool that succeeded. */
function succeeded(calls: readonly Observation[], of: readonly string[]): Observation | undefined {
  return calls.find(({ ok, tool }) => ok && of.includes(tool));
}
