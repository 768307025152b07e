import { decidedAs } from "../human-input.js";
import type { ToolCallResult } from "../tool-call.js";
import type { CheckedRequest, Next } from "./stage.js";

/** Leaves a write whose start is not on record: it goes on record first, and runs alone. */
export async function record(
  request: CheckedRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, entry, context } = request;
  if (entry.policy.effect !== "write" || context.execution.isCommitted) return next(request);
  const { id: callId, name: tool, args } = call;
  return { kind: "isolated", call: { callId, tool, args, reason: "write", ...decidedAs(context) } };
}
