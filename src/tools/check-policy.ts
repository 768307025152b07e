import type { StructuredToolInterface } from "@langchain/core/tools";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { issueLines } from "../run/errors.js";
import { argumentSchema, type JsonSchema, propertiesOf } from "./argument-schema.js";

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

const Retry = z.strictObject({ attempts: z.int().min(1), baseMs: z.number().min(0) });

const Policy = z.strictObject({
  effect: z.enum(["read", "idempotent", "write"]).optional(),
  resource: z.custom<() => string>(isFunction, "expected a function").optional(),
  volatile: z.boolean().optional(),
  timeoutMs: z.number().positive().or(z.literal(Infinity)).optional(),
  retry: Retry.optional(),
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

/** Checks the fields of a tool's policy. Throws `invalid_tool` with those that do not fit, and the nearest names. */
export function checkFields(tool: { readonly name: string }, policy: object): void {
  const parsed = Policy.safeParse(policy);
  if (parsed.success) return;
  const problem = parsed.error.issues
    .flatMap((issue) => issueLines([issue], undefined, namesAt(issue.path)))
    .join("; ");
  throw new PlangraphError(
    "invalid_tool",
    `The policy of "${tool.name}" does not fit: ${problem}.`,
  );
}

function namesAt(path: readonly PropertyKey[]): string[] {
  return Object.keys(path.length === 0 ? Policy.shape : Retry.shape);
}

/**
 * Checks a tool's schema and policy when the graph is built. Throws `invalid_tool` for a schema that no model can be
 * told, and for a policy that does not fit.
 */
export function checkPolicy(
  tool: StructuredToolInterface,
  policy: { readonly grounded?: readonly string[] },
): void {
  const parameters = Object.keys(propertiesOf(schemaOf(tool)));
  checkFields(tool, policy);
  const unknown = (policy.grounded ?? []).find((name) => !parameters.includes(name));
  if (unknown === undefined || parameters.length === 0) return;
  throw new PlangraphError(
    "invalid_tool",
    `The policy of "${tool.name}" grounds "${unknown}", which is no parameter. The parameters are: ${parameters.join(", ")}.`,
  );
}

function schemaOf(tool: StructuredToolInterface): JsonSchema {
  try {
    return argumentSchema(tool);
  } catch (error) {
    const came = error instanceof Error ? error.message : String(error);
    const expected =
      "Expected a JSON Schema, or a zod schema that can be one: a date is z.iso.date(), read in the tool.";
    throw new PlangraphError(
      "invalid_tool",
      `The schema of "${tool.name}" cannot be told to a model: ${came}. ${expected}`,
      { cause: error },
    );
  }
}
