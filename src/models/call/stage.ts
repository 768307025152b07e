import type { BaseMessage } from "@langchain/core/messages";

import type { Stage } from "../../run/stages.js";
import type { MissingCapability } from "../../state/capability.js";
import type { Usage } from "../../state/usage.js";
import type { ModelRequest, Reply } from "../model-request.js";
import type { ModelHandle } from "../model.js";

/** A request on its way to a model, with what the stages so far decided. */
export type ModelCall = ModelRequest & {
  /** The model that is asked. */
  readonly model: ModelHandle;
  /** Aborts when the caller aborts or the time for the call is over. */
  readonly signal: AbortSignal;
  /** Records what an attempt used. */
  readonly record: (used: Usage) => void;
  /** What is not asked of the model's server; default: what the model is known to lack. */
  readonly missing?: ReadonlySet<MissingCapability>;
  /** The messages as they are sent; default: all messages of the request. */
  readonly prompt?: readonly BaseMessage[];
  /** Counted from 1; default 1. */
  readonly attempt?: number;
};

/** One stage of a model call. The rest throws `CallFailed`, what the client throws, the abort reason and LangGraph's control flow. */
export type ModelStage = Stage<ModelCall, Reply>;
