import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../../errors.js";
import { isRecord } from "../../json/json.js";
import { isControlFlow } from "../../run/errors.js";
import { openCallSignal } from "../../run/signals.js";
import { noUsage } from "../../state/usage.js";
import { CallFailed, failureOf, hookSentence } from "../model-failure.js";
import type { ChangedModelCall, ModelCallHandler, ModelCallRequest } from "../model-hook.js";
import type { Reply } from "../model-request.js";
import { isChatModel, type ModelHandle } from "../model.js";
import { instanceHandle } from "../open-model.js";
import { isProviderTool } from "../provider-tool.js";
import { nativeProtocol } from "../provider/native-protocol.js";
import type { ModelCall, ModelStage } from "./stage.js";

/**
 * Calls the user's hooks, the first outermost. A hook that throws fails the call; a model error that it does not catch
 * stays the same error. No hook can hide a reached limit or LangGraph's control flow.
 */
export const hooks: ModelStage = async (call, next) => {
  if (call.wrap.length === 0) return next(call);
  const first = requestFor(call);
  const replies: Reply[] = [];
  const errors = new Set<unknown>();
  const passing: unknown[] = [];
  const watched = (handler: ModelCallHandler): ModelCallHandler => {
    return async (changed) => {
      try {
        return await handler(changed);
      } catch (error) {
        if (isLimit(error) || isControlFlow(error)) passing.push(error);
        throw error;
      }
    };
  };
  const watch = openWatch(call.signal);
  const innermost: ModelCallHandler = async (changed) => {
    const asked = changedCall(changed, call);
    try {
      const reply = await watch.during(() => next(asked));
      replies.push(reply);
      return reply.message;
    } catch (error) {
      errors.add(error);
      throw error;
    }
  };
  const outermost = call.wrap.reduceRight<ModelCallHandler>(
    (handler, hook) =>
      watched(async (changed) => {
        const seen = { ...first, ...withOneSystem(changed, first) };
        return messageOf(await hook(seen, (given) => handler(withOneSystem(given, seen))));
      }),
    watched(innermost),
  );
  try {
    const message = await Promise.race([outermost(first), watch.isOver]);
    if (passing.length === 0) return hookedReply(message, replies, call);
  } catch (error) {
    if (passing.length === 0) throw errors.has(error) ? error : hookFailure(error, call);
  } finally {
    watch.close();
  }
  throw passing.at(-1);
};

function isLimit(error: unknown): boolean {
  return error instanceof CallFailed && error.failure.kind === "limit";
}

/** Watches hooks: rejects when the call's signal aborts and no model works, which ends by itself. */
function openWatch(callSignal: AbortSignal) {
  const { signal, close } = openCallSignal(callSignal, Infinity);
  let working = 0;
  let end: ((reason: unknown) => void) | undefined;
  const isOver = new Promise<never>((_, reject) => {
    end = reject;
  });
  const over = () => {
    if (!signal.aborted || working > 0) return;
    // A hook that only passes the model's error on comes first.
    setTimeout(() => {
      if (working === 0) end?.(signal.reason);
    });
  };
  // It is only of interest while hooks work.
  isOver.catch(() => {});
  signal.addEventListener("abort", over, { once: true });
  over();
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    working += 1;
    try {
      return await work();
    } finally {
      working -= 1;
      over();
    }
  };
  return { isOver, during, close };
}

function hookFailure(error: unknown, call: ModelCall): CallFailed {
  const { model } = call;
  if (call.signal.aborted) return new CallFailed(failureOf(error, call));
  return new CallFailed({ kind: "failed", reason: hookSentence(error), model: model.name });
}

/** The hooks' reply. A reply with the model's own words keeps its problem; other words have none. */
function hookedReply(message: AIMessage, replies: readonly Reply[], call: ModelCall): Reply {
  const same = replies.findLast((reply) => saysTheSame(reply.message, message));
  if (same !== undefined) return { ...same, message };
  const { protocol = nativeProtocol } = replies.at(-1) ?? {};
  return { message, model: call.model.name, protocol, used: noUsage };
}

/** Whether two replies have the same text and number of calls: a hook may return a copy. */
function saysTheSame(left: AIMessage, right: AIMessage): boolean {
  const [calls, others] = [left, right].map(({ tool_calls: made = [] }) => made.length);
  return left.text === right.text && calls === others;
}

/** What a hook hands on, with its system message in both forms. */
function withOneSystem(changed: ChangedModelCall, seen: ModelCallRequest) {
  const systemMessage = changedSystem(changed, seen.systemMessage);
  return { ...changed, systemMessage, systemPrompt: systemMessage.text };
}

