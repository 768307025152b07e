import { CallbackManager } from "@langchain/core/callbacks/manager";
import { type AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { joinOnto } from "./join-text.js";
import type { ReplyListener } from "./model-request.js";

/** Streams the rest of a message as chat, where LangGraph streams its messages. */
export type ChatRelay = {
  /** Hears a continuation of the text so far while it is written, and streams what is new of it. */
  readonly listener: (soFar: string) => ReplyListener;
  /** Streams what is still missing of the text; resolves when all of it is out. */
  readonly tell: (text: string) => Promise<void>;
};

/**
 * LangGraph's handlers of the stream mode `messages`: other listeners hear the model itself. Its streams of content
 * blocks know no second piece of a message that has ended: they get the joined text with the state.
 */
const chatHandlers: ReadonlySet<string> = new Set(["StreamMessagesHandler"]);

const name = "continuation";

/** Opens a relay for a message that has been streamed; nothing where nobody streams. */
export async function openChatRelay(
  { callbacks, tags, metadata }: LangGraphRunnableConfig,
  { id, text }: AIMessage,
): Promise<ChatRelay | undefined> {
  const manager = CallbackManager.configure(callbacks, undefined, tags, undefined, metadata);
  const handlers = (manager?.handlers ?? []).filter((handler) => chatHandlers.has(handler.name));
  if (manager === undefined || handlers.length === 0 || id === undefined) return undefined;
  manager.setHandlers(handlers);
  const [run] = await manager.handleChatModelStart(
    { lc: 1, type: "not_implemented", id: ["plangraph", name] },
    [[]],
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    name,
  );
  if (run === undefined) return undefined;
  let told = text;
  let last: Promise<unknown> = Promise.resolve();
  const stream = (piece: string) => {
    if (piece === "") return;
    told += piece;
    last = last.then(() => run.handleLLMNewToken(...token(piece, id)));
  };
  return {
    listener: (soFar) => listening(soFar, stream),
    tell: async (whole) => {
      if (whole.startsWith(told)) stream(whole.slice(told.length));
      await last;
    },
  };
}

/** A piece as LangGraph's handlers hear it of a model: as a chunk of the message. */
function token(text: string, id: string) {
  const chunk = new ChatGenerationChunk({
    text,
    message: new AIMessageChunk({ content: text, id }),
  });
  const place = { prompt: 0, completion: 0 };
  return [text, place, undefined, undefined, undefined, { chunk }] as const;
}

/** Of an attempt that is made again nothing is streamed: what the first one brought may not be what comes. */
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
