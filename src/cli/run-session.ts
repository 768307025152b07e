import { AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { Command, type RunControl } from "@langchain/langgraph";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { toolEvents } from "../observe/emit.js";
import { isAgentEvent } from "../observe/event-types.js";
import type { AgentEvent, AgentEventBody } from "../observe/events.js";
import { callKey } from "../observe/places.js";
import type { Step } from "../plan/step.js";
import type { RunnableGraph } from "../runtime/graph-tool.js";
import { planMadeEvent } from "../runtime/plan/plan-events.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import { noUsage, type Usage } from "../state/usage.js";
import type { GivenFlags } from "./flags.js";
import type { Person } from "./io.js";
import { askPerson, type Pause } from "./people.js";
import { runConfig } from "./run-context.js";
import type { View } from "./view/plain-view.js";

/** A run of the command line: a question, or a thread's unfinished run. */
export type Session = {
  readonly graph: RunnableGraph;
  /** The graph's command, and its flags. */
  readonly command: string;
  readonly given: GivenFlags;
  readonly thread: string;
  /** Absent: the thread's unfinished run is resumed. */
  readonly question: string | undefined;
  /** Answers the run's requests; absent if nobody can. */
  readonly person: Person | undefined;
  readonly view: View;
  readonly signal: AbortSignal;
  /** Stops a run on a kept thread before its next step. */
  readonly drain?: Drain | undefined;
};

/** A clean stop that may be asked for: of a run, and of a question to a person. */
export type Drain = { readonly control: RunControl; readonly signal: AbortSignal };

/** The result of a run, and its open interrupts. */
export type Ending = { readonly result: Result; readonly pauses: readonly Pause[] };

/** Runs until the end or an unanswered pause. Throws `invalid_input` without a run to resume, and the signal's reason. */
export async function runSession(session: Session): Promise<Ending> {
  const { question, person, view, signal, drain } = session;
  const asking = drain === undefined ? signal : AbortSignal.any([signal, drain.signal]);
  const replay = createReplay(view, question === undefined);
  let ending =
    question === undefined
      ? await resumeRun(session, replay)
      : await stream({ messages: [new HumanMessage(question)] }, session, replay);
  while (ending.pauses.length > 0) {
    view.rest();
    if (person === undefined) break;
    const answers = await askPerson(ending.pauses, { ...person, signal: asking });
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
  const pauses = Pauses.parse(tasks.flatMap(({ interrupts }) => interrupts));
  const result = readResult(values);
  replay.state(result);
  return pauses.length > 0 ? { result, pauses } : stream(null, session, replay);
}

async function stream(
  input: unknown,
  { graph, given, thread, view, signal, drain }: Session,
  replay: Replay,
): Promise<Ending> {
  let result = readResult({});
  let pauses: readonly Pause[] = [];
  const chunks = await graph.stream(input, {
    ...runConfig(thread, given),
    signal,
    ...(drain === undefined ? {} : { control: drain.control }),
    streamMode: ["custom", "messages", "values"],
  });
  for await (const chunk of chunks) {
    const [mode, data]: unknown[] = Array.isArray(chunk) ? chunk : [];
    if (mode === "custom" && isAgentEvent(data)) replay.event(data);
    if (mode === "messages") showToken(data, view);
    if (mode !== "values" || !isRecord(data)) continue;
    const { __interrupt__: interrupts } = data;
    if (interrupts === undefined) {
      result = readResult(data);
      replay.state(result);
    } else pauses = Pauses.parse(interrupts);
  }
  signal.throwIfAborted();
  return { result, pauses };
}

/** Shows a piece of a reply. Whole messages, such as tool results, are shown from events and the state. */
function showToken(data: unknown, view: View): void {
  const [message]: unknown[] = Array.isArray(data) ? data : [];
  if (!AIMessageChunk.isInstance(message) || message.text === "") return;
  view.token(message.id ?? "", message.text);
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

// The graph is ours, so its state is typed where it is written; here fields are only picked.
const ResultState = z
  .object({
    answer: z.string().optional(),
    outcome: z.custom<Outcome>(isRecord).optional(),
    usage: z.custom<Usage>(isRecord).default(noUsage),
    observations: z.array(z.custom<Observation>(isRecord)).default([]),
    /** The plan, in graphs that have one. */
    steps: z.array(z.custom<Step>(isRecord)).default([]),
    run: z.object({ id: z.string(), activeMs: z.number() }).optional(),
    /** The route, in a graph that chooses one. */
    route: z.string().optional(),
    routing: z.object({ runId: z.string().optional() }).optional(),
  })
  .transform(({ run, routing, ...shown }) => ({
    ...shown,
    /** The id of the run, or of its route's run; absent before it has started. */
    runId: routing?.runId ?? run?.id,
    /** Working time in milliseconds. */
    ms: run?.activeMs ?? 0,
  }));

/** The parts of a run's state that are shown. */
type Result = z.output<typeof ResultState>;

const Pauses = z.array(z.object({ id: z.string(), value: z.unknown() }));

/** Reads the parts of a state that are shown. */
export function readResult(state: unknown): Result {
  return ResultState.parse(state);
}
