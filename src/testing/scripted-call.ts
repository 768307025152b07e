import type { ToolDefinition } from "@langchain/core/language_models/base";
import type {
  BaseChatModel,
  BaseChatModelCallOptions,
  BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";

import type { ScriptedReply } from "./reply.js";

/** The call options the scripted model takes: LangChain's, and those of the OpenAI client that tests look at. */
export interface ScriptedCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
  response_format?: unknown;
  parallel_tool_calls?: boolean;
  strict?: boolean;
}

/** Call options without the parts of a runnable's config, as LangChain hands them to a model. */
export type ParsedOptions = BaseChatModel<ScriptedCallOptions>["ParsedCallOptions"];

/** One call of a scripted model, as it was recorded. */
export type ScriptedCall = {
  readonly messages: readonly BaseMessage[];
  /** The tools bound for the call, in the form a provider is sent them. */
  readonly tools: readonly ToolDefinition[];
  /** Everything else it was called with: `tool_choice`, `response_format`, `stop`, `signal`, … */
  readonly options: Readonly<Omit<ParsedOptions, "tools">>;
  /** Whether the reply was streamed. */
  readonly streamed: boolean;
};

/** What a scripted model answers once: a text, a reply, or an error to throw. */
export type ModelAnswer = string | ScriptedReply | Error;

/**
 * Decides on an answer when it is asked. What it throws counts as a failed assertion: it is thrown
 * to the caller and again by `assertExhausted`. To script a failing model, return the error.
 */
export type ModelAnswerFunction = (
  messages: readonly BaseMessage[],
  options: ScriptedCall["options"] & Pick<ScriptedCall, "tools">,
) => ModelAnswer | Promise<ModelAnswer>;

/** An entry of a model's script. */
export type ModelReply = ModelAnswer | ModelAnswerFunction;

/** Settings of a scripted model. */
export type ScriptedModelOptions = {
  /** Reported as `model_name`. Default: `scripted-model`. */
  readonly model?: string;
  /** How long each answer takes to begin unless the reply says otherwise, in milliseconds. Default: 0. */
  readonly delayMs?: number;
};
