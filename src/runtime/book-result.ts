import type { Observation } from "../state/observation.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../state/usage.js";
import type { ToolCallContext, ToolCallResult } from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";

/** What the results used, for the state. */
export function usageOf(results: readonly ToolCallResult[]): Usage {
  return results.map(usageIn).reduce(addUsage, noUsage);
}

/** The id of the call that a result is of. */
export function callIdOf(result: ToolCallResult): string {
  if (result.kind === "observed") return result.observation.callId;
  if (result.kind === "asks") return result.request.callId;
  return result.kind === "waits" ? result.subRun.callId : result.call.callId;
}

/** The observation of a call that has one. */
export function observationIn(result: ToolCallResult): Observation[] {
  return result.kind === "observed" ? [result.observation] : [];
}

/** Counts a call that ran just now; what it used inside has been booked as it happened. */
export function bookLive(
  result: ToolCallResult,
  continues: ToolCallContext["continues"],
  { run, isStep }: Pick<ToolCallContext, "isStep"> & { readonly run: Run },
): void {
  const used = continues === undefined && isStep !== true ? toolUsage(1) : noUsage;
  if (isMade(result)) bookOnce(result, used, true, run);
}

/** Counts what a replayed result used; one that ran just now has been counted already. */
export function bookResult(result: ToolCallResult, run: Run): void {
  bookOnce(result, usageIn(result), false, run);
}

function bookOnce(result: ToolCallResult, used: Usage, live: boolean, { ledger }: Run): void {
  ledger.book(bookingKey(result), used, live);
}

/** The key of what a call used, in this part of it. */
function bookingKey(result: ToolCallResult): string {
  const callId = callIdOf(result);
  if (result.kind === "observed") return callId;
  return result.kind === "waits" ? `${callId}:part ${result.subRun.parts}` : `${callId}:begun`;
}

/** Notes that what a call used has been counted as it happened. */
export function markBooked(result: ToolCallResult, run: Run): void {
  bookOnce(result, noUsage, true, run);
}

/** Whether a tool ran. */
function isMade(result: ToolCallResult): boolean {
  return result.kind === "waits" || observationIn(result).some(({ attempts }) => attempts > 0);
}

/** What a call used, or the part of it that the result is of. */
function usageIn(result: ToolCallResult): Usage {
  if (result.kind !== "observed") return result.used ?? noUsage;
  const { usage = noUsage } = result.observation;
  return result.used ?? addUsage(isMade(result) ? toolUsage(1) : noUsage, usage);
}
