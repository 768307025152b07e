import type { ReadPlanOptions } from "./plan-draft.js";
import { createPlanReader } from "./plan-reader.js";
import type { ReadPlan } from "./step.js";

/**
 * Reads a plan that a model wrote: the JSON form, ReWOO text, LLMCompiler text or a numbered list. Never
 * throws, never judges, and drops nothing: what belongs to no step is in `unread`. `isCut` says that the
 * text ended at a limit, so that what reaches its end is not whole.
 */
export function parsePlan(
  input: string | object,
  { isCut = false, ...options }: ReadPlanOptions & { readonly isCut?: boolean } = {},
): ReadPlan {
  const reader = createPlanReader(options);
  const text = typeof input === "string" ? input : asText(input);
  reader.push(text);
  return reader.end(isCut);
}

function asText(value: object): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // It refers to itself or is too deep: nothing that a model wrote.
    return "";
  }
}
