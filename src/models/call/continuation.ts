import { AIMessage, HumanMessage } from "@langchain/core/messages";

import { continuePrompt } from "../../prompts/endings.js";
import { chatListeners, openChatRun } from "../../run/answer-chat.js";
import { joinOnto, joinTexts } from "../join-text.js";
import { messageLike } from "../message.js";
import { CallFailed, declinedSentence } from "../model-failure.js";
import type { ModelFailure, Reply, ReplyListener } from "../model-request.js";
import { howEnded, refusalIn } from "../reply.js";
import { maxReplyChars } from "./bounds.js";
import { endsInLoop } from "./endless.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** How often a cut text is continued, while it is shorter than the longest reply. */
const maxContinuations = 2;

/**
 * Asks for the rest of a text that was cut for its length, and joins the parts; one that is still cut fails with the
 * limit `outputTokens`. A filtered or refused reply fails at once.
 */
export const continuation: ModelStage = async (call, next) => {
  const first = await next(call);
  const declined = declinedReply(first, call);
  if (declined !== undefined) throw new CallFailed(declined);
  if (!isCutText(first, call)) return first;
  const relay = await openChatRelay(first, call);
  let reply = first;
  for (let times = 0; times < maxContinuations; times += 1) {
    if (isEnough(reply.message.text)) break;
    const more = await next(continued(reply, call, relay)).catch((error: unknown) => {
      throw stillCut(error, reply);
    });
    const endedEarly = declinedReply(more, call);
    reply = joinedReply(reply, more);
    await relay?.tell(reply.message.text);
    if (endedEarly !== undefined) throw new CallFailed({ ...endedEarly, said: reply.message });
    if (howEnded(more.message) === "whole" && more.message.text !== "") return reply;
  }
  const { message: said, model } = reply;
  throw new CallFailed({ kind: "limit", limit: "outputTokens", said, model });
};

/** The failure of a reply that a filter or the model itself ended, with its words. */
function declinedReply(
  { message, model }: Reply,
  { role, output }: ModelCall,
): ModelFailure | undefined {
  const cause = howEnded(message);
  if (cause === "whole" || cause === "cut") return undefined;
  const words = refusalIn(message) ?? message.text;
  const reason = declinedSentence(model, role, cause, words);
  const isTold = output === undefined && words.trim() !== "";
  const { tool_calls: _calls, ...additional_kwargs } = message.additional_kwargs;
  const none = { additional_kwargs, tool_calls: [], invalid_tool_calls: [] };
  const said = messageLike(message, { content: words, ...none });
  return { kind: "failed", reason, cause, model, ...(isTold ? { said } : {}) };
}

/** Whether a reply is a text that stops early: an object or a call is asked for again instead. */
function isCutText({ message, problem }: Reply, { output }: ModelCall): boolean {
  const calls = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
  const isText = output === undefined && calls.length === 0 && message.text.trim() !== "";
  return isText && problem === undefined && howEnded(message) === "cut";
}

/** Whether a text is not continued: it is too long already, or the model would go on in its loop. */
function isEnough(text: string): boolean {
  return text.length >= maxReplyChars || endsInLoop(text);
}

/** If the continuation fails, the text stays cut. */
function stillCut(error: unknown, { message: said }: Reply): unknown {
  if (!(error instanceof CallFailed)) return error;
  const { failure } = error;
  const { model } = failure;
  const reason =
    failure.kind === "failed" ? failure.reason : `The limit of ${failure.limit} was reached.`;
  return new CallFailed({ kind: "limit", limit: "outputTokens", said, reason, model });
}

/** Asks the same model for the rest of a text, as plain text: text that looks like a call is not one. */
function continued(
  { message, model, protocol }: Reply,
  { models, trailingMessages = [], tools = [], ...call }: ModelCall,
  relay: ChatRelay | undefined,
): ModelCall {
  const { text } = message;
  const at = models.findIndex(({ name }) => name === model);
  return {
    ...call,
    model: models[at] ?? call.model,
    models: models.slice(Math.max(at, 0)),
    trailingMessages: [...trailingMessages, new AIMessage(text), new HumanMessage(continuePrompt)],
    tools: protocol.name === "native" ? tools : [],
    answerForm: undefined,
    protocol: protocol.name,
    sentBack: undefined,
    streamToUser: false,
    chat: undefined,
    ...(relay === undefined ? {} : { listener: relay.listener(text) }),
  };
}

/** Two replies as one, with the id of the first and the calls of the second. */
function joinedReply({ message: earlier }: Reply, more: Reply): Reply {
  const { text, tool_calls = [], invalid_tool_calls = [], response_metadata } = more.message;
  const joined = joinTexts(earlier.text, text);
  const { content } = earlier;
  const added = joined.slice(earlier.text.length);
  const message = messageLike(earlier, {
    content: typeof content === "string" ? joined : [...content, { type: "text", text: added }],
    response_metadata,
    tool_calls,
    invalid_tool_calls,
  });
  return { ...more, message };
}

/** Streams the rest of a message as chat, if LangGraph streams messages. */
type ChatRelay = {
  /** Listens to a continuation while it is written, and streams its new text. */
  readonly listener: (soFar: string) => ReplyListener;
  /** Streams the missing text; resolves when all of it is streamed. */
  readonly tell: (text: string) => Promise<void>;
};

/**
 * LangGraph's handlers of the stream mode `messages`: other listeners hear the model itself. Its streams of content
 * blocks cannot add to a finished message: they get the joined text with the state.
 */
const relayed = ["StreamMessagesHandler"];

/** Opens a relay for a reply that was streamed as chat; `undefined` for others, and if nobody streams. */
async function openChatRelay(
  { message: { id, text }, protocol }: Reply,
  { streamToUser, config }: ModelCall,
): Promise<ChatRelay | undefined> {
  if (streamToUser !== true || !protocol.streams || id === undefined) return undefined;
  const listeners = chatListeners(config, relayed);
  if (listeners === undefined) return undefined;
  const run = await openChatRun(listeners, "continuation");
  let told = text;
  let last: Promise<unknown> = Promise.resolve();
  const stream = (piece: string) => {
    if (piece === "") return;
    told += piece;
    last = last.then(() => run.stream(piece, id));
  };
  return {
    listener: (soFar) => listening(soFar, stream),
    tell: async (whole) => {
      if (whole.startsWith(told)) stream(whole.slice(told.length));
      await last;
    },
  };
}

/** A repeated attempt is not streamed: its text may differ from the first one's. */
function listening(soFar: string, stream: (piece: string) => void): ReplyListener {
  const join = joinOnto(soFar);
  let attempts = 0;
  return {
    begin: () => {
      attempts += 1;
    },
    hear: (piece) => {
      if (attempts === 1) stream(join.push(piece));
    },
    end: () => undefined,
  };
}
