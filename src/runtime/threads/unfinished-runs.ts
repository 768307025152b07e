import { type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import type { CheckpointTuple } from "@langchain/langgraph";
import { z } from "zod";

import { canonicalJson, defined, isRecord } from "../../json/json.js";
import { readySteps } from "../../plan/plan-order.js";
import { callOfStep, type Step } from "../../plan/step.js";
import { checkNames } from "../../run/check-names.js";
import type { Observation } from "../../state/observation.js";
import type { RunRecord, IsolatedCall, SubRun, SubRunState } from "../../state/pending.js";
import { PersonRequests } from "../../state/person-requests.js";
import { committedCall } from "../call-batch.js";
import type { Saver } from "../enter-run.js";
import { openTurn } from "../messages.js";

/** A call without a recorded result that may have begun. Calls that still waited for their turn may be among them. */
export type CallInFlight = {
  readonly callId: string;
  /** The tool; "executor" for a step of plan-execute. */
  readonly tool: string;
  /** A committed write: it may have taken effect. No write begins before it is committed. */
  readonly isWrite: boolean;
};

/** A run that has not ended, according to its thread's newest checkpoint. */
export type UnfinishedRun = {
  readonly threadId: string;
  /** The kind of graph that can resume it; absent for a foreign graph, and where no node has begun. */
  readonly graph?: string;
  /** Milliseconds since the epoch; absent where `graph` is. */
  readonly startedAt?: number;
  /** Milliseconds since the epoch. */
  readonly lastCheckpointAt: number;
  /**
   * "paused" waits for people. "stopped" has crashed, was aborted, was stopped by `interruptBefore` or `interruptAfter`,
   * or is still at work in another process: a checkpoint cannot tell which.
   */
  readonly status: "paused" | "stopped";
  /** The nodes that come next, or were at work. */
  readonly nodes: readonly string[];
  /** Calls in flight when a run stopped, sub-runs included; steps that began while their plan was written are unknown. */
  readonly inFlight: readonly CallInFlight[];
  /** The pending requests to people. */
  readonly requests: readonly PersonRequests[];
};

/** Which threads to look at. */
export type UnfinishedRunsOptions = {
  /** Default: all. Then every checkpoint is listed, and savers of databases read all of them into memory. */
  readonly threadIds?: Iterable<string>;
};

/**
 * Finds the unfinished runs of any graph, one per thread: those that wait for people, and those that stopped. Only
 * reads. A checkpoint cannot tell whether a stopped run is still at work in another process: check `lastCheckpointAt`,
 * and resume with `graph.invoke(null, { configurable: { thread_id } })` where none is.
 */
export async function unfinishedRuns(
  checkpointer: Saver,
  options: UnfinishedRunsOptions = {},
): Promise<UnfinishedRun[]> {
  checkNames("unfinishedRuns", options, { threadIds: true });
  const { threadIds } = options;
  const found: UnfinishedRun[] = [];
  for (const threadId of threadIds ?? (await threadsOf(checkpointer))) {
    const configurable = { thread_id: threadId, checkpoint_ns: "" };
    const newest = await checkpointer.getTuple({ configurable });
    const run = newest === undefined ? undefined : await runIn(newest, threadId, checkpointer);
    if (run !== undefined) found.push(run);
  }
  return found;
}

async function threadsOf(checkpointer: Saver): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { config } of checkpointer.list({ configurable: { checkpoint_ns: "" } })) {
    const id: unknown = config.configurable?.["thread_id"];
    if (typeof id === "string") ids.add(id);
  }
  return ids;
}

async function runIn(
  newest: CheckpointTuple,
  threadId: string,
  checkpointer: Saver,
): Promise<UnfinishedRun | undefined> {
  const nodes = openNodes(newest);
  if (nodes.length === 0) return undefined;
  const { run } = stateOf(newest);
  const inside = await insideOf(newest, checkpointer);
  const asked = openInterrupts(newest, inside);
  const status = asked.length > 0 ? "paused" : "stopped";
  return {
    threadId,
    ...defined({ graph: run?.graph, startedAt: run?.startedAt }),
    lastCheckpointAt: Date.parse(newest.checkpoint.ts),
    status,
    nodes,
    inFlight:
      status === "paused" ? [] : [newest, ...inside].flatMap((tuple) => callsInFlight(tuple)),
    requests: asked.flatMap((value) => PersonRequests.safeParse(value).data ?? []),
  };
}

const start = "__start__";
const branch = "branch:to:";

