import { isRecord } from "../../json/json.js";
import { type Interrupted, interruptsIn, type Message, messagesIn } from "../model/thread-state.js";
import { ask, askJson, ServerRefusal } from "./client.js";

/** A graph that can be asked. */
export type Assistant = { readonly id: string; readonly name: string };

/** A conversation. */
export type Thread = {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly assistant: string | undefined;
};

/** What a thread holds now. */
export type ThreadState = {
  readonly messages: readonly Message[];
  readonly interrupts: readonly Interrupted[];
};

/** The graphs of the server, in the order in which it got them. LangGraph's own server lists the newest first, whatever is asked. */
export async function listAssistants(): Promise<readonly Assistant[]> {
  const body = { limit: 100, sort_by: "created_at", sort_order: "asc" };
  const found = records(await askJson("/assistants/search", { method: "POST", body }));
  const since = (each: (typeof found)[number]) => text(each["created_at"]);
  const inOrder = found.toSorted((one, other) => since(one).localeCompare(since(other)));
  return inOrder.map((each) => ({
    id: text(each["assistant_id"]),
    name: text(each["name"] ?? each["graph_id"]),
  }));
}

/** What is read of conversations: not what was said in them. */
const listed = ["thread_id", "status", "updated_at", "metadata"];

/** The newest conversations, so many at most. */
export async function listThreads(most: number): Promise<readonly Thread[]> {
  const body = { limit: most, sort_by: "updated_at", sort_order: "desc", select: listed };
  return records(await askJson("/threads/search", { method: "POST", body })).map(threadOf);
}

/** How a conversation stands; nothing for one that is not there, or not for who asks. */
export async function readThread(id: string): Promise<Thread | undefined> {
  if (!/^[\da-f-]{36}$/i.test(id)) return undefined;
  const body = { ids: [id], limit: 1, select: listed };
  const [found] = records(await askJson("/threads/search", { method: "POST", body }));
  return found === undefined ? undefined : threadOf(found);
}

export async function createThread(title: string, assistant: string): Promise<string> {
  const metadata = { title, assistant_name: assistant };
  const made = await askJson("/threads", { method: "POST", body: { metadata } });
  return text(isRecord(made) ? made["thread_id"] : undefined);
}

export async function deleteThread(id: string): Promise<void> {
  await ask(`/threads/${id}`, { method: "DELETE" });
}

function threadOf(each: Readonly<Record<string, unknown>>): Thread {
  const metadata = isRecord(each["metadata"]) ? each["metadata"] : {};
  const [first] = messagesIn(each["values"]);
  return {
    id: text(each["thread_id"]),
    title: text(metadata["title"] ?? first?.text),
    status: text(each["status"]),
    updatedAt: text(each["updated_at"]),
    assistant:
      typeof metadata["assistant_name"] === "string" ? metadata["assistant_name"] : undefined,
  };
}

/** What a thread holds now. */
export async function readState(id: string): Promise<ThreadState> {
  const state = await askJson(`/threads/${id}/state`);
  const { values, tasks }: { values?: unknown; tasks?: unknown } = isRecord(state) ? state : {};
  return { messages: messagesIn(values), interrupts: interruptsIn(tasks) };
}

/** How many states are read at once, and at most. */
const states = { atOnce: 20, most: 400 };

/**
 * The checkpoint in which a thread had so many messages; one in which nothing was under way comes first. Throws
 * `ServerRefusal` where there is none.
 */
export async function checkpointBefore(id: string, messages: number): Promise<string> {
  let before: string | undefined;
  let found: string | undefined;
  for (let read = 0; read < states.most; read += states.atOnce) {
    const body = { limit: states.atOnce, ...(before === undefined ? {} : { before }) };
    const page = records(await askJson(`/threads/${id}/history`, { method: "POST", body }));
    const same = page.filter(({ values }) => messagesIn(values).length === messages);
    const still = same.find(({ next }) => Array.isArray(next) && next.length === 0);
    found ??= idOf(same[0]);
    if (still !== undefined) return idOf(still) ?? "";
    // What is older has fewer messages.
    if (page.length < states.atOnce || (found !== undefined && same.length === 0)) break;
    before = idOf(page.at(-1));
  }
  if (found !== undefined) return found;
  throw new ServerRefusal(409, "");
}

function idOf(state: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const checkpoint = state?.["checkpoint"];
  return isRecord(checkpoint) ? text(checkpoint["checkpoint_id"]) : undefined;
}

/** What a run is given: a question, or decisions for a run that waits. */
export type RunInput = {
  readonly assistant: string;
  readonly input?: unknown;
  readonly command?: unknown;
  readonly checkpoint?: string | undefined;
};

const streamed = {
  stream_mode: ["custom", "messages-tuple"],
  stream_subgraphs: true,
  stream_resumable: true,
  on_disconnect: "continue",
  multitask_strategy: "reject",
};

/** Starts a run and streams its events. A closed page does not stop it. */
export function startRun(
  thread: string,
  { assistant, input, command, checkpoint }: RunInput,
  signal: AbortSignal,
): Promise<Response> {
  const body = {
    assistant_id: assistant,
    ...(input === undefined ? {} : { input }),
    ...(command === undefined ? {} : { command }),
    ...(checkpoint === undefined
      ? {}
      : { checkpoint: { thread_id: thread, checkpoint_id: checkpoint } }),
    ...streamed,
  };
  return ask(`/threads/${thread}/runs/stream`, { method: "POST", body, signal });
}

/** Streams the events of a run after one of them; from the first with "-1". */
export function joinRun(
  thread: string,
  run: string,
  after: string,
  signal: AbortSignal,
): Promise<Response> {
  return ask(`/threads/${thread}/runs/${run}/stream`, {
    headers: { "last-event-id": after },
    signal,
  });
}

/** Stops a run; what it has done stays done. */
export async function stopRun(thread: string, run: string): Promise<void> {
  await ask(`/threads/${thread}/runs/${run}/cancel?wait=0&action=interrupt`, { method: "POST" });
}

/** The newest runs of a thread, with their states. */
export async function listRuns(
  thread: string,
): Promise<
  readonly { readonly id: string; readonly status: string; readonly assistant: string }[]
> {
  return records(await askJson(`/threads/${thread}/runs?limit=5`)).map((run) => ({
    id: text(run["run_id"]),
    status: text(run["status"]),
    assistant: text(run["assistant_id"]),
  }));
}

/** The run that an answer streams, as its address says it. */
export function runIn(response: Response): string | undefined {
  return /\/runs\/([0-9a-f-]{36})/i.exec(response.headers.get("content-location") ?? "")?.[1];
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
