import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { ToolForm } from "../prompts/tool-protocol.js";
import type { AnswerChat } from "../run/answer-chat.js";
import type { RunScope } from "../run/scope.js";
import type { ReachedLimit } from "../state/limits.js";
import type { OutcomeCause } from "../state/outcome.js";
import type { Usage } from "../state/usage.js";
import type { SystemPrompt, WrapModelCall } from "./model-hook.js";
import type { ModelHandle, ModelRole } from "./model.js";
import { oncePerObject } from "./once-per-object.js";
import type { Protocol } from "./provider/capabilities.js";
import type { NamedSchema } from "./provider/output-mode.js";
import type { NormalizedReply, ToolProtocol, Turn } from "./provider/tool-protocol.js";
import type { Prices } from "./usage.js";

/** Listens to a reply while it is written. */
export type ReplyListener = {
  /** A reply begins: all earlier pieces belong to an attempt that is over. */
  readonly begin: () => void;
  /** The next piece of its text, or of the arguments of its tool calls; `text` is what its text has of it. */
  readonly hear: (piece: string, text: string) => void;
  /** The reply is complete. A reply that was cut off never ends. */
  readonly end: () => void;
};

/** A request to a role's models. */
export type ModelRequest = Turn & {
  readonly role: ModelRole;
  /** The id of the call or step that it works for, in events. */
  readonly for?: string | undefined;
  /** The role's model, then its fallbacks. */
  readonly models: readonly ModelHandle[];
  readonly messages: readonly BaseMessage[];
  /** Sent after the messages: a correction or the wanted output. Never trimmed, never taken for the question. */
  readonly trailingMessages?: readonly BaseMessage[];
  readonly tools?: readonly StructuredToolInterface[];
  /** Tools that the model's server runs, for models that are called natively. */
  readonly providerTools?: readonly BindToolsInput[];
  /** How tools are called. */
  readonly protocol: Protocol;
  /** The object to reply with, in place of tool calls or an answer. */
  readonly output?: NamedSchema;
  /** The form of an answer, for models that take one together with tools; others answer in prose. */
  readonly answerForm?: NamedSchema | undefined;
  /** Hears the reply before it is read; it hears nothing of a model that cannot stream. */
  readonly listener?: ReplyListener;
  /** Options of the model's `invoke`, such as `tool_choice` or `response_format`. */
  readonly options?: { readonly [name: string]: unknown } | undefined;
  readonly run: RunScope;
  readonly config: LangGraphRunnableConfig;
  readonly prices: Prices;
  /** Tokens that fit, if the caller knows better than the model's profile. */
  readonly contextTokens: number | undefined;
  /** Milliseconds without a sign of life after which a call is given up. */
  readonly idleMs: number;
  /** The reply is for the user: it streams as chat. */
  readonly streamToUser?: boolean;
  /** Streams the answer in a reply that LangGraph does not stream itself. */
  readonly chat?: AnswerChat | undefined;
  /** The graph's instructions, before those of the role. */
  readonly systemPrompt?: SystemPrompt | undefined;
  /** The caller's hooks around the call, the first outermost. */
  readonly wrap: readonly WrapModelCall[];
  /** Asks a model that cannot read images and the like all the same, with notes in their place. */
  readonly textWillDo?: true;
  /** A tool result of images alone is not skipped: a model that cannot read it fails with `unsupported_input`. */
  readonly resultsMustBeRead?: boolean;
  /** The state of the graph that hooks may read. */
  readonly state: Readonly<Record<string, unknown>>;
};

/** A model's reply. */
export type Reply = NormalizedReply & {
  /** How the model was asked to call tools. */
  readonly protocol: ToolProtocol;
  /** The name of the model that replied. */
  readonly model: string;
  /** The id of the call in events; absent for a hook's own reply. */
  readonly modelCallId?: string;
  /** The usage of the successful attempt. */
  readonly used: Usage;
};

/** Why there is no reply, or no usable one. */
export type ModelFailure = {
  /** The name of the model that was asked last. */
  readonly model: string;
  /** The part of the answer that came, the text that a filter stopped, or the words of a refusal. */
  readonly said?: AIMessage;
} & (
  | {
      readonly kind: "limit";
      readonly limit: ReachedLimit;
      /** Why a cut text could not be continued, if its length is not the reason. */
      readonly reason?: string;
    }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** The HTTP status of the last answer, if it was an error. */
      readonly status?: number;
      /** The cause, if a person can take over. */
      readonly cause?: OutcomeCause;
    }
);

/** The result of a request. `usage` covers every attempt, fallback and correction. */
export type ModelReply = { readonly usage: Usage } & (
  ({ readonly kind: "replied" } & Reply) | ModelFailure
);

/** A tool's name, purpose and arguments as JSON schema. Made once: translating a zod schema is slow. */
export const toolForm = oncePerObject((tool: StructuredToolInterface): ToolForm => {
  const { name, description = "", parameters } = convertToOpenAITool(tool).function;
  return { name, description, parameters };
});
