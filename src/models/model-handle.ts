import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

import type { RetryPolicy } from "../run/retry.js";
import type { Quirk } from "../state/capability.js";

/** A model ready to be called, with what is known of it. */
export type ModelHandle = {
  /** Its spec, or the name an instance goes by. */
  readonly name: string;
  readonly model: BaseChatModel;
  /** Ours for models built from a spec; one attempt for an instance, which keeps its client's retries. */
  readonly retry: RetryPolicy;
  /** How many tokens fit, where that is known. */
  readonly contextTokens?: number;
  /** What the model, or its server, does not take: known at first, more is learned from its refusals. */
  readonly quirks: Set<Quirk>;
};
