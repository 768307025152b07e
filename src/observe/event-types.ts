import { isRecord } from "../json/json.js";
import type { AgentEvent } from "./events.js";

/** All event types: the compiler requires an entry for a new one. */
export const eventTypes: { readonly [Type in AgentEvent["type"]]: true } = {
  run_started: true,
  run_finished: true,
  run_stopped: true,
  model_started: true,
  model_finished: true,
  model_failed: true,
  model_corrected: true,
  model_adapted: true,
  routed: true,
  memory_read: true,
  retrieved: true,
  plan_made: true,
  plan_changed: true,
  progress: true,
  arguments_repaired: true,
  result_replaced: true,
  reload_failed: true,
  degraded: true,
  tool_started: true,
  tool_finished: true,
  retry: true,
  fallback: true,
  limit_reached: true,
  input_needed: true,
  decided: true,
  handed_off: true,
};

/** Whether an entry of the stream is our event: a caller's tools may write to the stream as well. */
export function isAgentEvent(data: unknown): data is AgentEvent {
  if (!isRecord(data) || typeof data["runId"] !== "string") return false;
  return typeof data["type"] === "string" && Object.hasOwn(eventTypes, data["type"]);
}
