import {
  type BaseCheckpointSaver,
  type CheckpointTuple,
  interrupt,
  type LangGraphRunnableConfig,
} from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { defined, isRecord } from "../json/json.js";
import type {
  ActionRequest,
  Decision,
  DecisionRecord,
  PersonRequests,
  TakenDecision,
} from "../state/person-requests.js";
import { personRequests, type ReadDecisions, readDecisions } from "../tools/human-input.js";
import type { PersonRequest } from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";
import { inTask } from "./in-task.js";

/** What people answered, or that the run cannot pause for them. */
type Asked =
  | { readonly kind: "answered"; readonly decisions: readonly TakenDecision[] }
  | {
      readonly kind: "cannot_pause";
      /** Why the decisions that the calling run passed on cannot be used. */
      readonly problem?: string;
    };

/** Returns why decisions cannot be used, or nothing. */
export type ProblemWith = (
  decisions: readonly Decision[],
) => string | undefined | Promise<string | undefined>;

/**
 * Sends requests to people. With a checkpointer the run pauses; an answer that cannot be used is asked for again with
 * the problem. Without one the decisions come with the input (`given`), or the run ends with the requests as data.
 * `problemWith` may refuse well-formed decisions. Throws `invalid_decisions` for given decisions that do not fit, and
 * `already_answered` for those of other requests.
 */
export async function askPeople(
  requests: readonly PersonRequest[],
  given: readonly unknown[] | undefined,
  run: Run,
  problemWith: ProblemWith = () => undefined,
): Promise<Asked> {
  const requireIds = run.settings.requireDecisionIds;
  const read = (answer: unknown) =>
    checked(readDecisions(answer, requests, { requireIds }), problemWith);
  if (given !== undefined) {
    const answer = await read(given);
    // The calling run cannot check them, and asks again.
    const isAskedAgain = !answer.ok && answer.isAnswered !== true && run.delegatesInterrupts;
    if (isAskedAgain) return { kind: "cannot_pause", problem: answer.problem };
    return {
      kind: "answered",
      decisions: await taken(givenDecisions(answer), requests, run),
    };
  }
  if (!run.mayPause) {
    recordAsked(requests, run, run.clock.now());
    // The calling run emits them when it asks.
    if (!run.delegatesInterrupts) emitInputNeeded(personRequests(requests, askedAt(run)), run);
    return { kind: "cannot_pause" };
  }
  recordAsked(requests, run, await recordTime(run));
  const decisions = await pausedFor(requests, read, run);
  return { kind: "answered", decisions: await taken(decisions, requests, run) };
}

