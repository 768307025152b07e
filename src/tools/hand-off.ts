import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { withRole } from "./policy.js";

const schema = z.object({
  reason: z.string().describe("Why a person should take over."),
  summary: z.string().optional().describe("What was done and what is still open."),
});

/** A tool that gives the conversation to a person: the run ends "handed_off" with its reason and summary. */
export const handOff = withRole(
  tool(({ reason, summary }) => (summary === undefined ? reason : `${reason}\n${summary}`), {
    name: "hand_off",
    description: "Give the conversation to a person when you cannot or must not go on yourself.",
    schema,
  }),
  "hand_off",
);
