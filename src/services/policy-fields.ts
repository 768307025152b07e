import { z } from "zod";

import { MemoryPath } from "../tools/policy.js";

/** The fields of a definition that say how its tool is run and how its result is read. */
export const policyFields = {
  maxResultChars: z
    .int()
    .min(100)
    .optional()
    .describe("A longer result is cut in the middle for the model; default 16 000 characters"),
  volatile: z
    .boolean()
    .optional()
    .describe(
      "Whether the same call may give another result: it is then never answered from memory",
    ),
  grounded: z
    .array(z.string())
    .optional()
    .describe("Parameters whose value must come from the user or from a trusted tool"),
  resource: z
    .string()
    .optional()
    .describe(
      "The parameter that names what a call acts on; calls with another value do not wait for it",
    ),
  trust: z
    .enum(["trusted", "untrusted"])
    .optional()
    .describe(
      "Who writes the results: strangers (untrusted, the default), or only people that you trust",
    ),
  fromMemory: z
    .record(z.string(), MemoryPath)
    .optional()
    .describe(
      'Parameters that the memory of the run fills in, as "name.id"; models do not see them',
    ),
};
