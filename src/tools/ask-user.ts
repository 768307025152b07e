import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { withRole } from "./policy.js";

const schema = z.object({
  question: z.string().describe("One question to the user, complete in itself."),
});

/** A tool that asks the user for what is missing. The run pauses, or ends "needs_input", until it is answered. */
export const askUser = withRole(
  tool(() => "", {
    name: "ask_user",
    description:
      "Ask the user one question when something is missing that no tool can tell. Returns the answer.",
    schema,
  }),
  "ask_user",
);
