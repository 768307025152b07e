import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { Command } from "@langchain/langgraph";

/** A model call as a hook sees it: the shape that LangChain's middleware has. */
export type ModelCallRequest = {
  model: BaseChatModel;
  /** Without the system message. */
  messages: BaseMessage[];
  systemPrompt: string;
  systemMessage: SystemMessage;
  tools: StructuredToolInterface[];
  /** The state of the graph: `messages` and its other keys. */
  state: { messages: BaseMessage[]; [key: string]: unknown };
  /** LangGraph's runtime: `context`, `configurable`, `store`, `writer`, `signal`. */
  runtime: { context: Record<string, unknown>; [key: string]: unknown };
  /** Options for the model's `invoke`. */
  modelSettings?: Record<string, unknown>;
};

/** Makes the model call: with limits, retries and events, each time it is called. Throws what the model throws. */
export type ModelCallHandler = (request: ModelCallRequest) => Promise<AIMessage>;

/**
 * Wraps every model call of a graph, as `wrapModelCall` of LangChain's middleware does; such a hook
 * can be handed in as it is. It may change the request (messages, system message, tools, model,
 * settings), answer by itself, call the handler again, or change the reply. The handler gives tool
 * calls as such, whatever the protocol.
 */
// A method's parameters may be narrower: LangChain types its hooks by the state of its own agent.
export type WrapModelCall = {
  hook(
    request: ModelCallRequest,
    handler: ModelCallHandler,
  ): AIMessage | Command | Promise<AIMessage | Command>;
}["hook"];
