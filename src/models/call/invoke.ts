import { BaseCallbackHandler, type CallbackHandlerMethods } from "@langchain/core/callbacks/base";
import type { Callbacks } from "@langchain/core/callbacks/manager";
import type { BaseChatModel, BindToolsInput } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  isToolMessage,
} from "@langchain/core/messages";

import { isRecord, isTooDeep } from "../../json/json.js";
import { type CallSignal, openCallSignal, untilAborted } from "../../run/signals.js";
import { messageLike, plainText } from "../message.js";
import { type Reply, type ReplyListener, toolForm } from "../model-request.js";
import { requireComplete, normalizeReply } from "../normalize-reply.js";
import { oncePerObject } from "../once-per-object.js";
import { withHonestFetch } from "../provider/honest-fetch.js";
import { refusalOf } from "../provider/refusals.js";
import { atZero } from "../provider/temperature.js";
import { readReply } from "../provider/reply.js";
import type { Expected, ProviderRequest } from "../provider/tool-protocol.js";
import { priceOf, replyUsage } from "../usage.js";
import { type Bounds, boundsOf, hasSchema, maxReplyChars } from "./bounds.js";
import { EndlessHearing } from "./endless.js";
import { requestToSend } from "./request-to-send.js";
import type { ModelCall } from "./stage.js";

/** Sends the call and reads the reply. Throws `Refused` for an unsupported request, else the client's error. */
export async function invoke(call: ModelCall): Promise<Reply> {
  const { model, role, prices } = call;
  const sent = requestToSend(call);
  try {
    const reply = await invokeModel(call, sent);
    const used = replyUsage(role, reply, sent.messages, priceOf(model.name, prices));
    const { protocol } = sent;
    return { ...readReply(reply, sent, expectedOf(call)), model: model.name, protocol, used };
  } catch (error) {
    throw refusalOf(error, sent) ?? error;
  }
}

function expectedOf({ tools = [], messages, output, ...call }: ModelCall): Expected {
  const results = () => messages.filter(isToolMessage).map(({ text }) => text);
  return { ...call, tools: tools.map(toolForm), output: output?.name, results };
}

/**
 * Sends one request and returns the complete reply. Throws the client's errors, and a TimeoutError after `idleMs`
 * without a token: a long, lively stream continues. A reply beyond `maxReplyChars` is stopped and counts as cut, and so
 * is a longer text than `maxHeldChars` where the server is to hold the model to a call, a call of more than
 * `maxWantedChars` where one is wanted, and one that goes on with the same again and again. One that goes on with nothing
 * but white space is stopped, and is whole.
 */
export async function invokeModel(request: ModelCall, sent: ProviderRequest): Promise<AIMessage> {
  const {
    model: { model },
    config,
    idleMs,
    signal: runSignal,
  } = request;
  const listener = listenerOf(request, sent);
  const call = openCallSignal(runSignal, idleMs);
  const ending = hearEnding(call, request.onToken);
  listener?.begin();
  const isHeld = sent.options["tool_choice"] === "any";
  const heard = hearReply(listener, call.stop, boundsOf(request, sent, isHeld));
  try {
    const asked = {
      ...config,
      ...sent.options,
      tags: tagsOf(request, sent),
      signal: call.signal,
      ...listening({ model, sent, isHeld, listener, config }, [ending.callbacks, heard.callbacks]),
    };
    const runnable = withTools(sent.isAtZero === true ? atZero(model) : model)(sent.tools);
    const reply = await untilAborted(() => runnable.invoke([...sent.messages], asked), call.signal);
    reply.response_metadata = ending.metadata(reply);
    listener?.end();
    return normalizeReply(boundedReply(requireComplete(reply)));
  } catch (error) {
    const stopped = runSignal.aborted ? undefined : heard.stopped();
    if (stopped !== undefined) return normalizeReply(stopped);
    throw call.isOver() ? call.signal.reason : error;
  } finally {
    call.close();
  }
}

