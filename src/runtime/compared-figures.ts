import type { Json } from "../json/json.js";
import { numbersIn } from "../plan/asked-figures.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, isFact } from "./calls-so-far.js";
import { isKnown } from "./messages.js";
import { figuresBeside } from "./plan/meant-figure.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/** What a question wants to know of a comparison: "by how many minutes", "and how many crowns does it cost". */
const counted = /\b[Hh]ow many (?:more |fewer )?(?<thing>\p{Ll}{3,40})\b/u;

/**
 * The last comparison has none of the figures that results have of what the question counts: the lengths of two lines, where it
 * asks by how many minutes. One that failed lacks some of them. In a plan figures stand as references, of which nothing can be
 * said.
 */
export function comparedOther({ question, all, reads, tools }: CallsSoFar): OpenPoint | undefined {
  const { comparisons: of } = tools;
  const made = all.filter(({ tool }) => of.includes(tool));
  const thing = counted.exec(question)?.groups?.["thing"];
  const last = made.at(-1);
  if (last === undefined || thing === undefined || textOf(last.args).includes("{{"))
    return undefined;
  const figures = figuresOf(thing, reads);
  const isDone = made.some(({ ok, args }) => ok && lacking(figures, args).length < figures.length);
  const lacks = lacking(figures, last.args);
  if (figures.length < 2 || isDone || lacks.length === 0) return undefined;
  const what =
    lacks.length === figures.length
      ? `has none of these: ${figures.join(" and ")}. Compare the ${thing}.`
      : `lacks ${lacks.join(" and ")}. Compare the ${thing}: ${figures.join(" and ")}.`;
  return { told: `The question asks how many ${thing}, and the comparison ${what}`, of };
}

/** The figures of this, one of each result that is a fact and has only one. */
function figuresOf(thing: string, reads: CallsSoFar["reads"]): readonly number[] {
  return reads
    .map(({ call }) => call)
    .filter((call) => call.ok && isKnown(call) && isFact(call))
    .map((call) => figuresBeside(call, contentWords(thing)))
    .filter(({ length }) => length === 1)
    .flat();
}

function lacking(figures: readonly number[], args: Json): readonly number[] {
  const compared = new Set(numbersIn(args));
  return figures.filter((figure) => !compared.has(figure));
}
