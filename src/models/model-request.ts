import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { RunScope } from "../guards/run-scope.js";
import type { LimitName } from "../state/outcome.js";
import type { Usage } from "../state/usage.js";
import type { ModelHandle } from "./model-handle.js";
import type { ModelRole } from "./model-like.js";
import type { Prices } from "./reply-usage.js";

/** What a model is asked, and by whom. */
export type ModelRequest = {
  readonly role: ModelRole;
  /** The role's model, then its fallbacks. */
  readonly models: readonly ModelHandle[];
  readonly messages: readonly BaseMessage[];
  /** What follows them: a correction, a wanted form. Always sent whole, and never taken for the question. */
  readonly postscript?: readonly BaseMessage[];
  readonly tools?: readonly StructuredToolInterface[];
  /** Options of the model's `invoke`, such as `tool_choice` or `response_format`. */
  readonly options?: { readonly [name: string]: unknown } | undefined;
  readonly run: RunScope;
  readonly config: LangGraphRunnableConfig;
  readonly prices: Prices;
  /** Tokens that fit, where the caller knows better than the model's profile. */
  readonly contextTokens: number | undefined;
  /** Milliseconds without a sign of life after which a call is given up. */
  readonly idleMs: number;
  /** The reply is meant for the user: it streams as chat. */
  readonly toUser: boolean;
  /** The run's last call, made from the reserve: no limit is asked but time. */
  readonly closing?: boolean;
};

/** What came of a request. `usage` covers every attempt, fallback and correction. */
export type ModelReply = { readonly usage: Usage } & (
  | { readonly kind: "replied"; readonly message: AIMessage }
  | { readonly kind: "limit"; readonly limit: LimitName }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** The HTTP status of the last answer, where that is what failed. */
      readonly status?: number;
    }
);
