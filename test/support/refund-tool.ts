import { tool } from "@langchain/core/tools";
import { z } from "zod";

/** A tool that makes refunds and writes down every time it does. */
export function refundTool() {
  const runs: unknown[] = [];
  const refund = tool(
    (args) => {
      runs.push(args);
      return "refunded";
    },
    {
      name: "refund",
      description: "Refunds an order.",
      schema: z.object({ order: z.number().optional() }),
    },
  );
  return { runs, refund };
}
