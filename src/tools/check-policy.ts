import type { StructuredToolInterface } from "@langchain/core/tools";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { issueLines } from "../guards/issue-lines.js";
import { argumentSchema, propertiesOf } from "./argument-schema.js";
import type { ToolPolicy } from "./policy.js";

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

const Policy = z.strictObject({
  effect: z.enum(["read", "idempotent", "write"]).optional(),
  resource: z.custom<() => string>(isFunction, "expected a function").optional(),
  volatile: z.boolean().optional(),
  timeoutMs: z.number().positive().or(z.literal(Infinity)).optional(),
  retry: z.strictObject({ attempts: z.int().min(1), baseMs: z.number().min(0) }).optional(),
  needsApproval: z
    .union([z.boolean(), z.custom<() => boolean>(isFunction, "expected a function")])
    .optional(),
  expiresAfter: z.number().positive().optional(),
  onExpiry: z.enum(["reject", "hand_off"]).optional(),
  maxResultChars: z.int().min(100).optional(),
  returnDirect: z.boolean().optional(),
  grounded: z.array(z.string()).optional(),
  resultPrompt: z.string().optional(),
  trust: z.enum(["trusted", "untrusted"]).optional(),
});

/** Checks a tool's policy when the graph is built. Throws `invalid_tool` with the field that does not fit. */
export function checkPolicy(tool: StructuredToolInterface, policy: ToolPolicy): void {
  const parsed = Policy.safeParse(policy);
  if (!parsed.success) {
    const problem = issueLines(parsed.error.issues).join("; ");
    throw new PlangraphError(
      "invalid_tool",
      `The policy of "${tool.name}" does not fit: ${problem}.`,
    );
  }
  const parameters = Object.keys(propertiesOf(argumentSchema(tool)));
  const unknown = (policy.grounded ?? []).find((name) => !parameters.includes(name));
  if (unknown === undefined || parameters.length === 0) return;
  throw new PlangraphError(
    "invalid_tool",
    `The policy of "${tool.name}" grounds "${unknown}", which is no parameter. The parameters are: ${parameters.join(", ")}.`,
  );
}
