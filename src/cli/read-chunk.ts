import { AIMessageChunk } from "@langchain/core/messages";
import { z } from "zod";

import { isRecord } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import type { Step } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import { noUsage, type Usage } from "../state/usage.js";

/** A chunk of a graph's stream, reduced to the parts that the command line shows. */
type StreamPart =
  | { readonly kind: "event"; readonly event: AgentEvent }
  | { readonly kind: "token"; readonly id: string; readonly text: string }
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "paused"; readonly pauses: readonly Pause[] };

/** The parts of a run's state that are shown. */
export type Result = {
  readonly answer?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly usage: Usage;
  readonly observations: readonly Observation[];
  /** The plan, in graphs that have one. */
  readonly steps: readonly Step[];
  /** The route, in a graph that chooses one. */
  readonly route?: string | undefined;
  /** The id of the run, or of its route's run; absent before it has started. */
  readonly runId: string | undefined;
  /** Working time in milliseconds. */
  readonly ms: number;
};

/** One interrupt: the question, and the id for its answer. */
export type Pause = { readonly id: string; readonly value: unknown };

/** All event types: the compiler requires an entry for a new one. */
export const eventTypes: { readonly [Type in AgentEvent["type"]]: true } = {
  run_started: true,
  run_finished: true,
  model_started: true,
  model_finished: true,
  model_failed: true,
  model_corrected: true,
  model_adapted: true,
  routed: true,
  plan_made: true,
  plan_changed: true,
  arguments_repaired: true,
  degraded: true,
  tool_started: true,
  tool_finished: true,
  retry: true,
  fallback: true,
  limit_reached: true,
  input_needed: true,
  decided: true,
  handed_off: true,
};

// The graph is ours, so its state is typed where it is written; here fields are only picked.
const ResultState = z
  .object({
    answer: z.string().optional(),
    outcome: z.custom<Outcome>(isRecord).optional(),
    usage: z.custom<Usage>(isRecord).default(noUsage),
    observations: z.array(z.custom<Observation>(isRecord)).default([]),
    steps: z.array(z.custom<Step>(isRecord)).default([]),
    run: z.object({ id: z.string(), activeMs: z.number() }).optional(),
    route: z.string().optional(),
    routing: z.object({ runId: z.string().optional() }).optional(),
  })
  .transform(({ run, routing, ...shown }) => ({
    ...shown,
    runId: routing?.runId ?? run?.id,
    ms: run?.activeMs ?? 0,
  }));

const Pauses = z.array(z.object({ id: z.string(), value: z.unknown() }));

/** Reads one chunk of the stream modes "custom", "messages" and "values"; undefined if nothing of it is shown. */
export function readChunk(chunk: unknown): StreamPart | undefined {
  if (!Array.isArray(chunk)) return undefined;
  const [mode, data]: unknown[] = chunk;
  if (mode === "custom") return isAgentEvent(data) ? { kind: "event", event: data } : undefined;
  if (mode === "messages") return token(data);
  return mode === "values" && isRecord(data) ? values(data) : undefined;
}

/** Reads the parts of a state that are shown. */
export function readResult(state: unknown): Result {
  return ResultState.parse(state);
}

/** Reads the interrupts of a paused run. */
export function readPauses(interrupts: unknown): readonly Pause[] {
  return Pauses.parse(interrupts);
}

/** Whether an entry of the stream is our event: a caller's tools may write to the stream as well. */
function isAgentEvent(data: unknown): data is AgentEvent {
  if (!isRecord(data) || typeof data["runId"] !== "string") return false;
  return typeof data["type"] === "string" && Object.hasOwn(eventTypes, data["type"]);
}

/** A piece of a reply. Whole messages, such as tool results, are shown from events and the state. */
function token(data: unknown): StreamPart | undefined {
  const [message]: unknown[] = Array.isArray(data) ? data : [];
  if (!AIMessageChunk.isInstance(message) || message.text === "") return undefined;
  return { kind: "token", id: message.id ?? "", text: message.text };
}

function values(data: Record<string, unknown>): StreamPart {
  const interrupts = data["__interrupt__"];
  return interrupts === undefined
    ? { kind: "result", result: readResult(data) }
    : { kind: "paused", pauses: readPauses(interrupts) };
}
