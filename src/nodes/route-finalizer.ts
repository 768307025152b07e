import type { GraphNode } from "@langchain/langgraph";

import { failedSentence, stoppedSentence } from "../prompts/closing.js";
import { closeRun, type EndWrites } from "../runtime/close-run.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import type { Outcome } from "../state/outcome.js";
import type { RoutingState } from "../state/routing.js";
import { noUsage } from "../state/usage.js";

/** Ends a run whose route has said the last word; of one that came to no route it says why. No model is asked. */
export function createRouteFinalizer(): GraphNode<typeof RoutingState> {
  return async function finalizer(state, config): Promise<EndWrites> {
    const run = enterRun(state, config, "finalizer");
    const { outcome = { status: "answered" }, structuredResponse } = state;
    const answer = state.answer ?? endWords(outcome, run);
    return closeRun(state, { answer, outcome, usage: noUsage, structuredResponse }, run);
  };
}

function endWords({ status, limit, reason = "" }: Outcome, run: Run): string {
  if (limit !== undefined) {
    run.emit({ type: "limit_reached", limit });
    return stoppedSentence(limit);
  }
  return status === "failed" ? failedSentence(reason) : reason;
}
