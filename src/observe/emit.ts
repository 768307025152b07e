import { defined, isRecord, type Json } from "../json/json.js";
import type { Observation } from "../state/observation.js";
import type { AgentEventBody, EventLevel, ParentCall } from "./events.js";
import { redact, redactField } from "./redact.js";

/** The target of events, and the fields that all of them carry. */
export type EmitterOptions = {
  /** LangGraph's custom stream; without one, events are not sent. */
  readonly write: ((event: unknown) => void) | undefined;
  readonly level: EventLevel;
  readonly runId: string;
  /** The call that the run works for, if any. */
  readonly parent?: ParentCall | undefined;
  readonly node: string;
  readonly now: () => number;
};

/** Writes one event of a run, with the model's role where one is involved. */
export type Emit = (event: AgentEventBody & { readonly role?: string }) => void;

/** Sentences that may quote a reply, a result or a server's message: content in a field of another name. */
const quoting: ReadonlySet<string> = new Set([
  "run_finished.error",
  "model_failed.error",
  "retry.reason",
  "fallback.reason",
  "degraded.reason",
]);

/** Returns the function that writes a node's events: with content only at level "full", never with secrets. */
export function createEmitter(options: EmitterOptions): Emit {
  const { write, level, runId, parent, node, now } = options;
  if (write === undefined) return () => undefined;
  const origin = { runId, ...defined({ parent }), node };
  return (event) => {
    write({ ...cleaned(event, level), ...origin, at: now() });
  };
}

function cleaned(event: AgentEventBody, level: EventLevel): Record<string, unknown> {
  const isContent = (key: string) => key === "content" || quoting.has(`${event.type}.${key}`);
  const fields = Object.entries(event).filter(([key]) => level === "full" || !isContent(key));
  return Object.fromEntries(fields.map(([key, value]) => [key, withoutSecrets(value)]));
}

/** A copy of plain data with every text redacted. */
function withoutSecrets(value: unknown): Json | undefined {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item) ?? null);
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(
      fields.map(([key, field]) => [
        key,
        typeof field === "string" ? redactField(key, field) : (withoutSecrets(field) ?? null),
      ]),
    );
  }
  return typeof value === "number" || typeof value === "boolean" || value === null
    ? value
    : undefined;
}

/** The start and the end of the tool call that an observation records. */
export function toolEvents(
  observation: Observation,
): readonly [started: AgentEventBody, finished: AgentEventBody] {
  const { callId, tool, args, ok, attempts, ms, error, content } = observation;
  const finished = { type: "tool_finished", callId, tool, ok, attempts, ms } as const;
  return [
    { type: "tool_started", callId, tool, content: { args } },
    { ...finished, ...defined({ error: error?.kind }), content: { result: content } },
  ];
}
