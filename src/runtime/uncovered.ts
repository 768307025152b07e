import type { ErrorKind, Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import { failedOutcome } from "../state/outcome.js";
import type { Run } from "./enter-run.js";

/** What comes of asking for a tool that does not exist, and of asking again. */
const nothing: ReadonlySet<ErrorKind> = new Set(["unknown_tool", "repeated"]);

/**
 * Whether nothing that a graph has covers the case: all that its model asked for are tools that do not exist, although
 * it had been told which ones there are (`wasTold`: by an earlier refusal, or by what was wrong with its plans), and
 * nothing else came of the run.
 */
export function isUncovered(observations: readonly Observation[], wasTold: boolean): boolean {
  const calls = observations.flatMap(callsIn);
  return (
    wasTold &&
    calls.length > 0 &&
    calls.every(({ error }) => error !== undefined && nothing.has(error.kind))
  );
}

/** How the run ends where nothing covers it and a person takes over for that. */
export function uncoveredEnd(
  observations: readonly Observation[],
  wasTold: boolean,
  { settings }: Run,
): { outcome?: Outcome } {
  if (!settings.handOffOn.includes("uncovered") || !isUncovered(observations, wasTold)) return {};
  const names = new Set(observations.flatMap(callsIn).map(({ tool }) => `"${tool}"`));
  const reason = `No tool covers this: what was asked for does not exist (${[...names].join(", ")}).`;
  return { outcome: failedOutcome(reason, "uncovered") };
}

/** A call, or the calls that it consists of. */
function callsIn(observation: Observation): readonly Observation[] {
  const { observations = [] } = observation.run ?? {};
  return observations.length === 0 ? [observation] : observations.flatMap(callsIn);
}
