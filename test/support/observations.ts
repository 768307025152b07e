import type { Observation } from "../../src/state/observation.js";

/** An observation of a call that went well, but for what is given. */
export function observation(given: Partial<Observation> = {}): Observation {
  return {
    callId: "c1",
    tool: "search",
    args: { query: "a" },
    ok: true,
    content: "found a",
    attempts: 1,
    startedAt: 1_000,
    ms: 5,
    ...given,
  };
}
