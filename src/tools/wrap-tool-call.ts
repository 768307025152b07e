import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";

import type { HookRuntime } from "../run/scope.js";

/** The run's state as a hook sees it. */
export type WrappedState = { readonly messages: BaseMessage[] };

/** A tool call as a `wrapToolCall` hook sees it: the request of LangChain's agent middleware. */
export type ToolCallRequest = {
  readonly toolCall: {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly id?: string | undefined;
    readonly type?: "tool_call";
  };
  readonly tool: { readonly name?: unknown; readonly description?: unknown } | undefined;
  readonly state: WrappedState;
  readonly runtime: HookRuntime;
};

/** Runs the requested call. Rejects with the error of a tool that fails. */
export type ToolCallHandler = (request: ToolCallRequest) => Promise<ToolMessage | Command>;

/**
 * A hook around tool calls. It may change `toolCall.args`, call the handler never, once or more often, turn its error
 * into a message, and returns the call's result. The hooks of LangChain's agent middleware
 * (`toolRetryMiddleware(…).wrapToolCall`) fit.
 */
export type WrapToolCall = {
  // A method, so that its parameters may be narrower, like those of LangChain's hooks.
  wrap(
    request: ToolCallRequest,
    handler: ToolCallHandler,
  ): ToolMessage | Command | Promise<ToolMessage | Command>;
}["wrap"];
