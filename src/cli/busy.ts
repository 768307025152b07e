import type { AgentEvent } from "../observe/events.js";
import { callKey } from "./calls.js";
import { callText } from "./event-lines.js";
import { duration } from "./text.js";

/** Something the run is waiting for. */
export type Busy = {
  readonly key: string;
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
};

/** What the run is waiting for after an event. */
export function busyAfter(busy: readonly Busy[], event: AgentEvent): readonly Busy[] {
  const left = endedBy(event).reduce(without, busy);
  const begun = begunBy(event);
  return begun === undefined ? left : [...left, { ...begun, since: event.at }];
}

/** What the run is waiting for, in one line with its time. */
export function busyLine(busy: readonly Busy[], now: number): string {
  const latest = busy.at(-1);
  if (latest === undefined) return "working";
  const others = busy.length > 1 ? ` and ${busy.length - 1} more` : "";
  return `${latest.label}${others} ${duration(Math.max(0, now - latest.since))}`;
}

function begunBy(event: AgentEvent): Omit<Busy, "since"> | undefined {
  if (event.type === "model_started") {
    return { key: modelKey(event), label: `${event.node} (${event.model})` };
  }
  if (event.type === "tool_started") {
    return {
      key: callKey(event.runId, event.callId),
      label: callText(event.tool, event.content?.args ?? {}),
    };
  }
  if (event.type !== "retry") return undefined;
  return { key: `retry:${event.of}`, label: `waiting to try ${event.of} again` };
}

function endedBy(event: AgentEvent): readonly string[] {
  if (event.type === "model_started") return [`retry:${event.model}`];
  if (event.type === "model_finished" || event.type === "model_failed") return [modelKey(event)];
  return event.type === "tool_finished"
    ? [callKey(event.runId, event.callId), `retry:${event.tool}`]
    : [];
}

/** Without the oldest of this key: models of one node may work side by side. */
function without(busy: readonly Busy[], key: string): readonly Busy[] {
  const at = busy.findIndex((one) => one.key === key);
  return at < 0 ? busy : busy.toSpliced(at, 1);
}

function modelKey({ node, model }: { readonly node: string; readonly model: string }): string {
  return `model:${node}:${model}`;
}
