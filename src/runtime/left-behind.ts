import type { CheckpointTuple, LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";

import { canonicalJson } from "../plan/canonical.js";
import { isRecord } from "../plan/json.js";
import type { Observation } from "../state/observation.js";
import { PersonRequests } from "../state/person.js";
import { readArguments } from "../tools/read-arguments.js";
import type { Toolbox } from "../tools/toolbox.js";
import { taskTool } from "./plan-tasks.js";
import { onRecord } from "./rounds.js";
import { checkpointerOf } from "./run-frame.js";
import { openTurn } from "./turn.js";
import {
  type CallLeft,
  endedIn,
  inFlightIn,
  insideOf,
  openInterrupts,
  openNodes,
  stateOf,
} from "./unfinished-runs.js";

/** What a run that never ended left behind, beside its state. */
export type LeftBehind = {
  /** Results of its calls that were saved behind its last checkpoint. */
  readonly results: readonly Observation[];
  /** Results of the runs inside it, and every call that may have taken effect or waited for a person. */
  readonly others: readonly Observation[];
};

const nothing: LeftBehind = { results: [], others: [] };

/**
 * Reads from the checkpoints of the thread what a run that never ended left behind. `tools` are those of its calls, as far as
 * they are known: nothing is said of a read that was interrupted. Without a checkpointer nothing is known. Nothing at all
 * where the run has ended.
 */
export async function leftBehind(
  config: LangGraphRunnableConfig,
  tools: Toolbox | undefined,
): Promise<LeftBehind | undefined> {
  const saver = checkpointerOf(config);
  const { thread_id: threadId, checkpoint_ns: namespace = "" } = config.configurable ?? {};
  // A run inside another one begins on a thread of its own.
  if (saver === undefined || typeof threadId !== "string" || namespace.includes("|"))
    return nothing;
  for await (const last of saver.list({
    configurable: { thread_id: threadId, checkpoint_ns: "" },
  })) {
    const open = openNodes(last);
    if (open.length === 0) return undefined;
    const isBefore = open.every((node) => node !== "__start__" && node !== "intake");
    if (isBefore) return leftAt(last, await insideOf(last, threadId, saver), tools);
  }
  return nothing;
}

function leftAt(
  last: CheckpointTuple,
  inside: readonly CheckpointTuple[],
  tools: Toolbox | undefined,
): LeftBehind {
  const { messages, observations } = stateOf(last);
  const inTurn = openTurn(messages, observations).calls;
  const isInTurn = ({ callId }: CallLeft) => inTurn.some(({ id }) => id === callId);
  const asked = openInterrupts(last).flatMap((value) => PersonRequests.safeParse(value).data ?? []);
  // Where people are asked, nothing else is at work.
  const atWork = (tuple: CheckpointTuple) => (asked.length > 0 ? [] : inFlightIn(tuple));
  const doubtful = [
    ...[...writeOnRecord(last), ...atWork(last)].filter((call) => !isInTurn(call)),
    ...inside.flatMap((tuple) => [...writeOnRecord(tuple), ...atWork(tuple)]),
  ].filter((call) => mayHaveActed(call, tools));
  const held = [...inTurn.map(({ name }) => name), ...doubtful.map(({ tool }) => tool)];
  return {
    results: savedBehind(last),
    others: [
      ...inside.flatMap((tuple) => [...stateOf(tuple).observations, ...savedBehind(tuple)]),
      ...unique(doubtful).map((call) => interrupted(call, inDoubt)),
      ...asked
        .flatMap((request) => waitingIn(request))
        .filter(({ tool }) => !held.includes(tool))
        .map((call) => interrupted(call, notApproved)),
    ],
  };
}

export const inDoubt =
  "The run was interrupted while this may have been at work: it may have taken effect. Find out before you call it again.";
export const notApproved =
  "Not approved and not run: the user wrote on before a person agreed to this call.";

/** A write that has no result: it may have begun, also where a person is asked about it. */
function writeOnRecord(tuple: CheckpointTuple): CallLeft[] {
  const write = onRecord(stateOf(tuple).soloCalls);
  if (write?.why !== "writes" || endedIn(tuple).has(write.callId)) return [];
  const { callId, tool, args } = write;
  return [{ callId, tool, args, isWrite: true }];
}

/** Whether a call that was at work may have taken effect: of a run inside this one its own calls tell. */
function mayHaveActed({ tool, isWrite }: CallLeft, tools: Toolbox | undefined): boolean {
  const { policy, role } = tools?.get(tool) ?? {};
  return isWrite || (tool !== taskTool && role !== "sub_run" && policy?.effect !== "read");
}

function unique(calls: readonly CallLeft[]): CallLeft[] {
  return [
    ...new Map(calls.map((call) => [canonicalJson([call.callId, call.tool]), call])).values(),
  ];
}

/** The calls that change something and that people were asked about. */
function waitingIn({ action_requests: asked }: PersonRequests) {
  return asked.flatMap(({ name: tool, args, effect = "read" }) =>
    effect === "read" ? [] : [{ tool, args }],
  );
}

/** A call without a result, as what is to be told of it. */
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

/** The results of calls whose tasks were saved before the checkpoint that would hold them. */
function savedBehind({ pendingWrites = [] }: CheckpointTuple): Observation[] {
  return pendingWrites.flatMap(([, channel, value]) =>
    channel === "__return__" ? (Saved.safeParse(value).data ?? []) : [],
  );
}
