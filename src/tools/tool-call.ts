import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { JsonObject } from "../plan/json.js";
import type { RunScope } from "../guards/run-scope.js";
import type { SoloCall } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { ActionRequest, AllowedDecision, Decision } from "../state/person.js";
import type { Toolbox } from "./toolbox.js";

/** A call as a model asked for it. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** An object, or the text that should be one. */
  readonly args: unknown;
};

/** A call whose arguments have been read. */
export type ReadCall = ToolCall & { readonly args: JsonObject };

/** A call that waits for a person. */
export type PersonRequest = {
  readonly callId: string;
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
};

/** What became of a call. JSON data, so that a task can record it. */
export type ToolCallResult =
  | {
      readonly kind: "observed";
      readonly observation: Observation;
      readonly ends?: CallEnd;
    }
  | { readonly kind: "asks"; readonly request: PersonRequest }
  | { readonly kind: "alone"; readonly call: SoloCall };

/** A call after which the run goes to its end. */
export type CallEnd = "repeated" | "handed_off" | "limit";

/** What a call needs from the run it belongs to. */
export type ToolCallContext = {
  readonly toolbox: Toolbox;
  readonly run: RunScope;
  /** Passed on to the tool. */
  readonly config: LangGraphRunnableConfig;
  /** The run's earlier observations: the repetition guard's memory. */
  readonly observations: readonly Observation[];
  /** What the user wrote, for `grounded` parameters. */
  readonly texts: () => readonly string[];
  /** Whether the call runs inside a task, where nothing may pause. */
  readonly inTask: boolean;
  /** A person's answer to what this call asked. */
  readonly decision?: Decision | undefined;
  /** Its start is on record: a write may go ahead. */
  readonly onRecord?: boolean;
};
