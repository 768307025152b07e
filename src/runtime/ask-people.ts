import { interrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import type { Decision, PersonRequests } from "../state/person.js";
import { personRequests, type ReadDecisions, readDecisions } from "../tools/read-decisions.js";
import type { PersonRequest } from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";
import { inTask } from "./in-task.js";

/** What people answered, or that the run cannot pause for them. */
export type Asked =
  | { readonly kind: "answered"; readonly decisions: readonly Decision[] }
  | {
      readonly kind: "cannot_pause";
      /** What stood against decisions that the calling run has brought. */
      readonly problem?: string;
    };

/** What stands against decisions that were read: nothing, or why they cannot be used. */
export type ProblemWith = (decisions: readonly Decision[]) => string | undefined;

/**
 * Asks people several things at once, in the one shape there is. With a checkpointer the run pauses;
 * an answer that cannot be used is asked for again, with what was wrong. Without one the decisions
 * come with the input (`given`), or the run ends with the requests as data. `problemWith` may find more that stands
 * against decisions of the right form. Throws `invalid_decisions` for given decisions that do not fit.
 */
export async function askPeople(
  requests: readonly PersonRequest[],
  given: readonly unknown[] | undefined,
  run: Run,
  config: LangGraphRunnableConfig,
  problemWith: ProblemWith = () => undefined,
): Promise<Asked> {
  const read = (answer: unknown) => checked(readDecisions(answer, requests), problemWith);
  if (given !== undefined) {
    const answer = read(given);
    // The calling run cannot know what else stands against them, and asks again.
    if (!answer.ok && run.asksCaller) return { kind: "cannot_pause", problem: answer.problem };
    return { kind: "answered", decisions: givenDecisions(answer) };
  }
  const asked = personRequests(requests);
  if (!run.mayPause) {
    // The calling run tells of it when it asks.
    if (!run.asksCaller) run.emit({ type: "input_needed", content: { requests: asked } });
    return { kind: "cannot_pause" };
  }
  await keepTime(run, config);
  return { kind: "answered", decisions: pausedFor(requests, read, run) };
}

/** The decisions, unless something else stands against them. */
function checked(read: ReadDecisions, problemWith: ProblemWith): ReadDecisions {
  const problem = read.ok ? problemWith(read.decisions) : undefined;
  return problem === undefined ? read : { ok: false, problem };
}

function givenDecisions(read: ReadDecisions) {
  if (read.ok) return read.decisions;
  throw new PlangraphError(
    "invalid_decisions",
    `The decisions do not fit what was asked: ${read.problem}`,
  );
}

/** Records how long the run has worked, so that the time spent before the pause still counts after it. */
async function keepTime(run: Run, config: LangGraphRunnableConfig): Promise<void> {
  const activeMs = await inTask(
    () => "working-time",
    config,
    async () => run.ledger.activeMs(),
  );
  run.ledger.addEarlier(activeMs);
}

function pausedFor(
  requests: readonly PersonRequest[],
  read: (answer: unknown) => ReadDecisions,
  run: Run,
): readonly Decision[] {
  let asked = personRequests(requests);
  for (;;) {
    const answer = read(paused(asked, run));
    if (answer.ok) return answer.decisions;
    asked = personRequests(requests, `The last answer could not be used: ${answer.problem}`);
  }
}

/** The answer to an interrupt; tells of it first when there is none yet. */
function paused(asked: PersonRequests, run: Run): unknown {
  try {
    return interrupt(asked);
  } catch (error) {
    run.emit({ type: "input_needed", content: { requests: asked } });
    run.ledger.close();
    throw error;
  }
}
