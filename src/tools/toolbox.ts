import type { StructuredToolInterface } from "@langchain/core/tools";

import { isProviderTool } from "../models/provider-tool.js";
import { shown } from "../run/check-names.js";
import { shownTool } from "./from-memory.js";
import {
  attachedPolicy,
  type BuiltInRole,
  checkPolicy,
  type GraphEffects,
  hasOwnPolicy,
  invalidTool,
  marksOf,
  type ToolPolicy,
} from "./policy.js";

/** A tool with its policy and marks. */
export type ToolEntry = {
  /** The tool as models see it. */
  readonly tool: StructuredToolInterface;
  /** The tool that runs, where memory fills parameters that models do not see. */
  readonly whole?: StructuredToolInterface;
  readonly policy: ToolPolicy;
  readonly role: BuiltInRole | undefined;
  /** Whether its calls are tool calls of the run; a step of a plan is not. */
  readonly counts: boolean;
  /** A call of it may ask people in the middle, and is made again with their answers. */
  readonly elicits?: boolean;
};

/** A graph's tools by name. */
export type Toolbox = ReadonlyMap<string, ToolEntry>;

/** Tool names that model providers accept. */
const toolName = /^[\p{L}\p{N}_.-]{1,64}$/u;
/** The names that tools can have, in words. */
export const toolNames = '1 to 64 letters, digits, "_", "-" or "."';

/** The key for the policy of all tools without their own. */
const anyTool = "*";

/**
 * Collects a graph's tools, and `more` of its middleware. `policies` by tool name override attached ones; `"*"` is for tools without either, but not
 * for built-in tools and graphs. Throws `invalid_tool` for a value that is not a tool, for a bad or duplicate name, and
 * for a policy that is invalid or names no tool.
 */
export function createToolbox(
  tools: readonly unknown[],
  policies: { readonly [name: string]: ToolPolicy } = {},
  more: readonly unknown[] = [],
): Toolbox {
  const toolbox = new Map<string, ToolEntry>();
  if (!Array.isArray(tools)) {
    throw invalidTool(`tools: expected a list of LangChain tools, got ${shown(tools)}.`);
  }
  for (const tool of [...tools, ...more]) {
    checkTool(tool, toolbox);
    const given = { ...attachedPolicy(tool), ...(policies[tool.name] ?? standIn(tool, policies)) };
    checkPolicy(tool, given);
    const { role, isStep, elicits = false } = marksOf(tool);
    const policy = withEffect(given);
    const counts = isStep !== true;
    toolbox.set(tool.name, { ...shownTool(tool, policy), policy, role, counts, elicits });
  }
  for (const name of Object.keys(policies)) {
    if (!toolbox.has(name) && name !== anyTool) {
      throw invalidTool(
        `toolPolicies names "${name}", but there is no such tool. The tools are: ${namesOf(toolbox)}.`,
      );
    }
  }
  return toolbox;
}

/** A tool with approval is a `write` unless its policy says otherwise: its calls must not happen twice. */
function withEffect(policy: ToolPolicy): ToolPolicy {
  const { effect, needsApproval = false } = policy;
  return effect === undefined && needsApproval !== false ? { ...policy, effect: "write" } : policy;
}

function standIn(
  tool: object,
  policies: { readonly [name: string]: ToolPolicy },
): ToolPolicy | undefined {
  const hasOwn = hasOwnPolicy(tool) || marksOf(tool).role !== undefined;
  return hasOwn ? undefined : policies[anyTool];
}

/** The tools with these names; all of them without names. */
export function narrowed(toolbox: Toolbox, names: readonly string[] | undefined): Toolbox {
  if (names === undefined) return toolbox;
  return new Map([...toolbox].filter(([name]) => names.includes(name)));
}

/** The policy of a tool by name; empty for an unknown tool. */
export function policyIn(toolbox: Toolbox): (name: string) => ToolPolicy {
  return (name) => toolbox.get(name)?.policy ?? {};
}

function namesOf(toolbox: Toolbox): string {
  return toolbox.size === 0 ? "none" : [...toolbox.keys()].join(", ");
}

function checkTool(tool: unknown, known: Toolbox): asserts tool is StructuredToolInterface {
  if (!isTool(tool)) {
    if (isProviderTool(tool)) {
      throw invalidTool(
        `The tool of type "${tool.type}" is run by the model's server, where no policy, limit or plan reaches it: such tools are not supported. Expected a LangChain tool.`,
      );
    }
    throw invalidTool(
      `Expected a LangChain tool (from \`tool(…)\` or StructuredTool), got ${describe(tool)}.`,
    );
  }
  if (!toolName.test(tool.name)) {
    throw invalidTool(`The tool name "${tool.name}" is not usable: expected ${toolNames}.`);
  }
  if (known.has(tool.name)) {
    throw invalidTool(`Two tools are named "${tool.name}"; names must differ.`);
  }
}

/** Whether a tool can have this name. */
export function isToolName(name: unknown): boolean {
  return typeof name === "string" && toolName.test(name);
}

/** Whether a value is a tool of LangChain's. */
export function isTool(tool: unknown): tool is StructuredToolInterface {
  return (
    typeof tool === "object" &&
    tool !== null &&
    "invoke" in tool &&
    "schema" in tool &&
    "name" in tool
  );
}

function describe(value: unknown): string {
  if (value === null || typeof value !== "object") return `${typeof value} ${String(value)}`;
  return shown(value);
}

/** Whether a run can be handed off to a person: one of the tools has that role. */
export function hasHandOff(toolbox: Toolbox): boolean {
  return [...toolbox.values()].some(({ role }) => role === "hand_off");
}

/** Whether a call may change anything, by its policy: it writes, needs approval, or contains tools that write. */
export function changesAnything(toolbox: Toolbox, name: string): boolean {
  const entry = toolbox.get(name);
  if (entry === undefined) return false;
  return mayChange(entry) || (entry.policy.needsApproval ?? false) !== false;
}

/** Whether a call of any of the tools may change anything. */
export function changesSomething(toolbox: Toolbox): boolean {
  return [...toolbox.keys()].some((name) => changesAnything(toolbox, name));
}

/** The effects of the tools, including those inside graphs as tools. */
export function effectsOf(toolbox: Toolbox): GraphEffects {
  const entries = [...toolbox.values()];
  if (entries.some(isWrite)) return "writes";
  return entries.some(mayChange) ? "changes" : "none";
}

function isWrite({ tool, policy }: ToolEntry): boolean {
  return policy.effect === "write" || marksOf(tool).effects === "writes";
}

/** Whether a call of the tool may change something, by its policy: such calls keep their order. */
export function mayChange({ tool, policy }: ToolEntry): boolean {
  const { effect, needsApproval = false } = policy;
  if (effect === "write" || effect === "idempotent" || needsApproval === true) return true;
  if ((marksOf(tool).effects ?? "none") !== "none") return true;
  return needsApproval !== false && effect !== "read";
}

/** The names of the tools that are declared reads and need no approval. */
export function statedReads(toolbox: Toolbox): ReadonlySet<string> {
  return new Set([...toolbox.values()].filter(isStatedRead).map(({ tool }) => tool.name));
}

function isStatedRead({ policy: { effect, needsApproval = false } }: ToolEntry): boolean {
  return effect === "read" && needsApproval === false;
}
