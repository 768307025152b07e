import type { ToolCallResult } from "../tools/tool-call.js";

/** What became of a step: that of its call, or that it waits for a step that has no result yet. */
export type StepResult = ToolCallResult | { readonly kind: "deferred" };

/** Results by step id. */
export type StepResults = ReadonlyMap<string, StepResult>;

/** Whether all of these steps have ended. */
export function allEnded(results: readonly (StepResult | undefined)[]): boolean {
  return results.every((result) => result?.kind === "observed");
}

/** The result of a step's call, where it has one. */
export function callResult(result: StepResult | undefined): ToolCallResult[] {
  return result === undefined || result.kind === "deferred" ? [] : [result];
}