/** Counts every token as a sign of life, and records the reply's end. */
function hearEnding(call: CallSignal, onToken: () => void = () => undefined) {
  let ending: Record<string, unknown> = {};
  let reason: unknown;
  const hear = () => {
    // A token may come after the call was given up: it must not restart the clock.
    if (call.signal.aborted) return;
    call.touch();
    onToken();
  };
  const callbacks: CallbackHandlerMethods = {
    handleLLMNewToken: hear,
    handleChatModelStreamEvent: (event) => {
      hear();
      // In a stream of content blocks LangChain replaces the provider's word.
      if (event.event === "message-finish") reason = event.responseMetadata?.["finish_reason"];
    },
    handleLLMEnd: ({ generations }) => {
      ending = generations[0]?.[0]?.generationInfo ?? {};
    },
  };
  return {
    callbacks,
    // If a handler makes `invoke` stream, LangChain leaves the finish reason out of the message.
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
 * Whether to stream the reply within `invoke`: for a listener; for a JSON schema, since OpenAI's client parses the
 * reply itself and drops it if it is cut or not pure JSON; for a model that is held to a call, since a small one may never
 * end; and for a model set to `streaming`, since the client then fetches a tokenizer from the network to count the tokens
 * that the server reports anyway.
 */
function mustStream({ model, sent, isHeld, listener }: Listened): boolean {
  const isHeard = hasSchema(sent) || isHeld || listener !== undefined;
  return isHeard || Reflect.get(model, "streaming") === true;
}

/** A call that is listened to. */
type Listened = Pick<ModelCall, "config"> & {
  readonly model: BaseChatModel;
  readonly sent: ProviderRequest;
  /** The server is to hold the model to a call. */
  readonly isHeld: boolean;
  readonly listener: ReplyListener | undefined;
};

/** The callbacks of a call. They make it stream if `mustStream`; without listeners there are none. */
function listening(
  listened: Listened,
  methods: readonly CallbackHandlerMethods[],
): { readonly callbacks?: Callbacks } {
  const handlers = methods.map(waitedFor);
  const {
    model,
    config: { callbacks },
  } = listened;
  if (mustStream(listened)) {
    for (const handler of handlers) Object.assign(handler, { lc_prefer_streaming: true });
    return { callbacks: withHandlers(callbacks, handlers) };
  }
  const isHeard = (callbacks ?? model.callbacks) !== undefined;
  return isHeard ? { callbacks: withHandlers(callbacks, handlers) } : {};
}

/** The caller's listener, and the chat of an answer that LangGraph does not stream itself. */
function listenerOf(
  { listener, chat, output, streamToUser, tools = [] }: ModelCall,
  { protocol }: ProviderRequest,
): ReplyListener | undefined {
  const isText = output === undefined && protocol.answerField === undefined;
  const field = output === undefined ? protocol.answerField?.(tools.map(toolForm)) : output.answer;
  const isStreamed = isText && streamToUser === true;
  if (chat === undefined || isStreamed || (field === undefined && !isText)) return listener;
  const answer = chat.listener(field);
  return {
    begin: () => {
      listener?.begin();
      answer.begin();
    },
    hear: (piece, text) => {
      listener?.hear(piece, text);
      answer.hear(isText ? text : piece);
    },
    end: () => listener?.end(),
  };
}

function waitedFor(methods: CallbackHandlerMethods): BaseCallbackHandler {
  const handler = BaseCallbackHandler.fromMethods(methods);
  handler.awaitHandlers = true;
  return handler;
}

/** The callbacks with added handlers. */
function withHandlers(
  callbacks: Callbacks | undefined,
  handlers: BaseCallbackHandler[],
): Callbacks {
  if (callbacks === undefined) return handlers;
  return Array.isArray(callbacks) ? [...callbacks, ...handlers] : callbacks.copy(handlers);
}

/** Models with bound tools: binding translates every schema, and a graph's tools stay the same. */
const withTools = oncePerObject((model: BaseChatModel) =>
  oncePerObject((tools: ProviderRequest["tools"]) => withHonestFetch(bindTools(model, tools))),
);

function bindTools(model: BaseChatModel, tools: readonly BindToolsInput[]) {
  return tools.length > 0 && model.bindTools !== undefined ? model.bindTools([...tools]) : model;
}

/** The role and the step, for traces. LangGraph's `nostream` tag hides the raw reply from the chat: an answer in JSON is read first. */
function tagsOf(request: ModelCall, { protocol }: ProviderRequest): string[] {
  const { config, role, streamToUser } = request;
  return [
    ...(config.tags ?? []),
    `role:${role}`,
    ...(request.for === undefined ? [] : [`step:${request.for}`]),
    ...(streamToUser === true && protocol.streams ? [] : ["nostream"]),
  ];
}

const cut = { finish_reason: "length" };

/** A reply while it streams. */
type HeardReply = {
  readonly callbacks: ReturnType<typeof replyPieces>;
  /** The part that was heard of a reply that was stopped; `undefined` for any other. */
  readonly stopped: () => AIMessage | undefined;
};

/**
 * Records a reply, for a listener too, until it is too long, goes round in a loop, or is blank: then calls `stop` once and hears
 * nothing more.
 */
export function hearReply(
  listener: ReplyListener | undefined,
  stop: () => void,
  { text: maxText = maxReplyChars, calls: maxCalls = maxReplyChars }: Bounds = {},
): HeardReply {
  const heard = { text: "", thought: "", args: "", tool: "", id: "" };
  const endless = new EndlessHearing();
  const isLong = () => {
    const { text, thought, args, tool } = heard;
    const isGiant = text.length + thought.length + args.length > maxReplyChars;
    const isOut = args.length > maxCalls || (tool === "" && text.length > maxText);
    return isGiant || endless.isLoop || isOut;
  };
  const isOver = () => isLong() || endless.isBlank;
  const hear = ({ text, thought, args, tool, id }: ReplyPiece) => {
    if (isOver()) return;
    heard.text += text;
    heard.thought += thought;
    heard.args += args;
    heard.tool = tool ?? heard.tool;
    heard.id = id ?? heard.id;
    endless.hear(thought + text + args);
    if (text + args !== "") listener?.hear(text + args, text);
    if (isOver()) stop();
  };
  return {
    callbacks: replyPieces(hear),
    stopped: () => {
      if (isLong()) return asHeard(heard, cut);
      return isOver()
        ? asHeard({ ...heard, text: heard.text.trimEnd(), args: heard.args.trimEnd() })
        : undefined;
    },
  };
}

function asHeard(
  { text, thought, args, tool, id }: Required<ReplyPiece>,
  metadata: AIMessage["response_metadata"] = {},
): AIMessage {
  const call = { type: "invalid_tool_call", name: tool, args, error: "Cut off." } as const;
  return new AIMessage({
    content: text,
    ...(id === "" ? {} : { id }),
    additional_kwargs: thought === "" ? {} : { reasoning_content: thought },
    invalid_tool_calls: args === "" ? [] : [call],
    response_metadata: metadata,
  });
}

/** A reply that came in one piece; a too long one is shortened and counts as cut. */
export function boundedReply(reply: AIMessage): AIMessage {
  const text = plainText(reply);
  const args = (reply.tool_calls ?? []).filter((call) => !isTooDeep(call.args));
  const broken = (reply.invalid_tool_calls ?? []).map((call) => call.args?.length ?? 0);
  const sizes = [...args.map((call) => JSON.stringify(call.args).length), ...broken];
  const chars = sizes.reduce((sum, size) => sum + size, text.length);
  if (chars <= maxReplyChars) return reply;
  return messageLike(reply, {
    ...(text.length > maxReplyChars ? { content: text.slice(0, maxReplyChars) } : {}),
    response_metadata: { ...reply.response_metadata, ...cut },
  });
}

/** One piece of a reply. */
type ReplyPiece = {
  readonly text: string;
  readonly thought: string;
  /** Text of its tool calls' arguments. */
  readonly args: string;
  /** The name of the tool, at the beginning of a call. */
  readonly tool?: string;
  /** The id of the message, if known. */
  readonly id?: string;
};

const nothing: ReplyPiece = { text: "", thought: "", args: "" };

/** Callbacks for the pieces of a reply. LangChain gives tokens or, if LangGraph listens for them, events. */
function replyPieces(
  hear: (piece: ReplyPiece) => void,
): Required<Pick<CallbackHandlerMethods, "handleLLMNewToken" | "handleChatModelStreamEvent">> {
  let known = "";
  return {
    handleLLMNewToken: (token, _index, _runId, _parent, _tags, fields) => {
      hear({ ...piecesOf(fields?.chunk), text: token });
    },
    handleChatModelStreamEvent: (event) => {
      if (event.event === "message-start" && event.id !== undefined)
        hear({ ...nothing, id: event.id });
      const delta: unknown = Reflect.get(event, "delta");
      if (!isRecord(delta)) return;
      const { fields } = delta;
      const [text, thought] = [textIn(delta, "text"), textIn(delta, "reasoning")];
      const all = isRecord(fields) ? textIn(fields, "args") : "";
      const tool = isRecord(fields) ? textIn(fields, "name") : "";
      // Each event repeats all arguments so far.
      const args = all.startsWith(known) ? all.slice(known.length) : all;
      if (all !== "") known = all;
      hear({ text, thought, args, ...(tool === "" ? {} : { tool }) });
    },
  };
}

/** The contents of a message chunk beside its text. */
function piecesOf(chunk: object | undefined): ReplyPiece {
  const message: unknown = chunk === undefined ? undefined : Reflect.get(chunk, "message");
  if (!AIMessageChunk.isInstance(message)) return nothing;
  const { id, additional_kwargs: kwargs, tool_call_chunks: calls = [] } = message;
  const tool = calls.find(({ name = "" }) => name !== "")?.name;
  return {
    text: "",
    thought: textIn(kwargs, "reasoning_content"),
    args: calls.map(({ args = "" }) => args).join(""),
    ...(tool === undefined ? {} : { tool }),
    ...(id === undefined ? {} : { id }),
  };
}

function textIn(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}
