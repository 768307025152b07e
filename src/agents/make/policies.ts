import { defined } from "../../json/json.js";
import { approvalRuleOf } from "../../tools/approval-form.js";
import type { ToolPolicy } from "../../tools/policy.js";
import type { AgentFile } from "../fields/agent-fields.js";

/** Policies of a file as tools take them. */
export function definedPolicies(policies: AgentFile["policies"] = {}): {
  readonly [name: string]: ToolPolicy;
} {
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [
      name,
      defined({ ...policy, needsApproval: approvalRuleOf(policy.needsApproval) }),
    ]),
  );
}

/** The policies of these tools alone: others are of agents and executors, which have files of their own. */
export function policiesFor(
  tools: readonly { readonly name: string }[],
  policies: AgentFile["policies"],
): { readonly [name: string]: ToolPolicy } {
  const names = new Set(["*", ...tools.map(({ name }) => name)]);
  const own = Object.entries(definedPolicies(policies)).filter(([name]) => names.has(name));
  return Object.fromEntries(own);
}
