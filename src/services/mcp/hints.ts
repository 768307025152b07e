import { isRecord } from "../../json/json.js";
import type { ToolPolicy } from "../../tools/policy.js";

/**
 * The policy of a tool, from its server's annotations. A hint that asks for more care is always believed; one that asks
 * for less only from a trusted server, with one exception: a tool that is said to read asks nobody, so that the
 * read-only tools of any server can be used. It still runs alone and once, because nobody has checked that it reads.
 */
export function policyOf(
  annotations: unknown,
  isTrusted: boolean,
): Pick<ToolPolicy, "effect" | "needsApproval"> {
  const hints = isRecord(annotations) ? annotations : {};
  const reads = hints["readOnlyHint"] === true;
  const isRepeatable = hints["idempotentHint"] === true;
  const destroys = hints["destructiveHint"] === true;
  // The protocol gives the hint a meaning only for tools that do not just read.
  if (isTrusted && reads) return { effect: "read" };
  const effect = isTrusted && isRepeatable ? "idempotent" : "write";
  if (destroys) return { effect, needsApproval: true };
  return reads ? { effect, needsApproval: false } : { effect };
}