function requestFor(call: ModelCall): ModelCallRequest {
  const {
    model: handle,
    messages,
    trailingMessages = [],
    tools = [],
    state,
    config,
    options,
  } = call;
  const systemMessage = systemOf(call);
  const conversation = messages.filter((message) => !isSystem(message));
  return {
    model: handle.model,
    messages: [...conversation, ...trailingMessages],
    systemPrompt: systemMessage.text,
    systemMessage,
    tools: [...tools],
    state: { ...state, messages: conversation },
    runtime: { ...config, context: { ...config.context } },
    ...(options === undefined ? {} : { modelSettings: { ...options } }),
  };
}

function handleOf({ model }: ChangedModelCall, handle: ModelHandle): ModelHandle {
  if (model === handle.model) return handle;
  if (isChatModel(model)) return instanceHandle(model);
  throw new PlangraphError(
    "invalid_option",
    "wrapModelCall handed on a model that is no chat model",
  );
}

/** The call with a hook's changes. A trailing message stays one, unless the hook removed it. */
function changedCall(changed: ChangedModelCall, call: ModelCall): ModelCall {
  const { trailingMessages = [] } = call;
  const { messages } = changed;
  const system = changedSystem(changed, systemOf(call));
  return {
    ...call,
    model: handleOf(changed, call.model),
    messages: [
      ...(system.text === "" ? [] : [system]),
      ...messages.filter((message) => !trailingMessages.includes(message)),
    ],
    trailingMessages: messages.filter((message) => trailingMessages.includes(message)),
    ...changedTools(changed, call),
    ...changedOptions(changed),
  };
}

/** The options for the model. Model servers refuse a choice where there are no tools. */
function changedOptions({ modelSettings, toolChoice, tools }: ChangedModelCall) {
  const choice = toolChoice === undefined || tools.length === 0 ? {} : { tool_choice: toolChoice };
  const options = { ...modelSettings, ...choice };
  return Object.keys(options).length === 0 ? {} : { options };
}

/** The system message as text or as message, whichever was changed. */
function changedSystem(
  { systemMessage = new SystemMessage(""), systemPrompt }: ChangedModelCall,
  before: SystemMessage,
): SystemMessage {
  const isPrompt = ![undefined, systemMessage.text, before.text].includes(systemPrompt);
  if (isPrompt) return new SystemMessage(systemPrompt ?? "");
  return systemMessage.text === "" ? before : inParagraphs(systemMessage, before.text);
}

/** A system message in which what a hook appended is a paragraph of its own, as it is a block in LangChain's agents. */
function inParagraphs(changed: SystemMessage, before: string): SystemMessage {
  const { content } = changed;
  if (before === "" || typeof content !== "string" || !content.startsWith(before)) return changed;
  const added = content.slice(before.length);
  return /^\S/.test(added) ? new SystemMessage(`${before}\n\n${added}`) : changed;
}

/**
 * The tools as a hook changed them. The same list keeps its tools bound. A hook may describe a known tool anew, as LangChain's
 * search by the provider does, and add tools that the model's server runs.
 */
function changedTools(
  { tools: changed }: ChangedModelCall,
  { tools = [], providerTools = [] }: ModelCall,
): Pick<ModelCall, "tools" | "providerTools"> {
  if (changed.length === tools.length && changed.every((tool, at) => tool === tools[at])) {
    return { tools };
  }
  const ofServer = changed.filter((tool) => isProviderTool(tool));
  return {
    tools: changed.filter((tool) => !isProviderTool(tool)).map((tool) => ownTool(tool, tools)),
    ...(ofServer.length === 0 ? {} : { providerTools: [...providerTools, ...ofServer] }),
  };
}

/** A tool of a hook's list: one of LangChain's, or the description of one that is known. */
function ownTool(
  tool: unknown,
  known: readonly StructuredToolInterface[],
): StructuredToolInterface {
  if (isTool(tool)) return tool;
  const { name, extras } = isRecord(tool) ? tool : {};
  const whole = known.find((one) => one.name === name);
  if (whole === undefined) {
    throw new PlangraphError(
      "invalid_option",
      "wrapModelCall handed on a tool that is no LangChain tool",
    );
  }
  const described: StructuredToolInterface = Object.create(whole, {
    extras: { value: extras, enumerable: true },
  });
  return described;
}

function isTool(tool: unknown): tool is StructuredToolInterface {
  return isRecord(tool) && typeof tool["invoke"] === "function" && "schema" in tool;
}

function systemOf({ messages }: ModelCall): SystemMessage {
  const system = messages.filter(isSystem);
  return new SystemMessage(system.map(({ text }) => text).join("\n\n"));
}

function isSystem({ type }: BaseMessage): boolean {
  return type === "system";
}

function messageOf(reply: unknown): AIMessage {
  if (AIMessage.isInstance(reply)) return reply;
  throw new PlangraphError(
    "invalid_option",
    "wrapModelCall returned no AI message; other results have no meaning here",
  );
}
