import type {
  BaseLanguageModelInput,
  LanguageModelOutput,
} from "@langchain/core/language_models/base";
import type { AIMessage, BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { RunnableInterface } from "@langchain/core/runnables";
import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { Command } from "@langchain/langgraph";

import type { HookRuntime } from "../run/scope.js";

/** A model call as a hook sees it: the request of LangChain's agent middleware. */
export type ModelCallRequest = {
  /** A chat model. */
  readonly model: RunnableInterface<BaseLanguageModelInput, LanguageModelOutput>;
  /** Without the system message. */
  readonly messages: BaseMessage[];
  readonly systemPrompt: string;
  readonly systemMessage: SystemMessage;
  readonly tools: (ClientTool | ServerTool)[];
  /** Which tool the model must call, as its client takes it (`tool_choice`). Not with `protocol: "json"`. */
  readonly toolChoice?: unknown;
  /** Options for the model's `invoke`. */
  readonly modelSettings?: Record<string, unknown> | undefined;
  /** The state of the graph. */
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: HookRuntime;
};

/** A model call as a hook passes it on; an absent system message stays unchanged. */
export type ChangedModelCall = Pick<
  ModelCallRequest,
  "model" | "messages" | "tools" | "toolChoice" | "modelSettings"
> & {
  readonly systemPrompt?: string | undefined;
  readonly systemMessage?: SystemMessage | undefined;
};

/** Makes the model call, with limits, retries and events each time. Throws the model's errors. */
export type ModelCallHandler = (request: ChangedModelCall) => AIMessage | Promise<AIMessage>;

/**
 * Wraps every model call of a graph, as `wrapModelCall` of LangChain's middleware does; such a hook
 * can be handed in as it is. It may change the request (messages, system message, tools, model,
 * settings), answer by itself, call the handler again, or change the reply. The handler gives tool
 * calls as such, whatever the protocol. It may pause the run with LangGraph's `interrupt`; any other
 * error that it throws fails the call. Events tell the model's own reply.
 */
export type WrapModelCall = {
  // A method: its parameters may be narrower, as in LangChain's hooks.
  wrap(
    request: ModelCallRequest,
    handler: ModelCallHandler,
  ): AIMessage | Command | Promise<AIMessage | Command>;
}["wrap"];

/** The state that a prompt function reads. */
type PromptState = { readonly messages: readonly BaseMessage[] };

type PromptFunction = {
  // A method, so that its parameters may be narrower.
  prompt(
    state: PromptState,
    runtime: HookRuntime,
  ): string | SystemMessage | Promise<string | SystemMessage>;
}["prompt"];

/** Instructions for every model call of a graph: a text, a message, or a function of the state and the runtime. */
export type SystemPrompt = string | SystemMessage | PromptFunction;
