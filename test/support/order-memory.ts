import { tool } from "@langchain/core/tools";
import { z } from "zod";

import type { Memory, ToolPolicy } from "../../src/index.js";
import { ask } from "./middleware.js";

/** No text of a prompt has this by chance. */
export const id = "id-5521-x";
export const other = "id-7702-y";
export const question = ask("The cake came squashed.");
export const thread = { configurable: { thread_id: "1" } };

const forms = {
  zod: z.object({ orderId: z.string().min(3), reason: z.string() }),
  "JSON Schema": {
    type: "object",
    properties: { orderId: { type: "string" }, reason: { type: "string" } },
    required: ["orderId", "reason"],
    additionalProperties: false,
  },
} as const;

/** A tool that refunds an order, and what it was called with. */
export function refundTool(form: keyof typeof forms = "zod") {
  const runs: unknown[] = [];
  const work = (args: unknown) => {
    runs.push(args);
    return "Refunded.";
  };
  const described = { name: "refund", description: "Refunds the order in question." };
  const refund =
    form === "zod"
      ? tool(work, { ...described, schema: forms.zod })
      : tool(work, { ...described, schema: forms["JSON Schema"] });
  return { runs, refund };
}

export const policy: ToolPolicy = { fromMemory: { orderId: "order.orderId" } };
export const orderOf = (orderId: string | number): Memory => ({
  order: async () => ({ text: "Cake, 55 yuan.", ids: { orderId } }),
});
type Args = Readonly<Record<string, unknown>>;
export const calling = (args: Args = { reason: "squashed" }, callId = "c1") => ({
  toolCalls: [{ name: "refund", args, id: callId }],
});
