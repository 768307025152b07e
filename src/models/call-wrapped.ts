import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";

import { isChatModel } from "./model-like.js";
import type { ModelHandle } from "./model-handle.js";
import type { ModelCallHandler, ModelCallRequest } from "./model-hook.js";
import type { ModelRequest } from "./model-request.js";
import { instanceHandle } from "./open-model.js";

/** Sends a request, with what a hook has made of it, to a model. */
type Send = (handle: ModelHandle, request: ModelRequest) => Promise<AIMessage>;

/** Sends a request through its hooks, the first outermost. Throws what the hooks and the model throw. */
export async function callWrapped(
  handle: ModelHandle,
  request: ModelRequest,
  send: Send,
): Promise<AIMessage> {
  if (request.wrap.length === 0) return send(handle, request);
  const innermost: ModelCallHandler = async (changed) =>
    send(handleOf(changed, handle), changedRequest(changed, request));
  const handler = request.wrap.reduceRight<ModelCallHandler>(
    (inner, hook) => async (changed) => replyOf(await hook(changed, inner)),
    innermost,
  );
  return handler(requestFor(handle, request));
}

function requestFor({ model }: ModelHandle, request: ModelRequest): ModelCallRequest {
  const { messages, postscript = [], tools = [], state, config, options } = request;
  const systemPrompt = systemOf(request);
  return {
    model,
    messages: [...messages.filter((message) => !isSystem(message)), ...postscript],
    systemPrompt,
    systemMessage: new SystemMessage(systemPrompt),
    tools: [...tools],
    state: { ...state, messages: [...messages] },
    runtime: { ...config, context: { ...config.context } },
    ...(options === undefined ? {} : { modelSettings: { ...options } }),
  };
}

function handleOf({ model }: ModelCallRequest, handle: ModelHandle): ModelHandle {
  if (model === handle.model) return handle;
  if (isChatModel(model)) return instanceHandle(model);
  throw new TypeError("wrapModelCall handed on a model that is no chat model");
}

/** Our request with what a hook changed. Our own postscript stays what it is, unless the hook took it out. */
function changedRequest(changed: ModelCallRequest, request: ModelRequest): ModelRequest {
  const { postscript = [], tools = [] } = request;
  const { messages, systemMessage, systemPrompt, modelSettings } = changed;
  const isOurs = (message: BaseMessage) => postscript.includes(message);
  const sameTools =
    changed.tools.length === tools.length && changed.tools.every((tool, at) => tool === tools[at]);
  const before = systemOf(request);
  const system = systemPrompt === before ? systemMessage : new SystemMessage(systemPrompt);
  return {
    ...request,
    messages: [
      ...(system.text === "" ? [] : [system]),
      ...messages.filter((message) => !isOurs(message)),
    ],
    postscript: messages.filter(isOurs),
    // The same list keeps its tools bound.
    tools: sameTools ? tools : changed.tools,
    ...(modelSettings === undefined ? {} : { options: modelSettings }),
  };
}

function systemOf({ messages }: ModelRequest): string {
  const system = messages.filter(isSystem);
  return system.map(({ text }) => text).join("\n\n");
}

function isSystem({ type }: BaseMessage): boolean {
  return type === "system";
}

function replyOf(reply: unknown): AIMessage {
  if (AIMessage.isInstance(reply)) return reply;
  throw new TypeError("wrapModelCall returned no AI message; other results have no meaning here");
}
