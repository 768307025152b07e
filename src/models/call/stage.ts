import type { BaseMessage } from "@langchain/core/messages";

import type { Stage } from "../../run/stages.js";
import type { MissingCapability } from "../../state/capability.js";
import type { Usage } from "../../state/usage.js";
import type { ModelRequest, Reply } from "../model-request.js";
import type { ModelHandle } from "../model.js";

/** A request on its way to a model, with the decisions of the stages so far. */
export type ModelCall = ModelRequest & {
  /** The model to ask. */
  readonly model: ModelHandle;
  /** Aborts when the caller aborts or the time for the call is over. */
  readonly signal: AbortSignal;
  /** Records the usage of an attempt. */
  readonly record: (used: Usage) => void;
  /** Features that the request avoids; default: the known missing capabilities of the model. */
  readonly missing?: ReadonlySet<MissingCapability>;
  /** The messages to send; default: all messages of the request. */
  readonly prompt?: readonly BaseMessage[];
  /** Called at the first token of a reply that streams. */
  readonly onToken?: () => void;
};

/** One request to a model's server. */
export type ModelAttempt = ModelCall & {
  /** The id of the call in events; its attempts share it. */
  readonly modelCallId: string;
  /** Counted from 1. */
  readonly attempt: number;
};

/** A stage of a model call around its attempts. `next` throws `CallFailed`, client errors, abort reasons and LangGraph's control flow. */
export type ModelStage = Stage<ModelCall, Reply>;
