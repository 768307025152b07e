import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { defined } from "../../json/json.js";
import type { Outcome } from "../../state/outcome.js";
import { withMarks } from "../policy.js";

const questionSchema = z.object({
  question: z.string().describe("One question to the user, complete in itself."),
});

/** A tool that asks the user for missing information. The run pauses, or ends "needs_input", until there is an answer. */
export const askUser = withMarks(
  tool(() => "", {
    name: "ask_user",
    description:
      "Ask the user one question when something is missing that no tool can tell. Returns the answer.",
    schema: questionSchema,
  }),
  { role: "ask_user" },
);

const handOffSchema = z.object({
  reason: z.string().describe("Why a person should take over."),
  summary: z.string().optional().describe("What was done and what is still open."),
});

/** A tool that hands the conversation off to a person: the run ends "handed_off" with its reason and summary. */
export const handOff = withMarks(
  tool(
    ({ reason, summary }): [string, HandedOver] => [
      summary === undefined ? reason : `${reason}\n${summary}`,
      { reason, ...defined({ summary }) },
    ],
    {
      name: "hand_off",
      description: "Give the conversation to a person when you cannot or must not go on yourself.",
      responseFormat: "content_and_artifact",
      schema: handOffSchema,
    },
  ),
  { role: "hand_off" },
);

/** Why a person must take over, and what that person needs to know. */
export type HandedOver = Required<Pick<Outcome, "reason">> & Pick<Outcome, "summary">;

/** The handoff of a call: a hook may have replaced the tool's words. */
export function handedOverWith(value: unknown, text: string): HandedOver {
  const { data } = handOffSchema.safeParse(value);
  if (data === undefined) return { reason: text };
  const { reason, summary } = data;
  return { reason, ...defined({ summary }) };
}
