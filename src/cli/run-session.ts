import { HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import type { AgentEvent, AgentEventBody } from "../observe/events.js";
import { planMade } from "../runtime/plan/task-plan.js";
import type { Observation } from "../state/observation.js";
import type { GivenFlags } from "./flags.js";
import type { RunnableGraph } from "./graphs.js";
import type { Person } from "./io.js";
import { askPerson } from "./people.js";
import { type Pause, readChunk, readPauses, readResult, type Result } from "./read-chunk.js";
import { callKey } from "./view/event-lines.js";
import type { View } from "./view/plain-view.js";

/** A run at the command line, from its question or from where its thread stands. */
export type Session = {
  readonly graph: RunnableGraph;
  readonly thread: string;
  /** Absent: the thread's unfinished run goes on. */
  readonly question: string | undefined;
  /** Who answers what the run asks; absent where nobody can. */
  readonly person: Person | undefined;
  readonly view: View;
  readonly signal: AbortSignal;
};

/** What the run brought, and what it still waits for. */
export type Ending = {
  readonly result: Result;
  readonly pauses: readonly Pause[];
};

/**
 * Runs a graph until it ends, asking the person whenever it pauses; ends paused where nobody answers.
 * Throws `invalid_input` when there is no unfinished run to go on with, and the signal's reason.
 */
export async function runSession(session: Session): Promise<Ending> {
  const { question, person, view, signal } = session;
  const recall = createRecall(view, question === undefined);
  let ending =
    question === undefined
      ? await goOn(session, recall)
      : await stream({ messages: [new HumanMessage(question)] }, session, recall);
  while (ending.pauses.length > 0) {
    view.rest();
    if (person === undefined) break;
    const answers = await askPerson(ending.pauses, { ...person, signal });
    signal.throwIfAborted();
    if (answers === undefined) break;
    ending = await stream(new Command({ resume: answers }), session, recall);
  }
  view.rest();
  return ending;
}

/** Whether the thread holds a run that has not ended. */
export async function isUnfinished({
  graph,
  thread,
}: Pick<Session, "graph" | "thread">): Promise<boolean> {
  // LangGraph's `next` lacks the tasks whose results are saved: after a crash it may be empty.
  const { tasks } = await graph.getState(threadConfig(thread));
  return tasks.length > 0;
}

async function goOn(session: Session, recall: Recall): Promise<Ending> {
  const { values, tasks } = await session.graph.getState(threadConfig(session.thread));
  if (tasks.length === 0) {
    throw new PlangraphError(
      "invalid_input",
      `Thread "${session.thread}" has no unfinished run to continue: give a question.`,
    );
  }
  const pauses = readPauses(tasks.flatMap(({ interrupts }) => interrupts));
  const result = readResult(values);
  recall.state(result);
  return pauses.length > 0 ? { result, pauses } : stream(null, session, recall);
}

async function stream(
  input: unknown,
  { graph, thread, view, signal }: Session,
  recall: Recall,
): Promise<Ending> {
  let result = readResult({});
  let pauses: readonly Pause[] = [];
  const chunks = await graph.stream(input, {
    ...threadConfig(thread),
    signal,
    streamMode: ["custom", "messages", "values"],
  });
  for await (const chunk of chunks) {
    const told = readChunk(chunk);
    if (told?.kind === "event") recall.event(told.event);
    if (told?.kind === "token") view.token(told.id, told.text);
    if (told?.kind === "result") {
      result = told.result;
      recall.state(result);
    }
    if (told?.kind === "paused") pauses = told.pauses;
  }
  signal.throwIfAborted();
  return { result, pauses };
}

function threadConfig(thread: string) {
  return { configurable: { thread_id: thread } };
}

/** Shows a run's events, and of its state what no event has told here. */
type Recall = {
  readonly event: (event: AgentEvent) => void;
  readonly state: (state: Result) => void;
};

/**
 * Lets a view see the whole plan of a run that `goesOn` after another process began it: what is done is told
 * by the state alone. A new run tells all of it by events, and its state begins with that of the run before it.
 */
export function createRecall(view: Pick<View, "event">, goesOn: boolean): Recall {
  const ended = new Set<string>();
  return {
    event: (event) => {
      if (event.type === "tool_finished") ended.add(callKey(event.runId, event.callId));
      view.event(event);
    },
    state: (state) => {
      const { runId } = state;
      if (!goesOn || runId === undefined || state.steps.length === 0) return;
      const tell = (event: AgentEventBody, at: number) => {
        view.event({ ...event, runId, node: "worker", at });
      };
      tell(planMade(state.steps), Date.now());
      for (const observation of state.observations) {
        const key = callKey(runId, observation.callId);
        if (ended.has(key)) continue;
        ended.add(key);
        for (const event of eventsOf(observation)) tell(event, observation.startedAt);
      }
    },
  };
}

function eventsOf(observation: Observation): AgentEventBody[] {
  const { callId, tool, args, ok, attempts, ms, error, content } = observation;
  return [
    { type: "tool_started", callId, tool, content: { args } },
    {
      type: "tool_finished",
      callId,
      tool,
      ok,
      attempts,
      ms,
      ...(error === undefined ? {} : { error: error.kind }),
      content: { result: content },
    },
  ];
}

/** The command that goes on with a thread: the one that was given, without its question. */
export function resumeCommand(graph: string, given: GivenFlags, thread: string): string {
  const { model, planner, executor, protocol, tools, wikipedia, limit } = given;
  const { services, allowHost } = given;
  const { replanner, router, replanning, review, checkpoint, json, quiet } = given;
  const words = [
    "plangraph",
    graph,
    ...flag("--model", model),
    ...flag("--planner", planner),
    ...flag("--executor", executor),
    ...flag("--replanner", replanner),
    ...flag("--router", router),
    ...flag("--replanning", replanning),
    ...(review ? ["--review"] : []),
    ...flag("--protocol", protocol),
    ...tools.flatMap((file) => flag("--tools", file)),
    ...services.flatMap((file) => flag("--services", file)),
    ...allowHost.flatMap((host) => flag("--allow-host", host)),
    ...(wikipedia ? ["--wikipedia"] : []),
    ...limit.flatMap((one) => flag("--limit", one)),
    ...flag("--thread", thread),
    ...flag("--checkpoint", checkpoint),
    ...(given.continue ? ["--continue"] : []),
    ...(json ? ["--json"] : []),
    ...(quiet ? ["--quiet"] : []),
  ];
  return words.map(quoted).join(" ");
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** The word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
