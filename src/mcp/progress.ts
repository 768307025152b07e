import { isRecord } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import type { CallExtra } from "./ask-client.js";

/** Characters of a message about progress. */
const maxChars = 200;

/** Sends a client that asked for it how far a run is: one notification an event that says so, with a growing number. */
export function reportProgress(
  extra: Pick<CallExtra, "sendNotification" | "_meta">,
): (event: AgentEvent) => void {
  const { _meta: meta } = extra;
  const progressToken = isRecord(meta) ? meta["progressToken"] : undefined;
  if (typeof progressToken !== "string" && typeof progressToken !== "number") {
    return () => undefined;
  }
  let progress = 0;
  return (event) => {
    const message = progressLine(event)?.slice(0, maxChars);
    if (message === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that is gone is told by the call's signal.
    extra.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** What a person who waits wants to know of an event. Arguments and results stay here. */
function progressLine(event: AgentEvent): string | undefined {
  if (event.type === "plan_made") {
    const tools = event.steps.map(({ id, tool }) => `${id} ${tool}`);
    return `planned: ${tools.join(", ")}`;
  }
  if (event.type === "routed") return `goes to ${event.route}`;
  if (event.type === "tool_started") return `calls ${event.tool}`;
  if (event.type === "tool_finished") {
    return `${event.tool} ${event.ok ? "is done" : `failed: ${event.error ?? "unknown"}`}`;
  }
  if (event.type === "progress") return event.content?.text;
  return event.type === "retry" ? `${event.of} is tried again` : undefined;
}
