import type { Next } from "../../run/stages.js";
import { decisionsOn, recordsOf, withDecisions } from "../human-input.js";
import { emitToolEvents, type ToolCallResult } from "../tool-call.js";
import type { CallRequest } from "./stage.js";

/** Records decisions in a call's observation and emits the call's end; its start too if no tool ran. */
export async function report(
  request: CallRequest,
  next: Next<CallRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, context } = request;
  const { decision, continues, toolbox, run } = context;
  const result = await next(request);
  if (result.kind !== "observed") return result;
  const { role, elicits = false } = toolbox.get(call.name) ?? {};
  const decisions =
    continues === undefined ? context.decisions : decisionsOn(continues, { elicits });
  const kept = withDecisions(recordsOf({ decision, decisions }));
  const observation = { ...result.observation, ...kept };
  // `start` emits the start of a tool that runs; other calls start and end at once.
  const isAnswered = role === "ask_user";
  emitToolEvents(observation, observation.attempts > 0 && !isAnswered, run);
  return { ...result, observation };
}
