import { limitAt } from "../run/budget.js";
import type { GraphNode } from "@langchain/langgraph";

import { type Json, jsonText } from "../json/json.js";
import { substituteReferences } from "../plan/references.js";
import { inputName, type WorkflowStep } from "../plan/workflow/steps.js";
import { resultsIn } from "../plan/step-verdict.js";
import { enterRun } from "../runtime/enter-run.js";
import { isUntaken, stepEnds, tooLargeFor } from "../runtime/plan/step-end.js";
import { answeredEnd } from "../runtime/reply-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import type { WorkflowState } from "../state/workflow.js";
import { maxKeptChars } from "../tools/kept-result.js";

type ReporterOptions = {
  readonly steps: readonly WorkflowStep[];
  /** The output, with references. */
  readonly output: Json;
  /** The problems of an output, in a sentence; nothing for one that fits. */
  readonly check: (output: Json) => string | undefined;
};

type Reported = Writes<typeof WorkflowState, "run" | "outcome"> &
  Partial<Writes<typeof WorkflowState, "messages" | "draft">>;

/** Reports: makes the output of a workflow its answer. A step that failed without a fallback fails the run. */
export function createReporter({
  steps,
  output,
  check,
}: ReporterOptions): GraphNode<typeof WorkflowState> {
  const ids = new Set(steps.map(({ id }) => id));
  return async function reporter(state, config): Promise<Reported> {
    const run = enterRun(state, config, "reporter");
    const base = { run: run.record() };
    const { observations, inputs = {} } = state;
    const failed = failedEnd(ids, observations);
    if (failed !== undefined) {
      const limit = limitAt(run.budget);
      // Calls that a limit forbade are no failures of their tools.
      const outcome = limit === undefined ? failed : ({ status: "limit", limit } as const);
      return { ...base, outcome };
    }
    const results = new Map([...resultsIn(stepEnds(observations)), [inputName, inputs] as const]);
    const filled = substituteReferences({ output }, results);
    if (!filled.ok) {
      const reason = `The output cannot be made: ${tooLarge(output, observations) ?? filled.problems.join("; ")}.`;
      return { ...base, outcome: failedOutcome(reason) };
    }
    const value = filled.args["output"] ?? null;
    const problem = check(value);
    if (problem !== undefined) return { ...base, outcome: failedOutcome(problem) };
    return { ...base, ...answeredEnd(jsonText(value), run) };
  };
}

/** How many failed steps the reason of a run names. */
const maxNamed = 3;

/** The end of a run with failed steps: those are named that failed by themselves. */
function failedEnd(
  ids: ReadonlySet<string>,
  observations: readonly Observation[],
): Outcome | undefined {
  const failed = observations.filter((each) => ids.has(each.callId) && hasFailed(each));
  if (failed.length === 0) return undefined;
  const causes = failed.filter(({ error }) => error?.kind !== "skipped");
  const named = causes.slice(0, maxNamed).map((cause) => causeText(cause, observations));
  const steps = causes.length === 1 ? "A step failed" : `${causes.length} steps failed`;
  return failedOutcome(`${steps}: ${named.join(" ")}`);
}

function hasFailed(observation: Observation): boolean {
  return !observation.ok && !isUntaken(observation);
}

/** Why a step failed; of one with several calls, also why the first of them did. */
function causeText({ callId, error }: Observation, all: readonly Observation[]): string {
  const part = all.find((each) => each.callId.startsWith(`${callId}-`) && hasFailed(each));
  const why = part?.error === undefined ? "" : ` ${part.callId}: ${part.error.message}`;
  return `${callId}: ${error?.message ?? "no result"}${why}`;
}

/** Why a result that the output needs is not there, where it is too large to keep. */
function tooLarge(output: Json, observations: readonly Observation[]): string | undefined {
  const large = tooLargeFor([output], observations);
  if (large === undefined) return undefined;
  return `the result of ${large.callId} has ${large.notKept} characters, and at most ${maxKeptChars} are kept`;
}
