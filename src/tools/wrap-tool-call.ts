import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";

import type { HookRuntime } from "../run/scope.js";

/** What a hook sees of the run's state. */
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

/** Runs the call that the hook was asked about. Rejects with the error of a tool that fails. */
export type ToolCallHandler = (request: ToolCallRequest) => Promise<ToolMessage | Command>;

/**
 * A hook around the execution of tool calls. It may change `toolCall.args`, call the handler never,
 * once or more often, turn its error into a message, and gives the call's result. The hooks of
 * LangChain's agent middleware (`toolRetryMiddleware(…).wrapToolCall`) fit.
 */
export type WrapToolCall = {
  // A method: its parameters may be narrower, as those of LangChain's hooks are.
  wrap(
    request: ToolCallRequest,
    handler: ToolCallHandler,
  ): ToolMessage | Command | Promise<ToolMessage | Command>;
}["wrap"];
