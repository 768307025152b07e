import { HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { toolEvents } from "../observe/emit.js";
import type { AgentEvent, AgentEventBody } from "../observe/events.js";
import { planMadeEvent } from "../runtime/plan/plan-events.js";
import type { RunnableGraph } from "./graphs.js";
import type { Person } from "./io.js";
import { askPerson } from "./people.js";
import { type Pause, readChunk, readPauses, readResult, type Result } from "./read-chunk.js";
import { callKey } from "./view/event-lines.js";
import type { View } from "./view/plain-view.js";

/** A run of the command line: a question, or a thread's unfinished run. */
export type Session = {
  readonly graph: RunnableGraph;
  readonly thread: string;
  /** Absent: the thread's unfinished run is resumed. */
  readonly question: string | undefined;
  /** Answers the run's requests; absent if nobody can. */
  readonly person: Person | undefined;
  readonly view: View;
  readonly signal: AbortSignal;
};

/** The result of a run, and its open interrupts. */
export type Ending = { readonly result: Result; readonly pauses: readonly Pause[] };

/** Runs until the end or an unanswered pause. Throws `invalid_input` without a run to resume, and the signal's reason. */
export async function runSession(session: Session): Promise<Ending> {
  const { question, person, view, signal } = session;
  const replay = createReplay(view, question === undefined);
  let ending =
    question === undefined
      ? await resumeRun(session, replay)
      : await stream({ messages: [new HumanMessage(question)] }, session, replay);
  while (ending.pauses.length > 0) {
    view.rest();
    if (person === undefined) break;
    const answers = await askPerson(ending.pauses, { ...person, signal });
    signal.throwIfAborted();
    if (answers === undefined) break;
    ending = await stream(new Command({ resume: answers }), session, replay);
  }
  view.rest();
  return ending;
}

/** Whether the thread has an unfinished run. */
export async function isUnfinished({
  graph,
  thread,
}: Pick<Session, "graph" | "thread">): Promise<boolean> {
  // LangGraph's `next` omits tasks whose results are saved: after a crash it may be empty.
  const { tasks } = await graph.getState(threadConfig(thread));
  return tasks.length > 0;
}

async function resumeRun(session: Session, replay: Replay): Promise<Ending> {
  const { values, tasks } = await session.graph.getState(threadConfig(session.thread));
  if (tasks.length === 0) {
    throw new PlangraphError(
      "invalid_input",
      `Thread "${session.thread}" has no unfinished run to continue: give a question.`,
    );
  }
  const pauses = readPauses(tasks.flatMap(({ interrupts }) => interrupts));
  const result = readResult(values);
  replay.state(result);
  return pauses.length > 0 ? { result, pauses } : stream(null, session, replay);
}

async function stream(
  input: unknown,
  { graph, thread, view, signal }: Session,
  replay: Replay,
): Promise<Ending> {
  let result = readResult({});
  let pauses: readonly Pause[] = [];
  const chunks = await graph.stream(input, {
    ...threadConfig(thread),
    signal,
    streamMode: ["custom", "messages", "values"],
  });
  for await (const chunk of chunks) {
    const read = readChunk(chunk);
    if (read?.kind === "event") replay.event(read.event);
    if (read?.kind === "token") view.token(read.id, read.text);
    if (read?.kind === "result") {
      result = read.result;
      replay.state(result);
    }
    if (read?.kind === "paused") pauses = read.pauses;
  }
  signal.throwIfAborted();
  return { result, pauses };
}

function threadConfig(thread: string) {
  return { configurable: { thread_id: thread } };
}

/** Shows a run's events, and the parts of its state that no event has shown. */
type Replay = {
  readonly event: (event: AgentEvent) => void;
  readonly state: (state: Result) => void;
};

/**
 * Shows the whole plan of a resumed run. Another process started it, so only the state has the finished steps. A new
 * run shows everything by events, and its state begins with that of the run before.
 */
export function createReplay(view: Pick<View, "event">, isResumed: boolean): Replay {
  const ended = new Set<string>();
  return {
    event: (event) => {
      if (event.type === "tool_finished") ended.add(callKey(event.runId, event.callId));
      view.event(event);
    },
    state: (state) => {
      const { runId } = state;
      if (!isResumed || runId === undefined || state.steps.length === 0) return;
      const show = (event: AgentEventBody, at: number) => {
        view.event({ ...event, runId, node: "worker", at });
      };
      show(planMadeEvent(state.steps), Date.now());
      for (const observation of state.observations) {
        const key = callKey(runId, observation.callId);
        if (ended.has(key)) continue;
        ended.add(key);
        for (const event of toolEvents(observation)) show(event, observation.startedAt);
      }
    },
  };
}
