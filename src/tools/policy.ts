import type { StructuredToolInterface } from "@langchain/core/tools";

import type { RetryPolicy } from "../guards/retry.js";

/** What the runner needs to know of a tool beyond LangChain's interface. Every field is optional. */
export type ToolPolicy = {
  /**
   * What running it does to the world. Only `read` and `idempotent` tools are retried; `write`
   * tools run one after another and are on record before they start. Undefined: not retried, runs
   * beside others, runs again after a crash that fell inside it; `write` where `needsApproval` is given. A `write` tool that itself calls
   * LangGraph's `interrupt` may run again after a crash: let `needsApproval` ask instead.
   */
  readonly effect?: "read" | "idempotent" | "write";
  /** The same call may give another result (random numbers, polling): never answered from memory. */
  readonly volatile?: boolean;
  /** Milliseconds for one attempt; default 30 000, never past the run's deadline. */
  readonly timeoutMs?: number;
  /** Default: 3 attempts in all, 500 ms before the second. */
  readonly retry?: RetryPolicy;
  /** Whether a person must approve a call. A tool with such a rule and no stated effect is a `write`. */
  readonly needsApproval?: boolean | ((args: unknown) => boolean);
  /** Longer results are cut in the middle; default 16 000 characters. */
  readonly maxResultChars?: number;
  /** A successful call made alone in its turn ends the run with its result. */
  readonly returnDirect?: boolean;
  /**
   * Parameters (ids, amounts) whose value must occur in what the user wrote or a trusted tool returned: what only an
   * untrusted result, or a model, says does not count.
   */
  readonly grounded?: readonly string[];
  /** What the model is told to do with a result: it follows it, outside the fence of an untrusted one. */
  readonly resultPrompt?: string;
  /** Untrusted results are fenced as data. Default trusted; untrusted for HTTP, MCP and search. */
  readonly trust?: "trusted" | "untrusted";
};

/** Tools in which the run has a part: it asks a person, ends, brings out what a sub-run asks, or reads its own results. */
export type BuiltInRole = "ask_user" | "hand_off" | "sub_run" | "read_result";

const policyKey = Symbol.for("plangraph.policy");
const roleKey = Symbol.for("plangraph.role");
const writesKey = Symbol.for("plangraph.writes");

/** Attaches a policy to a tool, over one it already has, and returns the tool. */
export function withPolicy<T extends StructuredToolInterface>(tool: T, policy: ToolPolicy): T {
  return Object.assign(tool, {
    [policyKey]: { ...attachedPolicy(tool), ...policy },
  });
}

/** Marks a tool as one in which the run has a part. */
export function withRole<T extends StructuredToolInterface>(tool: T, role: BuiltInRole): T {
  return Object.assign(tool, { [roleKey]: role });
}

/** The policy attached to a tool; LangChain's own `returnDirect` counts. */
export function attachedPolicy(tool: object): ToolPolicy {
  const policy: ToolPolicy | undefined = Reflect.get(tool, policyKey);
  return Reflect.get(tool, "returnDirect") === true
    ? { returnDirect: true, ...policy }
    : { ...policy };
}

/** The part that the run has in a tool, if any. */
export function roleOf(tool: object): BuiltInRole | undefined {
  return Reflect.get(tool, roleKey);
}

/** Marks a tool as one that has `write` tools inside, which put on record by themselves what they begin. */
export function withWrites<T extends StructuredToolInterface>(tool: T): T {
  return Object.assign(tool, { [writesKey]: true });
}

/** Whether a tool has `write` tools inside. */
export function hasWritesInside(tool: object): boolean {
  return Reflect.get(tool, writesKey) === true;
}
