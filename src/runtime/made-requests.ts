import type {
  BaseCheckpointSaver,
  CheckpointTuple,
  LangGraphRunnableConfig,
} from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { ActionRequest } from "../state/person.js";

const madeKey = "__plangraph_made";

/**
 * The ids of the requests on a thread that people agreed to and that were carried out, on whatever branch of it: the
 * call was made, or had begun, or the steps of the plan had. `isOwn` leaves out checkpoints.
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

/** Finds what is kept of decisions on calls, wherever in a state it stands: a call without attempts was not made. */
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

/** Throws `already_answered` for a request whose call was made; what only reads may be made again. */
export function checkNotMade(
  requests: readonly Pick<ActionRequest, "id" | "name" | "effect">[],
  made: ReadonlySet<string>,
): void {
  const done = requests.find(({ id, effect }) => made.has(id) && effect !== "read");
  if (done === undefined) return;
  const message = `The request "${done.id}" was answered already, and ${done.name} was carried out since: no other decision takes its place.`;
  throw new PlangraphError("already_answered", message);
}

/** A config that tells the nodes of a run what was carried out on other branches of its thread. */
export function withMade(
  config: LangGraphRunnableConfig,
  made: ReadonlySet<string> | undefined,
): LangGraphRunnableConfig {
  if (made === undefined) return config;
  return { ...config, configurable: { ...config.configurable, [madeKey]: made } };
}

/** What was carried out on other branches of the thread, as far as the run was told. */
export function madeBefore(
  config: Pick<LangGraphRunnableConfig, "configurable">,
): ReadonlySet<string> {
  const made: unknown = config.configurable?.[madeKey];
  return made instanceof Set ? made : new Set();
}
