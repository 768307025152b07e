import type { AgentEvent, EventLevel } from "./events.js";
import type { ModelInput } from "./observer.js";
import { redact as withoutKeys, redactField } from "./redact.js";

/** What leaves a run: at which level, and the caller's own redaction of texts. */
export type Privacy = {
  readonly level: EventLevel;
  readonly redact?: Redact | undefined;
};

/** Masks in a text what must not leave, such as the data of people. One that fails masks all of the text. */
export type Redact = (text: string) => string;

/** Sentences that may quote a reply, a result or a server's message: content in a field of another name. */
const quoting: ReadonlySet<string> = new Set([
  "run_finished.error",
  "run_stopped.error",
  "model_failed.error",
  "retry.reason",
  "fallback.reason",
  "degraded.reason",
  "reload_failed.reason",
  "retrieved.error",
]);

/** Fields that name what an event is about: readers find calls and runs by them. */
const identifying: ReadonlySet<string> = new Set([
  "type",
  "runId",
  "parent",
  "node",
  "role",
  "callId",
  "modelCallId",
  "requestId",
  "callIds",
  "for",
  "waitedFor",
]);

/** An event as it may leave: with content only at level "full", without keys, and redacted. */
export function cleanEvent(event: AgentEvent, { level, redact }: Privacy): AgentEvent {
  const isContent = (name: string) => name === "content" || quoting.has(`${event.type}.${name}`);
  let isRedacted = event.redacted === true;
  const masked = () => {
    isRedacted = true;
  };
  const fields = Object.entries(event)
    .filter(([name]) => level === "full" || !isContent(name))
    .map(([name, value]) => [
      name,
      identifying.has(name) ? value : cleanData(value, redact, masked),
    ]);
  const all = { ...Object.fromEntries(fields), ...(isRedacted ? { redacted: true } : {}) };
  const clean: AgentEvent = JSON.parse(JSON.stringify(all));
  return clean;
}

/** A model's input as it may leave. */
export function cleanInput(input: ModelInput, redact: Redact | undefined): ModelInput {
  return cleanData(input, redact);
}

/**
 * A copy of data in which every text is masked by its field's name, by its looks, and by the caller. `masked` is called
 * when a text has changed.
 */
function cleanData<T>(data: T, redact: Redact | undefined, masked = () => {}): T {
  const text = JSON.stringify({ data }, (name, value: unknown) => {
    if (typeof value !== "string") return value;
    const clean = cleanText(name, value, redact);
    if (clean !== value) masked();
    return clean;
  });
  const copy: { readonly data: T } = JSON.parse(text);
  return copy.data;
}

function cleanText(name: string, text: string, redact: Redact = withoutKeys): string {
  const clean = redactField(name, text);
  if (redact === withoutKeys) return clean;
  try {
    const masked: unknown = redact(clean);
    return typeof masked === "string" ? masked : wholly;
  } catch {
    return wholly;
  }
}

const wholly = "[redacted]";
