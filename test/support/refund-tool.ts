import { tool } from "@langchain/core/tools";
import { z } from "zod";

import type { ToolPolicy } from "../../src/index.js";

/** What may be said of a tool that makes refunds. */
export const refundPolicies = {
  write: { effect: "write" },
  "no stated effect": {},
  approval: { effect: "read", needsApproval: true },
  read: { effect: "read" },
} as const satisfies { readonly [name: string]: ToolPolicy };

export type RefundKind = keyof typeof refundPolicies;

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
