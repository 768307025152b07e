import { numbersIn } from "../plan/asked-figures.js";
import { figurePlaces } from "../plan/figures.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, isFact } from "./calls-so-far.js";
import { isKnown } from "./messages.js";
import { contentWords, hasAny, textOf } from "./plan/result-labels.js";

/** What a question wants to know of a comparison: "by how many minutes", "and how many crowns does it cost". */
const counted = /\b[Hh]ow many (?:more |fewer )?(?<thing>\p{Ll}{3,40})\b/u;

/** The word behind a figure, and the key before it: "takes 44 minutes", {"workers": 410}. */
const behind = /^\s?(?<word>\p{L}{3,40})/u;
const before = /(?<word>\p{L}{3,40})["']?\s?[:=]\s?["']?$/u;

/** What stands close to a figure in data: {"homes":300,"people":900}, "steps=164". */
const dense = /[:=](?=-?\d)|(?<=\d),(?=["'])/g;

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
    .map(({ content }) => figuresOf(content, thing))
    .filter(({ length }) => length === 1);
  const figures = told.flat();
  const compared = new Set(numbersIn(last.args));
  if (figures.length < 2 || figures.some((figure) => compared.has(figure))) return undefined;
  return {
    told: `The question asks how many ${thing}, and the comparison has none of these: ${figures.join(" and ")}. Compare the ${thing}.`,
    of: tools.comparisons,
  };
}

/** The figures in a result that are of a thing: those with its word behind them, or as their key. */
function figuresOf(content: string, thing: string): number[] {
  const asked = contentWords(thing);
  const text = content.replaceAll(dense, "$& ");
  return figurePlaces(text).flatMap(({ start, end, values: [figure] }) => {
    const words = [behind.exec(text.slice(end)), before.exec(text.slice(0, start))];
    const isOf = words.some((found) => hasAny(contentWords(found?.groups?.["word"] ?? ""), asked));
    return isOf && figure !== undefined ? [figure] : [];
  });
}
