import { isCommand } from "@langchain/langgraph";

import { PlangraphError } from "../../errors.js";
import { isRecord } from "../../json/json.js";

/** The thread of a run: its checkpointer, and its key there. */
type ThreadOfRun = { readonly saver: object; readonly id: string; readonly key: string };

type Configurable = Readonly<Record<string, unknown>>;

/** The run that holds a thread: its signal, and its end. */
type Holder = { readonly signal: AbortSignal; readonly ended: Promise<void> };

/** Threads in use in this process, by checkpointer. */
const busy = new WeakMap<object, Map<string, Holder>>();

/**
 * Takes the thread of a top-level run until the returned function is called. Throws `missing_thread` and `thread_busy`.
 */
export async function enterThread(
  graph: object,
  configurable: Configurable,
  signal: AbortSignal,
): Promise<() => void> {
  const thread = threadOfRun(graph, configurable);
  return thread === undefined ? () => {} : takeThread(thread, signal);
}

/** The thread; `undefined` without a checkpointer. A server sets the checkpointer on the graph, or in the config. */
function threadOfRun(graph: object, given: Configurable): ThreadOfRun | undefined {
  const config: unknown = Reflect.get(graph, "config");
  const own = isRecord(config) ? config["configurable"] : undefined;
  const configurable = { ...(isRecord(own) ? own : {}), ...given };
  const saver = saverOf(graph, configurable);
  if (saver === undefined) return undefined;
  const { thread_id: id, checkpoint_ns: namespace = "" } = configurable;
  if (typeof id === "number" || (typeof id === "string" && id !== "")) {
    return { saver, id: String(id), key: JSON.stringify([String(id), namespace]) };
  }
  throw new PlangraphError(
    "missing_thread",
    `A graph with a checkpointer runs on a thread: expected { configurable: { thread_id: "…" } } in the config, got ${id === undefined ? "none" : JSON.stringify(id)}.`,
  );
}

function saverOf(graph: object, configurable: Configurable): object | undefined {
  const own: unknown = Reflect.get(graph, "checkpointer");
  const saver = own === false ? undefined : (configurable["__pregel_checkpointer"] ?? own);
  return typeof saver === "object" && saver !== null ? saver : undefined;
}

/**
 * Takes a thread until the returned function is called. Waits for a cancelled run, which ends at once. Throws
 * `thread_busy` while any other run of this process uses the thread: both would continue from one checkpoint and make
 * the same calls.
 */
async function takeThread(
  { saver, id, key }: ThreadOfRun,
  signal: AbortSignal,
): Promise<() => void> {
  const taken = busy.get(saver) ?? new Map<string, Holder>();
  busy.set(saver, taken);
  for (let holder = taken.get(key); holder !== undefined; holder = taken.get(key)) {
    if (!holder.signal.aborted) throw isBusy(id);
    await holder.ended;
  }
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  taken.set(key, { signal, ended });
  return () => {
    taken.delete(key);
    end?.();
  };
}

function isBusy(id: string): PlangraphError {
  return new PlangraphError(
    "thread_busy",
    `A run is at work on thread "${id}" in this process; a second one, with a question or a person's answer, would make its calls again. Wait for its end or abort it, then start this one.`,
  );
}

/** The state of a thread. */
type ThreadStatus = {
  readonly graph: string | undefined;
  readonly tasks: readonly unknown[];
  readonly asks: boolean;
  readonly isNew: boolean;
};

/** Whether the input resumes a run: with an answer, or with nothing. */
function isResume(input: unknown): boolean {
  return isCommand(input) ? input.resume !== undefined : (input ?? null) === null;
}

/**
 * Checks a resume before anything runs: LangGraph does nothing, and reports nothing, when there is nothing to resume.
 * Throws `nothing_to_resume` and `wrong_graph`.
 */
export async function checkResume(
  graph: object,
  name: string,
  input: unknown,
  configurable: Configurable = {},
): Promise<void> {
  if (!isResume(input)) return;
  const thread = threadOfRun(graph, configurable);
  const getState: unknown = Reflect.get(graph, "getState");
  if (thread === undefined || typeof getState !== "function") {
    throw nothing(`The graph "${name}" has no checkpointer, so no run of it waits anywhere.`);
  }
  const status = threadStatus(await getState.call(graph, { configurable }));
  checkGraph(status, name, thread.id);
  if (status.isNew) throw nothing(`Thread "${thread.id}" holds no run. Is its id right?`);
  if (isCommand(input) && !goesElsewhere(input)) checkAnswer(status, input.resume, thread.id);
}

function checkAnswer({ tasks, asks }: ThreadStatus, answer: unknown, id: string): void {
  if (tasks.length === 0) {
    throw nothing(`The last run on thread "${id}" has ended, so no answer is waited for.`);
  }
  if (asks || !isRecord(answer) || !("decisions" in answer)) return;
  throw nothing(
    `The last run on thread "${id}" did not end, but it has asked nothing: decisions would answer whatever it asks next. Go on with it first: invoke(null, config).`,
  );
}

/** Whether a command names the next node, and so needs nothing that waits. */
function goesElsewhere(input: unknown): boolean {
  return isCommand(input) && [input.goto ?? []].flat().length > 0;
}

function threadStatus(snapshot: unknown): ThreadStatus {
  const { values, tasks: given } = isRecord(snapshot) ? snapshot : {};
  const run = isRecord(values) ? values["run"] : undefined;
  const graph = isRecord(run) ? run["graph"] : undefined;
  const tasks: readonly unknown[] = Array.isArray(given) ? given : [];
  const asks = tasks.some((task) => {
    const interrupts = isRecord(task) ? task["interrupts"] : undefined;
    return Array.isArray(interrupts) && interrupts.length > 0;
  });
  // A run whose question no node has seen has no record yet: the thread's record belongs to the run before.
  const isUnseen = tasks.some((task) => isRecord(task) && task["name"] === "intake");
  const isNew = tasks.length === 0 && (!isRecord(values) || Object.keys(values).length === 0);
  return { graph: typeof graph === "string" && !isUnseen ? graph : undefined, tasks, asks, isNew };
}

function checkGraph({ graph }: ThreadStatus, name: string, id: string): void {
  if (graph === undefined || graph === name) return;
  const message = `The last run on thread "${id}" was begun by the graph "${graph}", and this one is "${name}". Expected the graph that began it; a new question on the thread may go to any graph.`;
  throw new PlangraphError("wrong_graph", message);
}

function nothing(message: string): PlangraphError {
  return new PlangraphError("nothing_to_resume", message);
}
