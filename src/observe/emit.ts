import { defined } from "../json/json.js";
import type { Observation } from "../state/observation.js";
import type { AgentEventBody, ParentCall } from "./events.js";
import type { ModelInput } from "./observer.js";
import type { RunWatch } from "./watch.js";

/** Where the events of a node go, and the fields that all of them carry. */
export type EmitterOptions = {
  /** LangGraph's custom stream, if anybody reads it. */
  readonly write: ((event: unknown) => void) | undefined;
  readonly watch: RunWatch;
  readonly runId: string;
  /** The call that the run works for, if any. */
  readonly parent?: ParentCall | undefined;
  readonly node: string;
  readonly now: () => number;
};

/** Emits one event of a run, with the model's role where one is involved; `input` is what the model is sent. */
export type Emit = (
  event: AgentEventBody & { readonly role?: string },
  input?: () => ModelInput,
) => void;

/** Returns the function that emits a node's events. Without a stream and observers it does nothing. */
export function createEmitter(options: EmitterOptions): Emit {
  const { write, watch, runId, parent, node, now } = options;
  if (write === undefined && !watch.isWatched) return () => undefined;
  const origin = { runId, ...defined({ parent }), node };
  return (event, input) => {
    const told = watch.tell({ ...event, ...origin, at: now() }, input);
    write?.(told);
  };
}

/** The start and the end of the tool call that an observation records. */
export function toolEvents(
  observation: Observation,
): readonly [started: AgentEventBody, finished: AgentEventBody] {
  const { callId, tool, args, ok, attempts, ms, error, content } = observation;
  const { kind, waitedFor } = error ?? {};
  const finished = { type: "tool_finished", callId, tool, ok, attempts, ms } as const;
  const result = kind === "skipped" ? (error?.message ?? content) : content;
  return [
    { type: "tool_started", callId, tool, content: { args } },
    { ...finished, ...defined({ error: kind, waitedFor }), content: { result } },
  ];
}
