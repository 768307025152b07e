import {
  type BaseCheckpointSaver,
  Command,
  INTERRUPT,
  isCommand,
  type LangGraphRunnableConfig,
} from "@langchain/langgraph";

import { PlangraphError } from "../../errors.js";
import { defined, isRecord } from "../../json/json.js";
import { PersonRequests } from "../../state/person-requests.js";
import { answeredAlready, boundTo, decisionsIn, idOf } from "../../tools/human-input.js";
import { hasCheckpointer } from "../enter-run.js";
import { checkNotMade, madeRequests, withMade } from "../interrupts.js";
import { ambientConfig, inherited } from "../langgraph.js";
import { isEdit, isInside, noTask, resumeChannel } from "./unfinished-runs.js";

/** How a run starts. */
type Start = { readonly input: unknown; readonly config: LangGraphRunnableConfig };

type Saver = Pick<BaseCheckpointSaver, "getTuple" | "list" | "putWrites">;
type Tuple = NonNullable<Awaited<ReturnType<Saver["getTuple"]>>>;

/** A pending interrupt; `requests` if it is ours. */
type Pending = { readonly id: string; readonly requests: PersonRequests | undefined };

/**
 * Binds the answer of a resume to the requests it is for. Decisions by interrupt id, and those for a named checkpoint,
 * get the ids of their requests. Throws `already_answered`, before anything is written, for a request or an interrupt
 * that is not pending, and for a checkpoint whose call was made since. If that call was not made, LangGraph's own
 * record of the old answer is dropped, because it would be used again.
 */
export async function boundResume(
  input: unknown,
  config: LangGraphRunnableConfig = {},
  graph: object,
): Promise<Start> {
  const start: Start = { input, config };
  const saver: unknown = Reflect.get(graph, "checkpointer");
  // Inside another run, decisions go to the question that is pending there.
  const isSubRun = hasCheckpointer({ configurable: inherited(config, ambientConfig()) });
  if (!isCommand(input) || !isSaver(saver) || isSubRun) return start;
  return input.resume === undefined ? start : resumed(input, config, saver);
}

async function resumed(
  input: Command,
  config: LangGraphRunnableConfig,
  saver: Saver,
): Promise<Start> {
  const { thread_id: thread, checkpoint_id: chosen } = config.configurable ?? {};
  const at = { thread_id: thread, checkpoint_ns: "" };
  const head = await saver.getTuple({ configurable: at });
  if (head === undefined) return { input, config };
  if (chosen === undefined || chosen === head.checkpoint.id) {
    return resumedAt(head, input, config, saver);
  }
  const before = await saver.getTuple({ configurable: { ...at, checkpoint_id: chosen } });
  return before === undefined ? { input, config } : resumedBefore(before, input, config, saver);
}

/** Resumes from the thread's last checkpoint. */
async function resumedAt(
  head: Tuple,
  input: Command,
  config: LangGraphRunnableConfig,
  saver: Saver,
): Promise<Start> {
  const pending = pendingIn(head, true);
  const isForked = isEdit(head);
  // A run that continued from an earlier checkpoint may ask again what another branch has carried out.
  const mayBeMade = isForked || requestsOf(pending).some(({ effect }) => effect !== "read");
  const isOwn = (tuple: Tuple) => isPartOf(tuple, head);
  const made = mayBeMade ? await madeRequests(saver, threadOf(head), isOwn) : undefined;
  if (made !== undefined) checkNotMade(requestsOf(pending), made);
  const isBound = config.configurable?.["checkpoint_id"] !== undefined;
  if (isBound) checkFirst(input.resume, head, pending);
  const answer = boundAnswer(input.resume, pending, { isBound, isForked });
  return {
    input: withResume(input, answer),
    config: withMade(isBound ? withoutCheckpoint(config) : config, made),
  };
}

/** Resumes from an earlier checkpoint of the thread. */
async function resumedBefore(
  before: Tuple,
  input: Command,
  config: LangGraphRunnableConfig,
  saver: Saver,
): Promise<Start> {
  const pending = pendingIn(before, false);
  const requests = requestsOf(pending);
  if (requests.length === 0) return { input, config };
  const made = await madeRequests(saver, threadOf(before));
  checkNotMade(requests, made);
  for await (const tuple of saver.list({ configurable: { thread_id: threadOf(before) } })) {
    if (isPartOf(tuple, before)) await dropAnswers(tuple, saver);
  }
  const answer = boundAnswer(input.resume, pending, { isBound: true, isForked: false });
  return { input: withResume(input, answer), config: withMade(config, made) };
}

function threadOf({ config }: Tuple): unknown {
  return config.configurable?.["thread_id"];
}

