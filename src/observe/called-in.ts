import type { AgentEvent } from "./events.js";

/** The tool, model or stage of a search whose call an event ends: what it counts for in figures. */
export function calledIn(event: AgentEvent): string | undefined {
  if (event.type === "tool_finished") return event.tool;
  if (event.type === "model_finished" || event.type === "model_failed") return event.model;
  return event.type === "retrieved" ? event.stage : undefined;
}
