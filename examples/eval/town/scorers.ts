// What only this set knows: whether an answer says of the right one that it is the longer, the older, the cheapest.
import type { ScorerInput, Scorers } from "plangraph/evaluation";
import { z } from "zod";

/** What `expected` of a comparison holds: the right name, the others, and what is said of the right one and of others. */
const Which = z.object({
  right: z.string(),
  others: z.array(z.string()),
  words: z.tuple([z.string(), z.string()]),
});

/** The scorers of the set. */
export const scorers: Scorers = {
  which: ({ expected, output }: Pick<ScorerInput, "expected" | "output">) => {
    const read = Which.safeParse(expected);
    if (!read.success) return { score: true };
    const { right } = read.data;
    return { score: isChosen(output, read.data), comment: `expected ${right} to be chosen` };
  },
};

/** Whether an answer chooses the right one of several names. */
export function isChosen(answer: string, { right, others, words }: z.infer<typeof Which>): boolean {
  if (!others.some((name) => answer.includes(name))) return answer.includes(right);
  const [of, other] = words;
  const names = [right, ...others].join("|");
  const word = new RegExp(String.raw`\b(?:(${of})|(${other}))\b`, "i").exec(answer);
  if (word === null) return answer.search(names) === answer.indexOf(right);
  const named = subjectOf(answer.slice(0, word.index), answer.slice(word.index), names);
  return word[1] === undefined ? named !== right : named === right;
}

/** Of whom a word of comparison is said: of who stands before it, or in "the longer one is …" of who follows. */
function subjectOf(before: string, from: string, names: string): string | undefined {
  const told = new RegExp(String.raw`\bis (?:the )?(?:\w+ )?(${names})`).exec(from)?.[1];
  const next = told ?? new RegExp(names).exec(from)?.[0];
  const isAhead = /(?<!\b(?:is|as|be) )\bthe $/i.test(before);
  return isAhead ? next : (before.match(new RegExp(names, "g"))?.at(-1) ?? next);
}
