import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { withPolicy } from "../../src/index.js";

/** A shop: finds orders, writes letters down, and fails for what its name says. */
export function shop() {
  const done: string[] = [];
  const findOrder = withPolicy(
    tool(
      async ({ id }) => {
        done.push(`find ${id}`);
        if (id.startsWith("X")) throw new Error(`there is no order ${id}`);
        return { id, days: id.length, items: [{ name: "tea" }, { name: "jam" }] };
      },
      { name: "find_order", description: "Finds an order.", schema: z.object({ id: z.string() }) },
    ),
    { effect: "read", retry: { attempts: 1, baseMs: 1 } },
  );
  const send = withPolicy(
    tool(
      async ({ text }) => {
        done.push(`send ${text}`);
        return `sent ${text}`;
      },
      { name: "send", description: "Sends a text.", schema: z.object({ text: z.string() }) },
    ),
    { effect: "write" },
  );
  const add = withPolicy(
    tool(async ({ to }) => ({ n: to + 1 }), {
      name: "add",
      description: "Adds one.",
      schema: z.object({ to: z.number() }),
    }),
    { effect: "read" },
  );
  return { tools: [findOrder, send, add], done };
}
