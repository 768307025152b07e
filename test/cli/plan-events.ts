import type { AgentEvent, AgentEventBody } from "../../src/observe/events.js";
import type { ErrorKind } from "../../src/state/observation.js";

/** An event of the run "r" at a time in milliseconds. */
export function at(event: AgentEventBody, time = 1_000, runId = "r"): AgentEvent {
  return { ...event, runId, node: "worker", at: time };
}

/** A plan of steps that nap, with these ids. */
export function planned(...ids: readonly string[]): AgentEventBody {
  const steps = ids.map((id) => ({ id, tool: "nap" }));
  const told = steps.map((step) => ({ ...step, thought: `Nap ${step.id}.`, args: {} }));
  return { type: "plan_made", steps, content: { steps: told } };
}

/** The start of a step. */
export function begun(callId: string): AgentEventBody {
  return { type: "tool_started", callId, tool: "nap", content: { args: { id: callId } } };
}

/** The end of a step that went well. */
export function done(callId: string): AgentEventBody {
  const content = { result: `rested ${callId}` };
  return { type: "tool_finished", callId, tool: "nap", ok: true, attempts: 1, ms: 5, content };
}

/** The end of a step that did not; without attempts it was not run. */
export function failed(
  callId: string,
  error: ErrorKind,
  attempts = 1,
  why = "why",
): AgentEventBody {
  const content = { result: `Error (${error}): ${why}` };
  return { type: "tool_finished", callId, tool: "nap", ok: false, attempts, ms: 5, error, content };
}
