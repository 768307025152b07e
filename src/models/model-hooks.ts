import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { isControlFlow } from "../run/errors.js";
import { LimitReached } from "./attempt-model.js";
import type { ChangedModelCall, ModelCallHandler, ModelCallRequest } from "./model-hook.js";
import type { ModelRequest } from "./model-request.js";
import { isChatModel, type ModelHandle } from "./model.js";
import { instanceHandle } from "./open-model.js";

/** Sends a request, with what a hook has made of it, to a model. */
type Send = (handle: ModelHandle, request: ModelRequest) => Promise<AIMessage>;

/** Raised where a hook failed, and not the model within it; `cause` is what the hook threw. */
export class HookFailed extends Error {
  constructor(cause: unknown) {
    super("a wrapModelCall hook failed", { cause });
  }
}

/**
 * Sends a request through its hooks, the first outermost. Throws what the model throws, and
 * `HookFailed`. A limit that was reached, and LangGraph's control flow, pass whatever a hook around
 * makes of them.
 */
export async function callWrapped(
  handle: ModelHandle,
  request: ModelRequest,
  send: Send,
): Promise<AIMessage> {
  if (request.wrap.length === 0) return send(handle, request);
  const first = requestFor(handle, request);
  const thrown: ThrownWithin = {};
  const innermost: ModelCallHandler = async (changed) => {
    const [model, asked] = [handleOf(changed, handle), changedRequest(changed, request)];
    try {
      return await send(model, asked);
    } catch (error) {
      thrown.byModel = error;
      throw error;
    }
  };
  const outermost = request.wrap.reduceRight<ModelCallHandler>(
    (handler, hook) =>
      watched(thrown, async (changed) => replyOf(await hook(seenBy(changed, first), handler))),
    watched(thrown, innermost),
  );
  try {
    const reply = await outermost(first);
    if (thrown.passing === undefined) return reply;
  } catch (error) {
    const isOfModel = "byModel" in thrown && thrown.byModel === error;
    if (thrown.passing === undefined) throw isOfModel ? error : new HookFailed(error);
  }
  throw thrown.passing;
}

/** What was thrown inside the hooks of a call: by the model last, and what no hook may keep. */
type ThrownWithin = { byModel?: unknown; passing?: unknown };

function watched(thrown: ThrownWithin, handler: ModelCallHandler): ModelCallHandler {
  return async (changed) => {
    try {
      return await handler(changed);
    } catch (error) {
      if (error instanceof LimitReached || isControlFlow(error)) thrown.passing = error;
      throw error;
    }
  };
}

/** What the next hook sees of a call that the one around it changed. */
function seenBy(changed: ChangedModelCall, first: ModelCallRequest): ModelCallRequest {
  const systemMessage = changedSystem(changed, first.systemMessage);
  return { ...first, ...changed, systemMessage, systemPrompt: systemMessage.text };
}

function requestFor({ model }: ModelHandle, request: ModelRequest): ModelCallRequest {
  const { messages, postscript = [], tools = [], state, config, options } = request;
  const systemMessage = systemOf(request);
  return {
    model,
    messages: [...messages.filter((message) => !isSystem(message)), ...postscript],
    systemPrompt: systemMessage.text,
    systemMessage,
    tools: [...tools],
    state: { ...state, messages: [...messages] },
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

/** Our request with what a hook changed. Our own postscript stays what it is, unless the hook took it out. */
function changedRequest(changed: ChangedModelCall, request: ModelRequest): ModelRequest {
  const { postscript = [] } = request;
  const { messages, modelSettings } = changed;
  const system = changedSystem(changed, systemOf(request));
  return {
    ...request,
    messages: [
      ...(system.text === "" ? [] : [system]),
      ...messages.filter((message) => !postscript.includes(message)),
    ],
    postscript: messages.filter((message) => postscript.includes(message)),
    tools: changedTools(changed, request),
    ...(modelSettings === undefined ? {} : { options: modelSettings }),
  };
}

/** The system message as text or as message, whichever was changed. */
function changedSystem(
  { systemMessage = new SystemMessage(""), systemPrompt }: ChangedModelCall,
  before: SystemMessage,
): SystemMessage {
  const isPrompt = ![undefined, systemMessage.text, before.text].includes(systemPrompt);
  if (isPrompt) return new SystemMessage(systemPrompt ?? "");
  return systemMessage.text === "" ? before : systemMessage;
}

/** The same list keeps its tools bound. */
function changedTools({ tools: changed }: ChangedModelCall, { tools = [] }: ModelRequest) {
  if (changed.length === tools.length && changed.every((tool, at) => tool === tools[at])) {
    return tools;
  }
  return changed.map((tool) => {
    if (isTool(tool)) return tool;
    throw new PlangraphError(
      "invalid_option",
      "wrapModelCall handed on a tool that is no LangChain tool",
    );
  });
}

function isTool(tool: unknown): tool is StructuredToolInterface {
  return isRecord(tool) && typeof tool["invoke"] === "function" && "schema" in tool;
}

function systemOf({ messages }: ModelRequest): SystemMessage {
  const system = messages.filter(isSystem);
  return new SystemMessage(system.map(({ text }) => text).join("\n\n"));
}

function isSystem({ type }: BaseMessage): boolean {
  return type === "system";
}

function replyOf(reply: unknown): AIMessage {
  if (AIMessage.isInstance(reply)) return reply;
  throw new PlangraphError(
    "invalid_option",
    "wrapModelCall returned no AI message; other results have no meaning here",
  );
}
