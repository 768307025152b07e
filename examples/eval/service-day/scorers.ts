// What only this set knows: which orders are refunded and which repairs are booked after a conversation.
import type { ScorerInput, Scorers } from "plangraph/evaluation";

import { type Books, Shop, shopTools } from "./shop.js";

/**
 * The books of the shop after a run: its calls, made again in a new shop. So a run that was kept in a file can be scored,
 * too, when its shop is long gone.
 */
export async function booksAfter({
  run,
  case: { context = {} },
}: Pick<ScorerInput, "run" | "case">): Promise<Books> {
  const shop = new Shop();
  const tools = shopTools(shop);
  for (const { tool, args, ok } of run.turns.flatMap(({ calls }) => calls)) {
    // What the shop refused has changed nothing; nor has a result that a person gave in its place, which has no arguments.
    const isMade = ok && JSON.stringify(args) !== "{}";
    if (isMade) await tools.find(({ name }) => name === tool)?.invoke(args, { context });
  }
  return shop.books();
}

/** The scorers of the set. `expected` of a case are the books as they must be, no refund more and none less. */
export const scorers: Scorers = {
  books: async (scored) => {
    const books = JSON.stringify(await booksAfter(scored));
    const expected = JSON.stringify(scored.expected);
    return { score: books === expected, comment: `expected ${expected}, got ${books}` };
  },
};
