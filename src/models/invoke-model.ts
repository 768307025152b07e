import { BaseCallbackHandler, type CallbackHandlerMethods } from "@langchain/core/callbacks/base";
import type { Callbacks } from "@langchain/core/callbacks/manager";
import type { BaseChatModel, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";
import { type CallSignal, openCallSignal, untilAborted } from "../run/signals.js";
import { boundedReply, hearReply } from "./giant-reply.js";
import type { ModelRequest } from "./model-request.js";
import type { ModelHandle } from "./model.js";
import { withHonestFetch } from "./provider/honest-fetch.js";
import type { ProviderRequest } from "./provider/request.js";
import { completeReply, mendReply, plainReply } from "./normalize-reply.js";

/**
 * Sends one request to a model and gives its complete reply. Throws what the client throws, and a
 * TimeoutError when for `idleMs` neither the reply nor a token of it came: so a server that never
 * answers and a stream that stalls end, and a long, lively stream goes on. A reply longer than
 * `maxReplyChars` is stopped there, and is a reply that was cut.
 */
export async function invokeModel(
  { model }: ModelHandle,
  request: ModelRequest,
  sent: ProviderRequest,
  runSignal: AbortSignal,
): Promise<AIMessage> {
  const { config, idleMs, listener } = request;
  const call = openCallSignal(runSignal, idleMs);
  const ending = hearEnding(call);
  listener?.begin();
  const heard = hearReply(listener, call.stop);
  try {
    const asked = {
      ...config,
      ...sent.options,
      tags: tagsOf(request, sent),
      signal: call.signal,
      ...listening(model, request, sent, [ending.callbacks, heard.callbacks]),
    };
    const runnable = withTools(model, sent.tools);
    const reply = await untilAborted(() => runnable.invoke([...sent.messages], asked), call.signal);
    reply.response_metadata = ending.metadata(reply);
    listener?.end();
    return mendReply(plainReply(boundedReply(completeReply(reply))));
  } catch (error) {
    const giant = runSignal.aborted ? undefined : heard.giant();
    if (giant !== undefined) return mendReply(giant);
    throw call.isOver() ? call.signal.reason : error;
  } finally {
    call.close();
  }
}

/** Takes every token for a sign of life, and hears how a reply ends. */
function hearEnding(call: CallSignal) {
  let ending: Record<string, unknown> = {};
  let reason: unknown;
  const hear = () => {
    // A token may come late, when the call has been given up: it must not start the clock again.
    if (!call.signal.aborted) call.touch();
  };
  const callbacks: CallbackHandlerMethods = {
    handleLLMNewToken: hear,
    handleChatModelStreamEvent: (event) => {
      hear();
      // In a stream of content blocks LangChain puts words of its own in the place of the provider's.
      if (event.event === "message-finish") reason = event.responseMetadata?.["finish_reason"];
    },
    handleLLMEnd: ({ generations }) => {
      ending = generations[0]?.[0]?.generationInfo ?? {};
    },
  };
  return {
    callbacks,
    // Where a handler makes `invoke` stream, LangChain leaves the finish reason out of the message.
    metadata: ({ response_metadata: metadata }: BaseMessage) => {
      return {
        ...ending,
        ...metadata,
        ...(typeof reason === "string" ? { finish_reason: reason } : {}),
      };
    },
  };
}

/**
 * Whether the reply has to be streamed through `invoke`'s own stream. The answer to a JSON schema has:
 * else OpenAI's client parses it by itself, and throws it away, tokens and all, when it is cut or not
 * pure JSON. And so has every reply of a model set to `streaming`: else that client fetches a tokenizer
 * from the network to count what the server reported anyway. And what is listened to.
 */
function mustStream(
  model: BaseChatModel,
  { listener }: ModelRequest,
  { options }: ProviderRequest,
): boolean {
  const format = options["response_format"];
  const isSchema = isRecord(format) && format["type"] === "json_schema";
  return isSchema || listener !== undefined || Reflect.get(model, "streaming") === true;
}

/** The callbacks of a call whose tokens may come one by one: because someone listens, or because they must. */
function listening(
  model: BaseChatModel,
  request: ModelRequest,
  sent: ProviderRequest,
  methods: readonly CallbackHandlerMethods[],
): { readonly callbacks?: Callbacks } {
  const { callbacks } = request.config;
  const handlers = methods.map(waitedFor);
  if (mustStream(model, request, sent)) {
    for (const handler of handlers) Object.assign(handler, { lc_prefer_streaming: true });
    return { callbacks: withHandlers(callbacks, handlers) };
  }
  const isHeard = (callbacks ?? model.callbacks) !== undefined;
  return isHeard ? { callbacks: withHandlers(callbacks, handlers) } : {};
}

function waitedFor(methods: CallbackHandlerMethods): BaseCallbackHandler {
  const handler = BaseCallbackHandler.fromMethods(methods);
  handler.awaitHandlers = true;
  return handler;
}

/** The callbacks with some handlers more. */
function withHandlers(
  callbacks: Callbacks | undefined,
  handlers: BaseCallbackHandler[],
): Callbacks {
  if (callbacks === undefined) return handlers;
  return Array.isArray(callbacks) ? [...callbacks, ...handlers] : callbacks.copy(handlers);
}

type Bound = ReturnType<typeof bindTools>;

/** Models with their tools bound: binding translates every schema, and a graph's tools stay the same. */
const bound = new WeakMap<BaseChatModel, WeakMap<object, Bound>>();

function withTools(model: BaseChatModel, tools: ProviderRequest["tools"]): Bound {
  const known = bound.get(model) ?? new WeakMap<object, Bound>();
  const runnable = known.get(tools) ?? withHonestFetch(bindTools(model, tools));
  bound.set(model, known.set(tools, runnable));
  return runnable;
}

function bindTools(model: BaseChatModel, tools: readonly BindToolsInput[]) {
  return tools.length > 0 && model.bindTools !== undefined ? model.bindTools([...tools]) : model;
}

/** LangGraph's `nostream` tag keeps from the chat what is not meant for the user, as it is: an answer in JSON is read first. */
function tagsOf({ config, toUser }: ModelRequest, { protocol }: ProviderRequest): string[] {
  return [...(config.tags ?? []), ...(toUser && protocol === "native" ? [] : ["nostream"])];
}