/** Refuses decisions that `problemWith` finds a problem with. */
async function checked(read: ReadDecisions, problemWith: ProblemWith): Promise<ReadDecisions> {
  const problem = read.ok ? await problemWith(read.decisions) : undefined;
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

/** Emits the requests of a pause, or of a run that ends with them. */
export function emitInputNeeded(requests: PersonRequests, { emit }: Pick<Run, "emit">): void {
  const callIds = requests.action_requests.map(({ call_id: id = "" }) => id);
  emit({ type: "input_needed", callIds, content: { requests } });
}

/** Records when requests were first asked. */
function recordAsked(requests: readonly PersonRequest[], { asked }: Run, now: number): void {
  for (const { action } of requests) {
    if (!asked.has(action.id)) asked.set(action.id, now);
  }
}

/** When a request was first asked; now where that is unknown. */
export function askedAt({ asked, clock }: Pick<Run, "asked" | "clock">) {
  return (id: string): number => asked.get(id) ?? clock.now();
}

/**
 * The decisions with their records: who decided, and when. The time is committed, so that a crash makes no decision
 * late.
 */
async function taken(
  decisions: readonly Decision[],
  requests: readonly PersonRequest[],
  run: Run,
): Promise<readonly TakenDecision[]> {
  checkNotMade(
    requests.map(({ action }) => action),
    madeBefore(run.config),
  );
  const { decidedBy } = run.settings;
  const records = await inTask(
    () => "decided",
    run.config,
    async () => {
      const at = run.clock.now();
      const made = decisions.map(({ type, by = decidedBy }, place): DecisionRecord => {
        const { id: requestId } = requests[place]?.action ?? { id: "" };
        return { requestId, type, ...defined({ by }), askedAt: askedAt(run)(requestId), at };
      });
      // The calling run has emitted it.
      if (!run.delegatesInterrupts) {
        for (const [place, record] of made.entries()) emitDecided(record, decisions[place], run);
      }
      return made;
    },
  );
  for (const { requestId } of records) run.asked.delete(requestId);
  return decisions.map((decision, place) => {
    const record = records[place];
    if (record === undefined) return decision;
    const { requestId: id, by } = record;
    return { ...decision, id, ...defined({ by }), record };
  });
}

function emitDecided(
  { requestId, type, by, askedAt: asked, at }: DecisionRecord,
  decision: Decision | undefined,
  run: Run,
): void {
  const content = defined({
    message: decision !== undefined && "message" in decision ? decision.message : undefined,
    edited_action: decision?.type === "edit" ? decision.edited_action : undefined,
  });
  run.emit({
    type: "decided",
    requestId,
    decision: type,
    ...defined({ by }),
    ms: at - asked,
    content,
  });
}

/** Records the working time, so that the time before the pause still counts after it. Returns the current time. */
async function recordTime(run: Run): Promise<number> {
  const { activeMs, now } = await inTask(
    () => "working-time",
    run.config,
    async () => ({ activeMs: run.budget.activeMs(), now: run.clock.now() }),
  );
  run.budget.addEarlier(activeMs);
  return now;
}

async function pausedFor(
  requests: readonly PersonRequest[],
  read: (answer: unknown) => Promise<ReadDecisions>,
  run: Run,
): Promise<readonly Decision[]> {
  let asked = personRequests(requests, askedAt(run));
  for (;;) {
    const answer = await read(interruptedWith(asked, run));
    if (answer.ok) return answer.decisions;
    const code = answer.isAnswered === true ? "already_answered: " : "";
    const problem = `The last answer could not be used: ${code}${answer.problem}`;
    asked = personRequests(requests, askedAt(run), problem);
  }
}

/** The answer to an interrupt; emits the requests while there is none yet. */
function interruptedWith(asked: PersonRequests, run: Run): unknown {
  try {
    return interrupt({ ...asked, ...inCamelCase(asked) });
  } catch (error) {
    emitInputNeeded(asked, run);
    run.budget.close();
    throw error;
  }
}

/** The requests as LangChain.js spells them; agent-chat-ui and Studio read the spelling of LangChain for Python. */
function inCamelCase({ action_requests, review_configs }: PersonRequests) {
  return {
    actionRequests: action_requests.map(({ id, name, args, description }) => ({
      id,
      name,
      args,
      description,
    })),
    reviewConfigs: review_configs.map(({ action_name, allowed_decisions, args_schema }) => ({
      actionName: action_name,
      allowedDecisions: allowed_decisions,
      ...defined({ argsSchema: args_schema }),
    })),
  };
}

const madeKey = "__plangraph_made";

/**
 * The ids of approved requests on a thread that were carried out, in any branch: the call was made or had begun, or the
 * plan's steps had. `isOwn` excludes checkpoints.
 */
export async function madeRequests(
  saver: Pick<BaseCheckpointSaver, "list">,
  thread: unknown,
  isOwn: (tuple: CheckpointTuple) => boolean = () => false,
): Promise<ReadonlySet<string>> {
  const made = new Set<string>();
  for await (const tuple of saver.list({ configurable: { thread_id: thread } })) {
    if (isOwn(tuple)) continue;
    const { checkpoint, pendingWrites = [] } = tuple;
    const { messages: _messages, reviews, ...state } = checkpoint.channel_values;
    collect(state, made);
    for (const [, channel, value] of pendingWrites)
      if (channel === "__return__") collect(value, made);
    const { observations } = state;
    const hasSteps = Array.isArray(observations) && observations.length > 0;
    if (hasSteps) collectRecords(reviews, made);
  }
  return made;
}

/** Collects the records of decisions on calls anywhere in a state. A call without attempts was not made. */
function collect(value: unknown, made: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, made);
  } else if (isRecord(value)) {
    if (value["attempts"] !== 0) collectRecords(value["decisions"], made);
    for (const field of Object.values(value)) collect(field, made);
  }
}

function collectRecords(records: unknown, made: Set<string>): void {
  for (const record of Array.isArray(records) ? records : []) {
    if (!isRecord(record)) continue;
    const { requestId, type } = record;
    const isAgreed = type === "approve" || type === "edit";
    if (isAgreed && typeof requestId === "string") made.add(requestId);
  }
}

/** Throws `already_answered` for a request whose call was made. A read may be made again. */
export function checkNotMade(
  requests: readonly Pick<ActionRequest, "id" | "name" | "effect">[],
  made: ReadonlySet<string>,
): void {
  const done = requests.find(({ id, effect }) => made.has(id) && effect !== "read");
  if (done === undefined) return;
  const message = `The request "${done.id}" was answered already, and ${done.name} was carried out since: no other decision takes its place.`;
  throw new PlangraphError("already_answered", message);
}

/** Passes to the nodes of a run what other branches of its thread have carried out. */
export function withMade(
  config: LangGraphRunnableConfig,
  made: ReadonlySet<string> | undefined,
): LangGraphRunnableConfig {
  if (made === undefined) return config;
  return { ...config, configurable: { ...config.configurable, [madeKey]: made } };
}

/** What other branches of the thread have carried out. */
function madeBefore(config: Pick<LangGraphRunnableConfig, "configurable">): ReadonlySet<string> {
  const made: unknown = config.configurable?.[madeKey];
  return made instanceof Set ? made : new Set();
}
