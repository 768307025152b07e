import { defined } from "../json/json.js";
import { approvalRuleOf } from "../tools/approval-form.js";
import type { ToolPolicy } from "../tools/policy.js";
import type { Service } from "./definition.js";

type Effect = NonNullable<ToolPolicy["effect"]>;

const effects: { readonly [method: string]: Effect } = {
  GET: "read",
  HEAD: "read",
  PUT: "idempotent",
  DELETE: "idempotent",
};

/** The effect of a service: the stated one, or the one that its method has by HTTP. */
export function effectOf({ effect, request }: Service): Effect {
  return effect ?? effects[request.method] ?? "write";
}

/** The policy of a service's tool, from its definition. */
export function policyOf(service: Service): ToolPolicy {
  const { timeoutMs, retry, maxResultChars, volatile, grounded, fromMemory } = service;
  const { trust = "untrusted", needsApproval, result } = service;
  const to = typeof result === "object" ? result.to : result;
  return {
    effect: effectOf(service),
    trust,
    ...defined({ timeoutMs, retry, maxResultChars, volatile, grounded, fromMemory }),
    ...defined({ needsApproval: approvalRuleOf(needsApproval) }),
    ...defined({ resource: resourceOf(service), resultPrompt: promptOf(service) }),
    ...(to === "return" ? { returnDirect: true } : {}),
  };
}

/** The key of what a call acts on; a call without the parameter acts on everything. */
function resourceOf({ resource }: Service): ToolPolicy["resource"] {
  if (resource === undefined) return undefined;
  return (args) => {
    const value = args[resource];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
}

/** A model that knows about a table it cannot see invents its rows. */
const shownPrompt =
  'The user has the result on the screen. If nothing else was asked, answer in the user\'s language: "You see it on your screen."';

/** Instructions for the model about the result. */
function promptOf({ result }: Service): string | undefined {
  if (typeof result !== "object" || result.to === "return") return undefined;
  return result.to === "render" ? shownPrompt : result.prompt;
}
