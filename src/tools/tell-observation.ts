import type { RunScope } from "../run/scope.js";
import type { Observation } from "../state/observation.js";

/** Tells of a call's end, and of its start where no tool ran that did: every call is seen as both. */
export function tellObservation(
  { callId, tool, args, ok, attempts, ms, error, content }: Observation,
  hasStarted: boolean,
  { emit }: RunScope,
): void {
  if (!hasStarted) emit({ type: "tool_started", callId, tool, content: { args } });
  emit({
    type: "tool_finished",
    callId,
    tool,
    ok,
    attempts,
    ms,
    ...(error === undefined ? {} : { error: error.kind }),
    content: { result: content },
  });
}