/**
 * The nodes that a checkpoint continues with. LangGraph's `next` lacks nodes whose writes are saved, and `tasks` those
 * of another graph; a node's trigger stays in its channel until the next checkpoint.
 */
export function openNodes({ checkpoint, pendingWrites = [] }: CheckpointTuple): string[] {
  const { channel_values: values } = checkpoint;
  const sent = z.array(z.object({ node: z.string() })).safeParse(values["__pregel_tasks"]);
  // What a command sends to a node is saved before the node's checkpoint.
  const commanded = pendingWrites.flatMap(([task, channel]) => (task === noTask ? [channel] : []));
  const triggers = [...Object.keys(values), ...commanded].filter(
    (channel) => channel === start || channel.startsWith(branch),
  );
  const nodes = triggers.map((channel) => channel.replace(branch, ""));
  return [...new Set([...nodes, ...(sent.data ?? []).map(({ node }) => node)])];
}

/** LangGraph's task id for what belongs to no task. */
export const noTask = "00000000-0000-0000-0000-000000000000";

/** LangGraph's channel for the answers to interrupts. */
export const resumeChannel = "__resume__";

/** Whether a checkpoint is a copy of an earlier one, or an edit by a caller. */
export function isEdit({ metadata }: CheckpointTuple): boolean {
  return metadata?.source === "update" || metadata?.source === "fork";
}

/** Whether a checkpoint belongs to a graph that ran inside this one. */
export function isInside({ metadata }: CheckpointTuple, { checkpoint }: CheckpointTuple): boolean {
  return metadata?.parents?.[""] === checkpoint.id;
}

/**
 * The values of interrupts without a recorded answer. Questions of a graph `inside` are saved at the outer checkpoint,
 * too, beside every answer so far: only the inner checkpoint shows which answers it took.
 */
export function openInterrupts(
  { pendingWrites = [] }: CheckpointTuple,
  inside: readonly CheckpointTuple[],
): unknown[] {
  const resumed = (id: string) =>
    pendingWrites.find(([task, channel]) => task === id && channel === resumeChannel)?.[2];
  const last = resumed(noTask);
  return pendingWrites.flatMap(([task, channel, value]) => {
    if (channel !== "__interrupt__") return [];
    const asking = innermost(inside.filter((tuple) => asks(tuple, value)));
    if (asking !== undefined) return openInterrupts(asking, []);
    // The answer to the previous interrupt stays recorded with the task that took it.
    const taken = resumed(task);
    const isTaken = Array.isArray(taken) && canonicalJson(taken.at(-1)) === canonicalJson(last);
    const isAnswered = last !== undefined && !isTaken;
    return isAnswered ? [] : fieldOf(value, "value");
  });
}

/** A field of each interrupt. */
function fieldOf(interrupts: unknown, field: "id" | "value"): unknown[] {
  return [interrupts].flat().map((each: unknown) => (isRecord(each) ? each[field] : undefined));
}

/** Whether a checkpoint holds one of these interrupts. */
function asks({ pendingWrites = [] }: CheckpointTuple, interrupts: unknown): boolean {
  const asked = pendingWrites.filter(([, channel]) => channel === "__interrupt__");
  const ids = asked.flatMap(([, , value]) => fieldOf(value, "id"));
  return fieldOf(interrupts, "id").some((id) => id !== undefined && ids.includes(id));
}

function innermost(tuples: readonly CheckpointTuple[]): CheckpointTuple | undefined {
  return tuples.toSorted((left, right) => depthOf(right) - depthOf(left))[0];
}

function depthOf({ config }: CheckpointTuple): number {
  return String(config.configurable?.["checkpoint_ns"]).length;
}

/** The part of a state that shows what was in flight; empty for a foreign state. */
export type RunState = {
  readonly messages: readonly BaseMessage[];
  readonly observations: readonly Observation[];
  readonly pending: {
    readonly calls: readonly IsolatedCall[];
    /** Sub-runs that wait: for people, or for a place where they may pause. */
    readonly subRuns: readonly Pick<SubRun, "state">[];
  };
  readonly steps: readonly Step[];
  readonly run: RunRecord | undefined;
};

const listOf = <T>(isOne: (value: unknown) => boolean) => z.array(z.custom<T>(isOne)).catch([]);

// The state is ours: it is typed where it is written, and only read here.
const State = z.object({
  messages: listOf<BaseMessage>(isBaseMessage),
  observations: listOf<Observation>(isRecord),
  pending: z
    .object({
      calls: listOf<IsolatedCall>(isRecord),
      subRuns: z
        .record(z.string(), z.object({ state: z.custom<SubRunState>(isRecord) }))
        .transform((subRuns) => Object.values(subRuns))
        .catch([]),
    })
    .catch({ calls: [], subRuns: [] }),
  steps: listOf<Step>(isRecord),
  run: z.custom<RunRecord>(isRecord).optional(),
});

