import type { BaseMessage } from "@langchain/core/messages";
import type { CheckpointTuple, LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";

import { canonicalJson, isRecord } from "../../json/json.js";
import type { Observation } from "../../state/observation.js";
import { PersonRequests } from "../../state/person-requests.js";
import { readArguments } from "../../tools/read-arguments.js";
import type { Toolbox } from "../../tools/toolbox.js";
import { committedCall } from "../call-batch.js";
import { checkpointerOf, type Saver } from "../enter-run.js";
import { openTurn } from "../messages.js";
import {
  type CallLeft,
  endedIn,
  inFlightIn,
  insideOf,
  isEdit,
  openInterrupts,
  openNodes,
  readState,
  type RunState,
  stateOf,
} from "./unfinished-runs.js";

/** What an interrupted run left behind, apart from its state. */
export type LeftBehind = {
  /** Results of its calls that were saved after its last checkpoint. */
  readonly results: readonly Observation[];
  /** Results of its sub-runs, and every call that may have taken effect or waited for a person. */
  readonly others: readonly Observation[];
  /** Its messages. */
  readonly messages: readonly BaseMessage[];
};

const nothing: LeftBehind = { results: [], others: [], messages: [] };

/**
 * Reads what an interrupted run left behind from the checkpoints of the thread. `tools` are the known tools of its
 * calls: interrupted reads are left out. Nothing is known without a checkpointer. Returns `undefined` when the run has
 * ended.
 */
export async function leftBehind(
  config: LangGraphRunnableConfig,
  tools: Toolbox | undefined,
): Promise<LeftBehind | undefined> {
  const saver = checkpointerOf(config);
  const { checkpoint_ns: namespace = "" } = config.configurable ?? {};
  // A run inside another one starts on a thread of its own.
  if (saver === undefined || namespace.includes("|")) return nothing;
  const tuples = await runBefore(config, saver);
  if (tuples === undefined) return undefined;
  return leftAt(await Promise.all(tuples.map((tuple) => standAt(tuple, saver))), tools);
}

/**
 * The checkpoints at which the previous run may have been at work when it stopped, oldest first: its last one, and
 * edits by callers since. Empty without a run on the thread; `undefined` when the run has ended.
 */
async function runBefore(config: LangGraphRunnableConfig, saver: Saver) {
  const edits: CheckpointTuple[] = [];
  for (let last = await newestOf(config, saver); last !== undefined;) {
    const open = openNodes(last);
    const isBefore = open.every((node) => node !== "__start__" && node !== "intake");
    if (isEdit(last)) edits.unshift(last);
    else if (open.length === 0) return undefined;
    else if (isBefore) return [last, ...edits];
    last = last.parentConfig && (await saver.getTuple(last.parentConfig));
  }
  return edits;
}

/** The current checkpoint of a run; the thread's newest where it is not saved yet. */
async function newestOf({ configurable }: LangGraphRunnableConfig, saver: Saver) {
  const { thread_id, checkpoint_map: ids } = configurable ?? {};
  const at = { thread_id, checkpoint_ns: "" };
  const id: unknown = isRecord(ids) ? ids[""] : undefined;
  const own = await saver.getTuple({ configurable: { ...at, checkpoint_id: id } });
  return own ?? saver.getTuple({ configurable: at });
}

/** An interrupted run, or one inside it, with its checkpoint if it has one of its own. */
type Part = { readonly state: RunState; readonly tuple?: CheckpointTuple };

/** The pending requests at a checkpoint of an interrupted run, and the runs inside it. */
type Stand = {
  readonly last: CheckpointTuple;
  readonly inside: readonly Part[];
  readonly asked: readonly PersonRequests[];
};

async function standAt(last: CheckpointTuple, saver: Saver): Promise<Stand> {
  const tuples = await insideOf(last, saver);
  const inside = tuples.map((tuple): Part => ({ state: stateOf(tuple), tuple }));
  const waiting = [stateOf(last), ...inside.map(({ state }) => state)].flatMap(waitingIn);
  const asked = openInterrupts(last, tuples);
  return {
    last,
    inside: [...waiting, ...inside],
    asked: asked.flatMap((value) => PersonRequests.safeParse(value).data ?? []),
  };
}

/** The sub-runs that wait in a state, innermost first. */
function waitingIn({ pending }: RunState): Part[] {
  const states = pending.subRuns.map(({ state }) => readState(state));
  return states.flatMap((state) => [...waitingIn(state), { state }]);
}

/** The last state of each run: one that waited may have continued. */
function lastOfEach(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [part.state.run?.id ?? part, part])).values()];
}

