// What only this set knows: whether what was answered stands in what the run has read.
import type { ScorerInput, Scorers } from "plangraph/evaluation";

/** The `quote` of a case: the sentence of the documents that answers it; absent where none does. */
function quoteOf({ expected }: Pick<ScorerInput, "expected">): string | undefined {
  const isObject = typeof expected === "object" && expected !== null && !Array.isArray(expected);
  const quote = isObject ? expected["quote"] : undefined;
  return typeof quote === "string" ? quote : undefined;
}

/** The scorers of the set: a right figure that was never looked up is a guess. */
export const scorers: Scorers = {
  read: (scored) => {
    const quote = quoteOf(scored);
    const calls = scored.run.turns.flatMap(({ calls: made }) => made);
    const isRead = quote === undefined || calls.some(({ result }) => result.includes(quote));
    return { score: isRead, comment: `${JSON.stringify(quote)} was not read` };
  },
};
