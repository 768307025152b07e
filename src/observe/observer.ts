import type { Json, JsonObject } from "../json/json.js";
import type { AgentEvent } from "./events.js";

/** A message as a model gets it. */
export type InputMessage = {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Its text; content of another kind is named in brackets. */
  readonly text: string;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: JsonObject;
  }[];
  /** The call that the message is the result of. */
  readonly toolCallId?: string;
};

/** What a model is sent: after trimming, in the form that its server takes. */
export type ModelInput = {
  readonly messages: readonly InputMessage[];
  /** The names, purposes and argument schemas of the tools that it may call. */
  readonly tools: readonly JsonObject[];
  /** The form of the reply that is asked for (`response_format`), if any. */
  readonly form?: Json;
};

/** What an observer may ask about an event while it sees it, or later. */
export type EventDetail = {
  /** The input of the model; only of `model_started` at level "full". Made, and redacted, when it is called. */
  readonly input?: () => ModelInput;
};

/** Work that an observer may put a context around: a request to a model, or a tool call with all its attempts. */
export type ObservedWork = { readonly runId: string } & (
  | { readonly type: "model"; readonly modelCallId: string; readonly attempt: number }
  | { readonly type: "tool"; readonly callId: string }
);

/**
 * Sees every run of a graph, however it was called, and the runs inside it. Nobody waits for an observer. One that
 * throws, or whose promise rejects, is dropped for the rest of the run with one warning.
 */
export type Observer = {
  /** Sees each event, in order, at the graph's level and after `redact`. */
  readonly onEvent?: (event: AgentEvent, detail: EventDetail) => unknown;
  /**
   * Runs work inside a context, such as an active span, right after the event of its start. It must call `work` at
   * once, and cannot change the result; work that it does not call runs without it.
   */
  readonly around?: (work: ObservedWork, run: () => Promise<unknown>) => unknown;
};
