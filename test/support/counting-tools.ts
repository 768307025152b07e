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
