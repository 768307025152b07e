import { defined } from "../../json/json.js";
import type { ToolPolicy } from "../../tools/policy.js";
import type { AgentFile } from "../fields/agent-fields.js";

/** Policies of a file as tools take them. */
export function definedPolicies(policies: AgentFile["policies"] = {}): {
  readonly [name: string]: ToolPolicy;
} {
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [name, defined(policy)]),
  );
}
