import { recordsOf, withDecisions } from "../human-input.js";
import type { ToolCallResult } from "../tool-call.js";
import type { CallRequest, Next } from "./stage.js";

/** Keeps what people decided of a call with its observation. */
export async function decisions(
  request: CallRequest,
  next: Next<CallRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const result = await next(request);
  if (result.kind !== "observed") return result;
  const { decision, continues } = request.context;
  const { decisions: before } = continues?.subRun ?? request.context;
  const kept = withDecisions(recordsOf({ decision, decisions: before }));
  return { ...result, observation: { ...result.observation, ...kept } };
}
