import { emitToolEvents, type ToolCallResult } from "../tool-call.js";
import type { CallRequest, Next } from "./stage.js";

/** Emits the end of a call, and its start where no tool ran that did. */
export async function events(
  request: CallRequest,
  next: Next<CallRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, context } = request;
  const result = await next(request);
  if (result.kind === "observed") {
    const { observation } = result;
    // `accounting` emits the start of a tool that runs; other calls start and end at once.
    const isAnswered = context.toolbox.get(call.name)?.role === "ask_user";
    emitToolEvents(observation, observation.attempts > 0 && !isAnswered, context.run);
  }
  return result;
}