/** Whether a checkpoint is this one, or belongs to a graph that ran inside it. */
function isPartOf(tuple: Tuple, whole: Tuple): boolean {
  return tuple.checkpoint.id === whole.checkpoint.id || isInside(tuple, whole);
}

/** Forgets the answers at a checkpoint. */
async function dropAnswers({ config, pendingWrites = [] }: Tuple, saver: Saver): Promise<void> {
  const answers = pendingWrites.filter(([task, channel]) => {
    return channel === resumeChannel && task !== noTask;
  });
  for (const [task] of answers) await saver.putWrites(config, [[resumeChannel, []]], task);
}

/**
 * Refuses decisions that only their checkpoint binds, if it was answered before: a graph inside the run asks its next
 * question at the same checkpoint.
 */
function checkFirst(resume: unknown, { pendingWrites = [] }: Tuple, pending: readonly Pending[]) {
  const isAskedAgain = pending.some(({ requests }) => requests?.error !== undefined);
  const wasAnswered = pendingWrites.some(([, channel]) => channel === resumeChannel);
  const isNamed = decisionsIn(resume).every((given) => idOf(given) !== undefined);
  if (isAskedAgain || !wasAnswered || isNamed || isByInterrupt(resume)) return;
  const message =
    "A decision for this checkpoint was taken already. What the run asks now is answered by the id of its request.";
  throw new PlangraphError("already_answered", message);
}

type Binding = {
  /** The caller named the checkpoint of the question. */
  readonly isBound: boolean;
  /** The requests of the checkpoint are known only after it has run. */
  readonly isForked: boolean;
};

/** The answer with the ids of its requests. */
function boundAnswer(
  resume: unknown,
  pending: readonly Pending[],
  { isBound, isForked }: Binding,
): unknown {
  if (isForked && pending.length === 0) return resume;
  if (isByInterrupt(resume)) {
    return Object.fromEntries(
      Object.entries(resume).map(([id, answer]) => {
        const asked = pending.find((each) => each.id === id);
        if (asked === undefined) throw answered(id);
        checkIds(answer, [asked]);
        return [id, asked.requests === undefined ? answer : boundTo(asked.requests, answer)];
      }),
    );
  }
  checkIds(resume, pending);
  const [only, ...others] = pending;
  if (!isBound || only?.requests === undefined || others.length > 0) return resume;
  return boundTo(only.requests, resume);
}

/** Refuses decisions for a request that is not pending; other interrupts may have ids of their own. */
function checkIds(answer: unknown, pending: readonly Pending[]): void {
  if (pending.some(({ requests }) => requests === undefined)) return;
  const waiting = new Set(requestsOf(pending).map(({ id }) => id));
  const other = decisionsIn(answer)
    .map(idOf)
    .find((id) => id !== undefined && !waiting.has(id));
  if (other !== undefined) throw answered(other);
}

function answered(id: string): PlangraphError {
  return new PlangraphError("already_answered", answeredAlready(id));
}

function requestsOf(pending: readonly Pending[]): PersonRequests["action_requests"] {
  return pending.flatMap(({ requests }) => requests?.action_requests ?? []);
}

/** The interrupts of a checkpoint; `isOpen` leaves out those of ended nodes. */
function pendingIn({ pendingWrites = [] }: Tuple, isOpen: boolean): readonly Pending[] {
  const ended = new Set(
    pendingWrites.filter(([, channel]) => !channel.startsWith("__")).map(([task]) => task),
  );
  return pendingWrites
    .filter(([task, channel]) => channel === INTERRUPT && !(isOpen && ended.has(task)))
    .flatMap(([, , value]) => [value].flat())
    .filter(isRecord)
    .map(({ id, value }) => {
      const { data } = PersonRequests.safeParse(value);
      return { id: String(id), requests: data };
    });
}

/** LangGraph's own test for a resume by interrupt id. */
function isByInterrupt(resume: unknown): resume is Record<string, unknown> {
  const keys = isRecord(resume) ? Object.keys(resume) : [];
  return keys.length > 0 && keys.every((key) => /^[0-9a-f]{32}$/.test(key));
}

function withResume({ update, goto, graph }: Command, resume: unknown): Command {
  return new Command({
    resume,
    ...defined({ update, goto, graph }),
  });
}

/** LangGraph repeats all calls of a superstep that is resumed by the id of the last checkpoint. */
function withoutCheckpoint({ configurable, ...config }: LangGraphRunnableConfig) {
  const { checkpoint_id: _last, ...others } = configurable ?? {};
  return { ...config, configurable: others };
}

function isSaver(value: unknown): value is Saver {
  return isRecord(value) && typeof value["getTuple"] === "function";
}
