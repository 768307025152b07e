// What only this set knows: whether what was answered stands in what the run has read.
import type { Scorers } from "plangraph/evaluation";
import { z } from "zod";

/** The sentence of the documents that answers a case: the `quote` of its `expected`; no text where none does. */
const Expected = z.object({ quote: z.string().nullable() });

/** The scorers of the set: a right figure that was never looked up is a guess. */
export const scorers: Scorers = {
  read: (scored) => {
    const { quote } = Expected.parse(scored.expected);
    const calls = scored.run.turns.flatMap(({ calls: made }) => made);
    const isRead = quote === null || calls.some(({ result }) => result.includes(quote));
    return { score: isRead, comment: `${JSON.stringify(quote)} was not read` };
  },
};
