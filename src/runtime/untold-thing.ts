import { measureBehind } from "../evidence/measures.js";
import { calculationWord } from "../plan/asked-figures.js";
import type { OpenPoint } from "../state/plan.js";
import { chainEnds } from "./chain-ends.js";
import { type CallsSoFar, isFact, namesIn, quoted } from "./calls-so-far.js";
import { doersKnown } from "./next-link.js";
import { contentWords, hasAny } from "./plan/result-labels.js";

/** What a question counts: "how many streets", "how many tons of coal", "the number of homes", "for each of its teachers". */
const counted =
  /(?<!\bby )\b(?:[Hh]ow many(?: (?:more|fewer|other|of the))?(?: \p{Ll}+(?: \p{Ll}+)? of)?|(?:number|share|percentage) of(?: (?:the|all|its|their))?|(?:for|on|in) each(?: of (?:the|its|their))?|per) (\p{Ll}{3,40})/gu;

/** What is calculated with: "what was the revenue of Orsk and Vane together?" */
const summed =
  /\b[Ww]hat (?:is|was|are|were) the (?:total )?(?!(?:number|share|percentage|sum|total|average|mean|difference|ratio|result|time) )(\p{Ll}{3,40}) of\b/gu;

/** A scale has a unit behind it, which may be none that is known as one: "how many thousand crowns". */
const scale = /^(?:thousand|million|billion|trillion|hundred|dozen)s?$/;

/** What the question counts and no result mentions yet, for the tools that have found nothing so far. */
export function untoldThing(seen: CallsSoFar): OpenPoint | undefined {
  const { question, names, reads, tools } = seen;
  const found = reads.map(({ call }) => call).filter(({ ok }) => ok);
  const of = tools.named.filter((name) => found.every(({ tool }) => tool !== name));
  const results = found.map(({ content }) => content);
  if (found.length === 0 || of.length === 0 || !found.every(isFact)) return undefined;
  const said = new Set([...contentWords(results.join("\n")), ...doersKnown(seen)]);
  const thing = countedThings(question).find((one) => !hasAny(said, contentWords(one)));
  if (thing === undefined) return undefined;
  // The end of a chain is not what the question names.
  const isChain = results.flatMap(namesIn).some((name) => !question.includes(name));
  const about = isChain ? chainEnds(seen) : names;
  const told =
    about.length === 0
      ? `No result says anything of "${thing}" yet.`
      : // A small model looks up what stands in quotation marks.
        `${of.join(" or ")} was not called about ${quoted(about)} yet, and no result tells the ${thing}.`;
  return { told, of };
}

/** A unit is no thing: a result may have another one, or a sign for it. */
function countedThings(question: string): string[] {
  const words = calculationWord(question) === undefined ? [counted] : [counted, summed];
  return words
    .flatMap((each) => [...question.matchAll(each)])
    .map(([, thing = ""]) => thing)
    .filter((thing) => !scale.test(thing))
    .filter((thing) => [undefined, "person"].includes(measureBehind(` ${thing}`)?.unit))
    .filter((thing) => contentWords(thing).size > 0);
}
