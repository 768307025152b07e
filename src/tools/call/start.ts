import { defined } from "../../json/json.js";
import type { Next } from "../../run/stages.js";
import { decidedAs } from "../human-input.js";
import { observed, refused, type ToolCallResult } from "../tool-call.js";
import type { CheckedRequest } from "./stage.js";

/**
 * Returns a write that is not committed: it is recorded first and runs isolated. Refuses a call that a limit forbids;
 * counts every other one, and emits its start.
 */
export async function start(
  request: CheckedRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, entry, context, fromMemory } = request;
  const { id: callId, name: tool, args } = call;
  if (entry.policy.effect === "write" && !context.execution.isCommitted) {
    const kept = { args, ...defined({ fromMemory }) };
    const waiting = { callId, tool, ...kept, reason: "write", ...decidedAs(context) } as const;
    return { kind: "isolated", call: waiting };
  }
  const { budget, emit, watch, runId } = context.run;
  const reached = entry.counts ? budget.begin("toolCalls") : budget.reached("modelCalls");
  if (reached !== undefined) {
    const message = `not run: the run's limit of ${reached} was reached.`;
    return observed(refused(call, "cancelled", message, context), "limit");
  }
  emit({ type: "tool_started", callId, tool, content: { args } });
  const work = () => next(request);
  return watch === undefined ? work() : watch.around({ type: "tool", runId, callId }, work);
}
