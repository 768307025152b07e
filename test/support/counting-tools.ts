import { tool } from "@langchain/core/tools";
import { z } from "zod";

const schema = z.object({ item: z.string() });

/** Tools that write down every time they run. */
export function countingTools(...names: readonly string[]) {
  const runs: string[] = [];
  const tools = names.map((name) =>
    tool(
      ({ item }) => {
        runs.push(`${name} ${item}`);
        return `${name} of ${item}`;
      },
      { name, description: `Gives the ${name} of an item.`, schema },
    ),
  );
  return { runs, tools };
}

/** The tools of a shop: an order never ends, and calls its run off. */
export function stoppingTools(): ReturnType<typeof countingTools> & {
  readonly signal: AbortSignal;
} {
  const { runs, tools } = countingTools("price", "order", "stock");
  const abort = new AbortController();
  const stopping = tools.map((each) =>
    each.name === "order"
      ? Object.assign(each, {
          func: async ({ item }: z.infer<typeof schema>) => {
            runs.push(`order ${item}`);
            abort.abort();
            return new Promise<string>(() => {});
          },
        })
      : each,
  );
  return { runs, tools: stopping, signal: abort.signal };
}