function leftAt(stands: readonly Stand[], tools: Toolbox | undefined): LeftBehind {
  const own = stands.map(({ last }) => ({ state: stateOf(last), tuple: last }));
  const inside = lastOfEach(stands.flatMap((stand) => stand.inside));
  const asked = stands.flatMap((stand) => stand.asked);
  // Where people are asked, nothing else is at work.
  const calls = (part: Part) => [...writeOnRecord(part), ...(asked.length > 0 ? [] : atWork(part))];
  const ended = new Set(own.flatMap(({ tuple }) => [...endedIn(tuple)]));
  const doubtful = [
    ...own.flatMap(calls).filter(({ callId }) => !ended.has(callId)),
    ...inside.flatMap(calls),
  ].filter((call) => mayHaveActed(call, tools));
  const inTurn = own.flatMap(({ state }) => openTurn(state.messages, state.observations).calls);
  const told = new Set(inTurn.map(({ id }) => id));
  const turn = inTurn.map(({ name: tool, args }) => ({ tool, args }));
  const held = new Set([...turn, ...doubtful].map(madeAs));
  return {
    results: own.flatMap(({ tuple }) => savedBehind(tuple)),
    others: [
      ...inside.flatMap(({ state, tuple }) => [
        ...state.observations,
        ...(tuple === undefined ? [] : savedBehind(tuple)),
      ]),
      ...unique(doubtful.filter(({ callId }) => !told.has(callId))).map((call) =>
        interrupted(call, inDoubt),
      ),
      ...asked
        .flatMap(changesIn)
        .filter((call) => !held.has(madeAs(call)))
        .map((call) => interrupted(call, notApproved)),
    ],
    messages: own.flatMap(({ state }) => state.messages),
  };
}

export const inDoubt =
  "The run was interrupted while this may have been at work: it may have taken effect. Find out before you call it again.";
export const notApproved =
  "Not approved and not run: the user wrote on before a person agreed to this call.";

/** A committed write without a result: it may have begun, also when a person is asked about it. */
function writeOnRecord({ state, tuple }: Part): CallLeft[] {
  const write = committedCall(state.pending.calls);
  const isEnded = tuple !== undefined && write !== undefined && endedIn(tuple).has(write.callId);
  if (write?.reason !== "write" || isEnded) return [];
  const { callId, tool, args } = write;
  return [{ callId, tool, args, isWrite: true }];
}

function atWork({ tuple }: Part): CallLeft[] {
  return tuple === undefined ? [] : inFlightIn(tuple);
}

/**
 * Whether a call in flight may have taken effect: no write begins before it is committed, and a sub-run's own calls are
 * looked at themselves.
 */
function mayHaveActed({ tool, isWrite, isTask }: CallLeft, tools: Toolbox | undefined): boolean {
  if (isWrite || isTask === true) return isWrite;
  const { policy, role } = tools?.get(tool) ?? {};
  return role !== "sub_run" && policy?.effect !== "read" && policy?.effect !== "write";
}

/** Identifies a call where ids do not: requests to people have none. */
function madeAs({ tool, args }: Pick<CallLeft, "tool" | "args">): string {
  const read = readArguments(args);
  return canonicalJson([tool, read.ok ? read.args : {}]);
}

function unique(calls: readonly CallLeft[]): CallLeft[] {
  return [
    ...new Map(calls.map((call) => [canonicalJson([call.callId, madeAs(call)]), call])).values(),
  ];
}

/** The requested calls that change something. */
function changesIn({ action_requests: asked }: PersonRequests) {
  return asked.flatMap(({ name: tool, args, effect = "read", from_memory: filled = [] }) => {
    if (effect === "read") return [];
    // No model reads what the memory filled in.
    const written = Object.entries(args).filter(([name]) => !filled.includes(name));
    return [{ tool, args: Object.fromEntries(written) }];
  });
}

/** A call without a result, as an observation. */
function interrupted(
  { tool, args }: Pick<CallLeft, "tool" | "args">,
  content: string,
): Observation {
  const read = readArguments(args);
  const call = { callId: "", tool, args: read.ok ? read.args : {} };
  return { ...call, ok: false, content, attempts: 1, startedAt: 0, ms: 0 };
}

const Saved = z
  .object({ kind: z.literal("observed"), observation: z.custom<Observation>(isRecord) })
  .transform(({ observation }) => observation);

/** The results of tasks that were saved before their checkpoint. */
function savedBehind({ pendingWrites = [] }: CheckpointTuple): Observation[] {
  return pendingWrites.flatMap(([, channel, value]) =>
    channel === "__return__" ? (Saved.safeParse(value).data ?? []) : [],
  );
}
