import { HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { askPerson } from "./ask-person.js";
import type { RunnableGraph } from "./graphs.js";
import type { Person } from "./io.js";
import { type Pause, readChunk, readPauses, readResult, type Result } from "./read-chunk.js";
import { createRecall, type Recall } from "./recall.js";
import type { View } from "./view.js";

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
