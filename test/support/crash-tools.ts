import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { tool, type ToolRunnableConfig } from "@langchain/core/tools";
import { z } from "zod";

import { withPolicy } from "../../src/index.js";
import { type CrashNote, receiptsIn } from "./crash-log.js";

/** The tools of runs that are killed that write; each is called once in a run. */
export const crashWrites = ["order", "book"] as const;

/** Whether a tool of these runs writes. */
export function isWrite(called: string): boolean {
  return crashWrites.some((name) => name === called);
}

/** Tools that take their time, write down when they begin and when they have ended, and give a receipt. */
export function crashTools(note: (entry: CrashNote) => void) {
  const slow = (name: string, ms: number) =>
    tool(
      async ({ item }, { toolCall, metadata, configurable }: ToolRunnableConfig) => {
        // Ids of steps are used again in the next run of the thread.
        const call = `${name} ${toolCall?.id ?? ""}`;
        const thread = String(configurable?.["thread_id"]);
        const about = { thread, call, tool: name, key: String(metadata?.["idempotencyKey"]) };
        note({ ...about, kind: "call_began", receipts: receiptsIn(item) });
        await sleep(ms);
        const receipt = `receipt-${randomBytes(6).toString("hex")}`;
        note({ ...about, kind: "call_ended", receipts: [receipt] });
        return `${toolCall?.id ?? ""} done ${receipt}`;
      },
      { name, description: `The ${name}.`, schema: z.object({ item: z.string() }) },
    );
  return [
    withPolicy(slow("price", 60), { effect: "read" }),
    withPolicy(slow("stock", 110), { effect: "read" }),
    withPolicy(slow("order", 140), { effect: "write" }),
    withPolicy(slow("book", 90), { effect: "write" }),
  ];
}
