import type { StructuredToolInterface } from "@langchain/core/tools";
import type { InferInteropZodInput, InteropZodObject } from "@langchain/core/utils/types";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { ClassifiedError, issueLines } from "../run/errors.js";
import type { RetryPolicy } from "../run/retry.js";
import { argumentSchema, type JsonSchema, propertiesOf } from "./argument-schema.js";

/** The arguments of a tool with a zod schema, as a model writes them; of any other tool unknown. */
export type ArgsOf<Tool> = Tool extends { readonly schema: infer Schema }
  ? Schema extends InteropZodObject
    ? InferInteropZodInput<Schema>
    : unknown
  : unknown;

/** The names of such arguments. */
type NamesIn<Args> = unknown extends Args ? string : keyof Args & string;

/**
 * Properties of a tool that LangChain's interface does not have. Every field is optional. `Args` are the arguments of
 * the tool.
 */
export type ToolPolicy<Args = unknown> = {
  /**
   * The effect of a call on the outside world. Only `read` and `idempotent` calls are retried. A `write` runs alone,
   * and its start is recorded first. `write` calls, `idempotent` calls and calls that need approval keep the order of
   * the turn or plan: each waits for all earlier calls, and all later calls wait for it, even if it failed. All other
   * calls run in parallel. Undefined: the call is not retried, and runs again after a crash in the middle of it; with
   * `needsApproval` the default is `write`. A `write` tool that itself calls LangGraph's `interrupt` may run again
   * after a crash: use `needsApproval` instead.
   */
  readonly effect?: "read" | "idempotent" | "write";
  /**
   * The resource that a call acts on, from its arguments (an order's number, say). Calls with different keys do not
   * wait for one another; both need a key. A call acts on everything if this throws or returns no text, if an argument
   * refers to another step's result, or if it may need approval (a person may edit it). `write` calls still run singly.
   */
  readonly resource?: (args: Readonly<Record<string, unknown>>) => string;
  /** The same call may return another result (random numbers, polling): it is never answered from memory. */
  readonly volatile?: boolean;
  /**
   * A model or an agent writes the result: it has five minutes (`timeoutMs`), is not repeated like a request that failed
   * on the way (`retry`), and its words ground no arguments.
   */
  readonly isModel?: boolean;
  /** Milliseconds for one attempt; default 30 000. The run's deadline still applies. */
  readonly timeoutMs?: number;
  /** Default: 3 attempts in total, 500 ms before the second. */
  readonly retry?: RetryPolicy;
  /**
   * Whether a person must approve a call. A tool with this rule and no `effect` is a `write`. Default: `false`; a `write`
   * is asked about if untrusted text was read before it, in its run or in the run that calls it.
   */
  readonly needsApproval?: boolean | ((args: Args) => boolean);
  /** Milliseconds in which a person can approve the call; after a later approval it does not run. Default: no limit. */
  readonly expiresAfter?: number;
  /** After `expiresAfter`: "reject" (default) refuses the call, "hand_off" hands the run off to a person. */
  readonly onExpiry?: "reject" | "hand_off";
  /** Longer results are cut in the middle; default 16 000 characters. */
  readonly maxResultChars?: number;
  /** A successful call that is alone in its turn ends the run with its result. */
  readonly returnDirect?: boolean;
  /**
   * Parameters (ids, amounts) whose value must occur in the user's words or in the result of a trusted tool. Values
   * from untrusted results or from a model do not count.
   */
  readonly grounded?: readonly NamesIn<Args>[];
  /**
   * Parameters whose value comes from the `memory` of the run: an id of a name, as `{ orderId: "order.orderId" }`.
   * Models see neither the parameter nor the value, and what they write there is dropped. People who approve a call see
   * the value and may change it. Where the memory does not know it the call is refused.
   */
  readonly fromMemory?: { readonly [Name in NamesIn<Args>]?: string };
  /** Instructions for the model after each result, outside the fence of an untrusted one. */
  readonly resultPrompt?: string;
  /**
   * Untrusted results are fenced as data, and a `write` after them asks a person, unless it states `needsApproval`.
   * Default: trusted; untrusted for HTTP, MCP and search.
   */
  readonly trust?: "trusted" | "untrusted";
};

/** Tools that involve the run: they ask a person, end the run, pass on a sub-run's requests, or read its results. */
export type BuiltInRole = "ask_user" | "hand_off" | "sub_run" | "read_result";

/** The strongest effect of a graph's tools: none declared, some change, or a change that must not happen twice. */
export type GraphEffects = "none" | "changes" | "writes";

/** Finds tools by what they do; `hidden` are those that models see only once they are found. */
export type ToolFinder = {
  readonly hidden: ReadonlySet<string>;
  /** The nearest tools, without the first of them that are to be skipped. */
  readonly find: (query: string, skip?: number) => Promise<readonly string[]>;
};

