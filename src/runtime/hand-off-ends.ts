import type { ErrorKind, Observation } from "../state/observation.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import type { Run } from "./enter-run.js";

/** How an unreadable result ends the run, where the run is then handed off. */
export function unreadEnd(
  observations: readonly Observation[],
  { settings }: Run,
): { outcome?: Outcome } {
  const result = observations.find((each) => each.unread !== undefined && each.media === undefined);
  const { tool, unread } = result ?? {};
  if (unread === undefined || !settings.handOffOn.includes("unsupported_input")) return {};
  const what = { image: "an image", audio: "audio", video: "a video", file: "a file" }[unread];
  const reason = `The result of ${tool} is ${what}, which the model cannot read.`;
  return { outcome: failedOutcome(reason, "unsupported_input") };
}

/** Errors for a tool that does not exist, and for asking again. */
const nothing: ReadonlySet<ErrorKind> = new Set(["unknown_tool", "repeated"]);

/**
 * Whether no tool of the graph covers the case: the model called only tools that do not exist, although it knew which
 * exist (`wasTold`: from an earlier refusal, or from the problems of its plans), and nothing else happened.
 */
export function hasNoTool(observations: readonly Observation[], wasTold: boolean): boolean {
  const calls = observations.flatMap(callsIn);
  return (
    wasTold &&
    calls.length > 0 &&
    calls.every(({ error }) => error !== undefined && nothing.has(error.kind))
  );
}

/** How the run ends where no tool covers the case, and it is then handed off. */
export function noToolEnd(
  observations: readonly Observation[],
  wasTold: boolean,
  { settings }: Run,
): { outcome?: Outcome } {
  if (!settings.handOffOn.includes("no_tool") || !hasNoTool(observations, wasTold)) return {};
  const names = new Set(observations.flatMap(callsIn).map(({ tool }) => `"${tool}"`));
  const reason = `No tool covers this: what was asked for does not exist (${[...names].join(", ")}).`;
  return { outcome: failedOutcome(reason, "no_tool") };
}

/** How many calls of a tool in a row must fail before a person is needed. */
const maxToolFailures = 3;

/** Failures that another call of the model's may avoid, and calls that did not run. */
const ofModel: ReadonlySet<ErrorKind> = new Set([
  "unknown_tool",
  "invalid_arguments",
  "denied",
  "repeated",
  "skipped",
  "cancelled",
]);

/**
 * How the run ends where a tool fails again and again, and it is then handed off. A result from memory is no further
 * failure.
 */
export function toolFailuresEnd(
  observations: readonly Observation[],
  { settings }: Run,
): { outcome?: Outcome } {
  if (!settings.handOffOn.includes("tool_failures")) return {};
  const failures = new Map<string, number>();
  for (const { tool, ok, error, attempts } of observations.flatMap(callsIn)) {
    const hasRun = attempts > 0;
    if (!hasRun || (error !== undefined && ofModel.has(error.kind))) continue;
    const count = ok ? 0 : (failures.get(tool) ?? 0) + 1;
    failures.set(tool, count);
    if (count < maxToolFailures) continue;
    const reason = `The tool "${tool}" failed ${count} times in a row.`;
    return { outcome: failedOutcome(reason, "tool_failures") };
  }
  return {};
}

/** A call, or the calls of its sub-run. */
function callsIn(observation: Observation): readonly Observation[] {
  const { observations = [] } = observation.run ?? {};
  return observations.length === 0 ? [observation] : observations.flatMap(callsIn);
}
