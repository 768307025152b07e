import type { StructuredToolInterface } from "@langchain/core/tools";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { ClassifiedError, issueLines } from "../run/errors.js";
import type { RetryPolicy } from "../run/retry.js";
import { argumentSchema, type JsonSchema, propertiesOf } from "./argument-schema.js";

/** What the runner needs to know of a tool beyond LangChain's interface. Every field is optional. */
export type ToolPolicy = {
  /**
   * What running it does to the world. Only `read` and `idempotent` tools are retried. A `write` runs alone and
   * is on record before it starts. `write` and `idempotent` calls, and calls that need approval, keep the order of
   * the turn or plan: each waits for all calls before it, and every call after it waits for it, whether it failed
   * or not. All other calls run beside one another. Undefined: not retried, runs again after a crash that fell
   * inside it; `write` where `needsApproval` is given. A `write` tool that itself calls LangGraph's `interrupt` may run again after a crash: let
   * `needsApproval` ask instead.
   */
  readonly effect?: "read" | "idempotent" | "write";
  /**
   * What a call acts on, from its arguments (an order's number, say): calls with different keys do not wait for one
   * another. Both need one. A call acts on everything where this throws or gives no text, where an argument refers
   * to another step's result, and where it may need approval: a person may edit it. `write` calls still run one at a time.
   */
  readonly resource?: (args: Readonly<Record<string, unknown>>) => string;
  /** The same call may give another result (random numbers, polling): never answered from memory. */
  readonly volatile?: boolean;
  /** Milliseconds for one attempt; default 30 000, never past the run's deadline. */
  readonly timeoutMs?: number;
  /** Default: 3 attempts in all, 500 ms before the second. */
  readonly retry?: RetryPolicy;
  /** Whether a person must approve a call. A tool with such a rule and no stated effect is a `write`. */
  readonly needsApproval?: boolean | ((args: unknown) => boolean);
  /** Milliseconds for which an approval may be given; a later one is not carried out. Default: no end. */
  readonly expiresAfter?: number;
  /** After that: "reject" (default) refuses the call, "hand_off" hands the run to a person. */
  readonly onExpiry?: "reject" | "hand_off";
  /** Longer results are cut in the middle; default 16 000 characters. */
  readonly maxResultChars?: number;
  /** A successful call made alone in its turn ends the run with its result. */
  readonly returnDirect?: boolean;
  /**
   * Parameters (ids, amounts) whose value must occur in what the user wrote or a trusted tool returned: what only an
   * untrusted result, or a model, says does not count.
   */
  readonly grounded?: readonly string[];
  /** Instructions for the model behind each result, outside the fence of an untrusted one. */
  readonly resultPrompt?: string;
  /** Untrusted results are fenced as data. Default trusted; untrusted for HTTP, MCP and search. */
  readonly trust?: "trusted" | "untrusted";
};

/** Tools in which the run has a part: it asks a person, ends, brings out what a sub-run asks, or reads its own results. */
export type BuiltInRole = "ask_user" | "hand_off" | "sub_run" | "read_result";

/** What the tools of a graph may change: nothing that they state, something, or something that must not happen twice. */
export type GraphEffects = "none" | "changes" | "writes";

/** What the run knows of a tool that plangraph made. */
type ToolMarks = {
  readonly role?: BuiltInRole;
  /** Its calls are steps of a plan, which count their own calls: they are no tool calls of the run. */
  readonly isStep?: true;
  /** What the tools inside it may change; `write` tools put on record by themselves what they begin. */
  readonly effects?: GraphEffects;
  /** It takes the digits of a number that JavaScript would change, as a text in the number's place. */
  readonly takesExactNumbers?: true;
};

const policyKey = Symbol.for("plangraph.policy");
const marksKey = Symbol.for("plangraph.marks");

/** Attaches a policy to a tool, over an earlier one, and returns the tool. Throws `invalid_tool` with the fields that do not fit. */
export function withPolicy<T extends StructuredToolInterface>(tool: T, policy: ToolPolicy): T {
  checkFields(tool, policy);
  return Object.assign(tool, {
    [policyKey]: { ...attachedPolicy(tool), ...policy },
  });
}

/** Marks a tool, beside the marks that it has, and returns it. */
export function withMarks<T extends StructuredToolInterface>(tool: T, marks: ToolMarks): T {
  return Object.assign(tool, { [marksKey]: { ...marksOf(tool), ...marks } });
}

/** The marks of a tool; none of one that plangraph did not make. */
export function marksOf(tool: object): ToolMarks {
  const marks: ToolMarks | undefined = Reflect.get(tool, marksKey);
  return marks ?? {};
}

/** The policy attached to a tool; LangChain's own `returnDirect` counts. */
export function attachedPolicy(tool: object): ToolPolicy {
  const policy: ToolPolicy | undefined = Reflect.get(tool, policyKey);
  return Reflect.get(tool, "returnDirect") === true
    ? { returnDirect: true, ...policy }
    : { ...policy };
}

/** Whether a policy of its own was attached to a tool. */
export function hasOwnPolicy(tool: object): boolean {
  return Reflect.get(tool, policyKey) !== undefined;
}

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
function checkFields(tool: { readonly name: string }, policy: object): void {
  const parsed = Policy.safeParse(policy);
  if (parsed.success) return;
  const problem = parsed.error.issues
    .flatMap((issue) => issueLines([issue], undefined, namesAt(issue.path)))
    .join("; ");
  throw invalidTool(`The policy of "${tool.name}" does not fit: ${problem}.`);
}

/** The error for a tool, or a policy, that no graph can be built with. */
export function invalidTool(message: string, cause?: unknown): PlangraphError {
  return new PlangraphError("invalid_tool", message, { cause });
}

function namesAt(path: readonly PropertyKey[]): string[] {
  return Object.keys(path.length === 0 ? Policy.shape : Retry.shape);
}

/** Checks a tool's schema and policy. Throws `invalid_tool` for a schema that no model can read and a policy that does not fit. */
export function checkPolicy(
  tool: StructuredToolInterface,
  policy: { readonly grounded?: readonly string[] },
): void {
  const parameters = Object.keys(propertiesOf(schemaOf(tool)));
  checkFields(tool, policy);
  const unknown = (policy.grounded ?? []).find((name) => !parameters.includes(name));
  if (unknown === undefined || parameters.length === 0) return;
  throw invalidTool(
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
    const message = `The schema of "${tool.name}" cannot be told to a model: ${came}. ${expected}`;
    throw invalidTool(message, error);
  }
}

/**
 * Thrown by a tool that knows what kind of failure it has, which decides whether the call is retried:
 * `throw new ToolError("unavailable", "The shop is closed.")`.
 */
export class ToolError extends ClassifiedError {}
