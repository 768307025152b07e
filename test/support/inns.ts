import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { withPolicy } from "../../src/index.js";

const rooms: { readonly [name: string]: number } = { "Falbo Inn": 30, "Renn Inn": 12 };
/** Tells the rooms of two inns. */
export const lookUp = withPolicy(
  tool(({ name }) => `${name} has ${rooms[name] ?? "no"} rooms.`, {
    name: "look_up",
    description: "Tells all about a thing.",
    schema: z.object({ name: z.string() }),
  }),
  { effect: "read" },
);
/** Changes something. */
export const note = withPolicy(
  tool(() => "Noted.", { name: "note", description: "Writes it down.", schema: z.object({}) }),
  { effect: "write", needsApproval: false },
);

/** A question for which two look-ups and a calculation are needed, and the calls for them. */
export const both = "How many rooms have the Falbo Inn and the Renn Inn together?";
export const look = (name: string) => ({ toolCalls: [{ name: "look_up", args: { name } }] });
export const calculate = (expression: string) => ({
  toolCalls: [{ name: "calculator", args: { expression } }],
});
export const add = calculate("30 + 12");
