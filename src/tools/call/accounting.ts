import { observed, refused, type ToolCallResult } from "../tool-call.js";
import type { CheckedRequest, Next } from "./stage.js";

/** Refuses a call that a limit forbids; counts every other one, and emits its start. */
export async function accounting(
  request: CheckedRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, entry, context } = request;
  const { budget, emit } = context.run;
  const reached = entry.counts ? budget.begin("toolCalls") : budget.reached("modelCalls");
  if (reached !== undefined) {
    const message = `not run: the run's limit of ${reached} was reached.`;
    return observed(refused(call, "cancelled", message, context), "limit");
  }
  const { id: callId, name: tool, args } = call;
  emit({ type: "tool_started", callId, tool, content: { args } });
  return next(request);
}
