import { interrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import type { Decision, DecisionRecord, PersonRequests, TakenDecision } from "../state/person.js";
import { personRequests, type ReadDecisions, readDecisions } from "../tools/human-input.js";
import type { PersonRequest } from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";
import { inTask } from "./in-task.js";
import { checkNotMade, madeBefore } from "./made-requests.js";

/** What people answered, or that the run cannot pause for them. */
export type Asked =
  | { readonly kind: "answered"; readonly decisions: readonly TakenDecision[] }
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
 * against decisions of the right form. Throws `invalid_decisions` for given decisions that do not fit, and
 * `already_answered` for those of other requests.
 */
export async function askPeople(
  requests: readonly PersonRequest[],
  given: readonly unknown[] | undefined,
  run: Run,
  config: LangGraphRunnableConfig,
  problemWith: ProblemWith = () => undefined,
): Promise<Asked> {
  const requireIds = run.settings.requireDecisionIds;
  const read = (answer: unknown) =>
    checked(readDecisions(answer, requests, { requireIds }), problemWith);
  if (given !== undefined) {
    const answer = read(given);
    // The calling run cannot know what else stands against them, and asks again.
    const isAskedAgain = !answer.ok && answer.isAnswered !== true && run.asksCaller;
    if (isAskedAgain) return { kind: "cannot_pause", problem: answer.problem };
    return {
      kind: "answered",
      decisions: await taken(givenDecisions(answer), requests, run, config),
    };
  }
  if (!run.mayPause) {
    noteAsked(requests, run, run.clock.now());
    // The calling run tells of it when it asks.
    if (!run.asksCaller) tellAsked(personRequests(requests, askedAt(run)), run);
    return { kind: "cannot_pause" };
  }
  noteAsked(requests, run, await keepTime(run, config));
  const decisions = pausedFor(requests, read, run);
  return { kind: "answered", decisions: await taken(decisions, requests, run, config) };
}

/** The decisions, unless something else stands against them. */
function checked(read: ReadDecisions, problemWith: ProblemWith): ReadDecisions {
  const problem = read.ok ? problemWith(read.decisions) : undefined;
  return problem === undefined ? read : { ok: false, problem };
}

function givenDecisions(read: ReadDecisions) {
  if (read.ok) return read.decisions;
  if (read.isAnswered === true) throw new PlangraphError("already_answered", read.problem);
  throw new PlangraphError(
    "invalid_decisions",
    `The decisions do not fit what was asked: ${read.problem}`,
  );
}

function tellAsked(requests: PersonRequests, run: Run): void {
  run.emit({ type: "input_needed", content: { requests } });
}

/** Notes when requests were asked first. */
function noteAsked(requests: readonly PersonRequest[], { asked }: Run, now: number): void {
  for (const { action } of requests) {
    if (!asked.has(action.id)) asked.set(action.id, now);
  }
}

/** When a request was asked first; now where that is not known. */
export function askedAt({ asked, clock }: Pick<Run, "asked" | "clock">) {
  return (id: string): number => asked.get(id) ?? clock.now();
}

/** The decisions with what is kept of them: who took each, and when. The time is on record, so that a crash makes none late. */
async function taken(
  decisions: readonly Decision[],
  requests: readonly PersonRequest[],
  run: Run,
  config: LangGraphRunnableConfig,
): Promise<readonly TakenDecision[]> {
  checkNotMade(
    requests.map(({ action }) => action),
    madeBefore(config),
  );
  const { decidedBy } = run.settings;
  const records = await inTask(
    () => "decided",
    config,
    async () => {
      const at = run.clock.now();
      const made = decisions.map(({ type, by = decidedBy }, place): DecisionRecord => {
        const { id: requestId } = requests[place]?.action ?? { id: "" };
        const who = by === undefined ? {} : { by };
        return { requestId, type, ...who, askedAt: askedAt(run)(requestId), at };
      });
      // The calling run has told of it.
      if (!run.asksCaller) for (const record of made) tellTaken(record, run);
      return made;
    },
  );
  for (const { requestId } of records) run.asked.delete(requestId);
  return decisions.map((decision, place) => {
    const record = records[place];
    if (record === undefined) return decision;
    const { requestId: id, by } = record;
    return { ...decision, id, ...(by === undefined ? {} : { by }), record };
  });
}

function tellTaken(
  { requestId, type: decision, by, askedAt: asked, at }: DecisionRecord,
  run: Run,
): void {
  const who = by === undefined ? {} : { by };
  run.emit({ type: "decided", requestId, decision, ...who, ms: at - asked });
}

/** Records how long the run has worked, so that the time spent before the pause still counts after it; gives the time. */
async function keepTime(run: Run, config: LangGraphRunnableConfig): Promise<number> {
  const { activeMs, now } = await inTask(
    () => "working-time",
    config,
    async () => ({ activeMs: run.ledger.activeMs(), now: run.clock.now() }),
  );
  run.ledger.addEarlier(activeMs);
  return now;
}

function pausedFor(
  requests: readonly PersonRequest[],
  read: (answer: unknown) => ReadDecisions,
  run: Run,
): readonly Decision[] {
  let asked = personRequests(requests, askedAt(run));
  for (;;) {
    const answer = read(paused(asked, run));
    if (answer.ok) return answer.decisions;
    const code = answer.isAnswered === true ? "already_answered: " : "";
    const problem = `The last answer could not be used: ${code}${answer.problem}`;
    asked = personRequests(requests, askedAt(run), problem);
  }
}

/** The answer to an interrupt; tells of it first when there is none yet. */
function paused(asked: PersonRequests, run: Run): unknown {
  try {
    return interrupt(asked);
  } catch (error) {
    tellAsked(asked, run);
    run.ledger.close();
    throw error;
  }
}
