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
 * asks by how many minutes. In a plan figures stand as references, of which nothing can be said.
 */
export function comparedOther(seen: CallsSoFar): OpenPoint | undefined {
  const { question, all, reads, tools } = seen;
  const last = all.findLast(({ ok, tool }) => ok && tools.comparisons.includes(tool));
  const thing = counted.exec(question)?.groups?.["thing"];
  if (last === undefined || thing === undefined || textOf(last.args).includes("{{"))
    return undefined;
  const facts = reads
    .map(({ call }) => call)
    .filter((call) => call.ok && isKnown(call) && isFact(call));
  const told = facts
    .map((call) => figuresBeside(call, contentWords(thing)))
    .filter(({ length }) => length === 1);
  const figures = told.flat();
  const compared = new Set(numbersIn(last.args));
  if (figures.length < 2 || figures.some((figure) => compared.has(figure))) return undefined;
  return {
    told: `The question asks how many ${thing}, and the comparison has none of these: ${figures.join(" and ")}. Compare the ${thing}.`,
    of: tools.comparisons,
  };
}