/** What the run knows about a tool that plangraph made. */
type ToolMarks = {
  readonly role?: BuiltInRole;
  /** Its calls are steps of a plan. They are not tool calls of the run, because steps count their own calls. */
  readonly isStep?: true;
  /** The effects of the tools inside it; `write` tools record their own starts. */
  readonly effects?: GraphEffects;
  /** It finds other tools, which models see only then. */
  readonly finder?: ToolFinder;
  /** Its server may ask people in the middle of a call, which is made again with their answers. */
  readonly elicits?: true;
  /** Parameters that take the files of results by their names. */
  readonly takesFiles?: readonly string[];
  /** It accepts digits as text for a number that JavaScript would change. */
  readonly takesExactNumbers?: true;
};

const policyKey = Symbol.for("plangraph.policy");
const marksKey = Symbol.for("plangraph.marks");

/** Attaches a policy to a tool, over an earlier one, and returns the tool. Throws `invalid_tool` for wrong fields. */
export function withPolicy<T extends StructuredToolInterface>(
  tool: T,
  policy: ToolPolicy<ArgsOf<T>>,
): T {
  checkFields(tool, policy);
  return Object.assign(tool, {
    [policyKey]: { ...attachedPolicy(tool), ...policy },
  });
}

/** Adds marks to a tool and returns it. */
export function withMarks<T extends StructuredToolInterface>(tool: T, marks: ToolMarks): T {
  return Object.assign(tool, { [marksKey]: { ...marksOf(tool), ...marks } });
}

/** The marks of a tool; empty for a tool that plangraph did not make. */
export function marksOf(tool: object): ToolMarks {
  const marks: ToolMarks | undefined = Reflect.get(tool, marksKey);
  return marks ?? {};
}

/** The policy attached to a tool, with LangChain's own `returnDirect`. */
export function attachedPolicy(tool: object): ToolPolicy {
  const policy: ToolPolicy | undefined = Reflect.get(tool, policyKey);
  return Reflect.get(tool, "returnDirect") === true
    ? { returnDirect: true, ...policy }
    : { ...policy };
}

/** Whether a policy was attached to the tool. */
export function hasOwnPolicy(tool: object): boolean {
  return Reflect.get(tool, policyKey) !== undefined;
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

const Retry = z.strictObject({ attempts: z.int().min(1), baseMs: z.number().min(0) });

/** A name of the memory, and the id in it. */
export const MemoryPath = z
  .string()
  .regex(/^[\p{L}\p{N}_-]{1,64}\..+$/u, 'expected "name.id", such as "order.orderId"');

const Policy = z.strictObject({
  effect: z.enum(["read", "idempotent", "write"]).optional(),
  resource: z.custom<() => string>(isFunction, "expected a function").optional(),
  volatile: z.boolean().optional(),
  isModel: z.boolean().optional(),
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
  fromMemory: z.record(z.string(), MemoryPath).optional(),
  resultPrompt: z.string().optional(),
  trust: z.enum(["trusted", "untrusted"]).optional(),
});

/** Checks the fields of a tool's policy. Throws `invalid_tool` for wrong ones, with the nearest names. */
function checkFields(tool: { readonly name: string }, policy: object): void {
  const parsed = Policy.safeParse(policy);
  if (parsed.success) return;
  const problem = parsed.error.issues
    .flatMap((issue) => issueLines([issue], undefined, namesAt(issue.path)))
    .join("; ");
  throw invalidTool(`The policy of "${tool.name}" does not fit: ${problem}.`);
}

/** The error for a tool or policy with which no graph can be built. */
export function invalidTool(message: string, cause?: unknown): PlangraphError {
  return new PlangraphError("invalid_tool", message, { cause });
}

function namesAt(path: readonly PropertyKey[]): string[] {
  return Object.keys(path.length === 0 ? Policy.shape : Retry.shape);
}

/** Checks a tool's schema and policy. Throws `invalid_tool` for a schema that models cannot read or a wrong policy. */
export function checkPolicy(
  tool: StructuredToolInterface,
  policy: Pick<ToolPolicy, "grounded" | "fromMemory">,
): void {
  const parameters = Object.keys(propertiesOf(schemaOf(tool)));
  checkFields(tool, policy);
  const isUnknown = (name: string) => !parameters.includes(name);
  const known = `The parameters are: ${parameters.join(", ")}.`;
  const ungroundable = (policy.grounded ?? []).find(isUnknown);
  if (ungroundable !== undefined && parameters.length > 0) {
    throw invalidTool(
      `The policy of "${tool.name}" grounds "${ungroundable}", which is no parameter. ${known}`,
    );
  }
  const unfillable = Object.keys(policy.fromMemory ?? {}).find(isUnknown);
  if (unfillable === undefined) return;
  throw invalidTool(
    `The policy of "${tool.name}" takes "${unfillable}" from memory, which is no parameter. ${known}`,
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
 * Thrown by a tool to state the kind of its failure, which decides whether the call is retried: `throw new
 * ToolError("unavailable", "The shop is closed.")`.
 */
export class ToolError extends ClassifiedError {}