/** Reads the part of a state that shows what was in flight. */
export function readState(values: unknown): RunState {
  return { run: undefined, ...State.parse(values) };
}

/** The state of the unfinished run. The run of a question that no node has seen has no record yet. */
export function stateOf(tuple: CheckpointTuple): RunState {
  const { run: before, ...state } = readState(tuple.checkpoint.channel_values);
  const isUnseen = openNodes(tuple).some((node) => node === start || node === "intake");
  const written = tuple.pendingWrites?.findLast(([, channel]) => channel === "run")?.[2];
  const run = isUnseen ? written : before;
  return { ...state, run: z.custom<RunRecord>(isRecord).safeParse(run).data };
}

function callsInFlight(tuple: CheckpointTuple): CallInFlight[] {
  return inFlightIn(tuple).map(({ args: _args, isTask: _isTask, ...call }) => call);
}

/** The newest checkpoints of the runs inside a run at this checkpoint. */
export async function insideOf(
  newest: CheckpointTuple,
  checkpointer: Pick<Saver, "list">,
): Promise<CheckpointTuple[]> {
  const found: CheckpointTuple[] = [];
  const seen = new Set([""]);
  const threadId: unknown = newest.config.configurable?.["thread_id"];
  for await (const inner of checkpointer.list({ configurable: { thread_id: threadId } })) {
    const namespace = String(inner.config.configurable?.["checkpoint_ns"]);
    if (seen.has(namespace)) continue;
    // The first of a namespace is its newest.
    seen.add(namespace);
    if (isInside(inner, newest)) found.push(inner);
  }
  return found;
}

/** A call in flight with its arguments; as planned, if its references were not filled yet. */
export type CallLeft = CallInFlight & {
  readonly args: unknown;
  /** A task of a plan, whose calls are those of a sub-run. */
  readonly isTask?: boolean;
};

/** The nodes that make calls. */
const calling: ReadonlySet<string> = new Set(["tools", "worker", "scheduler", "executor"]);

/** The calls in flight in one run: the committed call, or else the calls of its turn and the ready steps of its plan. */
export function inFlightIn(tuple: CheckpointTuple): CallLeft[] {
  if (!openNodes(tuple).some((node) => calling.has(node))) return [];
  const { messages, observations, pending, steps } = stateOf(tuple);
  const ended = endedIn(tuple);
  const committed = committedCall(pending.calls);
  if (committed !== undefined) {
    const { callId, tool, args, reason } = committed;
    return ended.has(callId) ? [] : [{ callId, tool, args, isWrite: reason === "write" }];
  }
  const held = new Set([...ended, ...pending.calls.map(({ callId }) => callId)]);
  const finished = new Map(
    observations.map(({ callId, ok }) => [callId, ok ? "done" : "failed"] as const),
  );
  const calls = openTurn(messages, observations).pending;
  const ready = readySteps(steps, finished, held).map((step) => ({
    ...callOfStep(step),
    isTask: step.kind === "task",
  }));
  return [...calls.map((call) => ({ ...call, isTask: false })), ...ready]
    .filter(({ id }) => !held.has(id))
    .map(({ id: callId, name: tool, args, isTask }) => ({
      callId,
      tool,
      args,
      isTask,
      isWrite: false,
    }));
}

const Called = z.object({ callId: z.string() });
const Ended = z.union([
  z.object({ observation: Called }).transform(({ observation }) => observation),
  // It is committed before it begins, or its run waits.
  z.object({ kind: z.literal("isolated"), call: Called }).transform(({ call }) => call),
  z.object({ kind: z.literal("waits"), subRun: Called }).transform(({ subRun }) => subRun),
]);

/** The calls that had ended, or had not begun, when the program stopped: their tasks are saved after the checkpoint. */
export function endedIn({ pendingWrites = [] }: CheckpointTuple): ReadonlySet<string> {
  const values = pendingWrites.flatMap(([, channel, value]): unknown[] => {
    if (channel === "observations") return Array.isArray(value) ? value : [];
    return channel === "__return__" ? [value] : [];
  });
  return new Set(
    values.flatMap((value) => {
      const ended = Ended.or(Called).safeParse(value);
      return ended.success ? [ended.data.callId] : [];
    }),
  );
}
