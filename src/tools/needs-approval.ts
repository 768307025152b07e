import type { JsonObject } from "../json/json.js";
import type { RunScope } from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import type { ToolPolicy } from "./policy.js";
import type { ToolEntry } from "./toolbox.js";

/** What was read before a call: the results of its run, and what the calling run had read. */
type ReadBefore = {
  readonly observations: readonly Observation[];
  readonly run?: Pick<RunScope, "untrusted">;
};

/**
 * The untrusted tool whose text may have asked for a call: the run has a result of it, or the run that calls it had one.
 * A call that did not run has brought no text.
 */
export function untrustedRead({ observations, run }: ReadBefore): string | undefined {
  return run?.untrusted ?? observations.map(untrustedIn).find((tool) => tool !== undefined);
}

function untrustedIn({ tool, trust, run, attempts }: Observation): string | undefined {
  if (trust === "untrusted" && attempts > 0) return tool;
  return run?.observations.map(untrustedIn).find((inner) => inner !== undefined);
}

/**
 * Whether a person must approve the calls of a tool. Without a rule in its policy: those of a write after text of the
 * untrusted tool `read`, which may be what the text wants and not what the user wants.
 */
export function approvalRule(
  { needsApproval: rule, effect }: ToolPolicy,
  read: string | undefined,
): NonNullable<ToolPolicy["needsApproval"]> {
  return rule ?? (effect === "write" && read !== undefined);
}

/** Whether a person must approve a call; also if the rule throws on these arguments. */
export function needsApproval(
  { policy }: ToolEntry,
  args: JsonObject,
  read: string | undefined,
): boolean {
  const rule = approvalRule(policy, read);
  try {
    return typeof rule === "function" ? rule(args) : rule;
  } catch {
    return true;
  }
}
