import type { Json } from "../json/json.js";
import { maxAskedChars } from "../plan/asked-figures.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, namesIn, quoted } from "./calls-so-far.js";
import { textOf } from "./plan/result-labels.js";

/** What stands between the names of a list: "the Rill lamp, the Sebb lamp or the Corvo lamp". */
const between = /^(?:,| and| or|, and|, or) (?:the |in |at )?$/;

/** What stands before a name, where it stands before the others of a list, too: "in Ossel, the Falbo Inn or the Renn Inn". */
const lead = /\b(?:the|in|at) $/;

/** The last comparison has some of the names that the question lists, and not all. */
export function namesUncompared({ question, all, tools }: CallsSoFar): OpenPoint | undefined {
  const { comparisons } = tools;
  const last = all.findLast(({ ok, tool }) => ok && comparisons.includes(tool));
  const left = last === undefined ? [] : uncompared(question, last.args);
  if (left.length === 0) return undefined;
  const list = quoted(listIn(question));
  const told = `The question asks about ${list}, and ${quoted(left)} was not compared. Compare all of them.`;
  return { told, of: comparisons };
}

/** The names in a question's list that a comparison of others of them lacks. */
export function uncompared(question: string, args: Json): readonly string[] {
  const compared = textOf(args);
  const list = listIn(question);
  const left = list.filter((name) => !compared.includes(name));
  return left.length === list.length ? [] : left;
}

/** The longest list of names in a question; none where it names but one. */
function listIn(question: string): readonly string[] {
  const placed = namesIn(question.slice(0, maxAskedChars)).map((name) => {
    const at = question.indexOf(name);
    return { name, at, end: at + name.length, lead: lead.exec(question.slice(0, at))?.[0] };
  });
  const lists: string[][] = [];
  placed.forEach((one, index) => {
    const before = placed[index - 1];
    const isNext =
      before?.lead === one.lead && between.test(question.slice(before?.end ?? 0, one.at));
    if (isNext) lists.at(-1)?.push(one.name);
    else lists.push([one.name]);
  });
  const [longest = []] = lists.toSorted((one, other) => other.length - one.length);
  return longest.length > 1 ? longest : [];
}
