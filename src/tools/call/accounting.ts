import { observed, refused, type ToolCallResult } from "../tool-call.js";
import type { CheckedRequest, Next } from "./stage.js";

/** Refuses a call that a limit forbids; counts every other one, and emits its start. */
export async function accounting(
  request: CheckedRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, context } = request;
  const { ledger, emit } = context.run;
  const reached =
    context.isStep === true ? ledger.reached("modelCalls") : ledger.begin("toolCalls");
  if (reached !== undefined) {
    const message = `not run: the run's limit of ${reached} was reached.`;
    return observed(refused(call, "cancelled", message, context), "limit");
  }
  const { id: callId, name: tool, args } = call;
  emit({ type: "tool_started", callId, tool, content: { args } });
  return next(request);
}
