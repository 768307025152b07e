import { CallbackManager } from "@langchain/core/callbacks/manager";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { type ChatGeneration, ChatGenerationChunk } from "@langchain/core/outputs";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { type AnswerField, fieldReader } from "../json/field-reader.js";

/** Streams the answer of a run as chat while a model writes it, as chunks of one message. */
export type AnswerChat = {
  /** Listens to replies that have the answer in a field, or are the answer. */
  readonly listener: (field: AnswerField | undefined) => {
    readonly begin: () => void;
    readonly hear: (piece: string) => void;
  };
  /** Ends the stream. Returns the id for the message of this answer; `undefined` if nothing was streamed. */
  readonly end: (answer: string) => Promise<string | undefined>;
};

/**
 * Opens the chat of an answer; `undefined` if nobody listens to chat. The message gets the given id. A repeated attempt
 * begins another message, because chunks cannot be taken back. `mayBe` decides by its beginning whether a text is the
 * answer.
 */
export function openAnswerChat(
  config: LangGraphRunnableConfig,
  id: string,
  mayBe?: (beginning: string) => boolean,
): AnswerChat | undefined {
  const listeners = chatListeners(config, ["StreamMessagesHandler", "event_stream_tracer"]);
  if (listeners === undefined) return undefined;
  let attempts = 0;
  let told = "";
  let last: Promise<unknown> = Promise.resolve();
  let run: Promise<ChatRun> | undefined;
  const attemptId = () => (attempts < 2 ? id : `${id}:${attempts}`);
  const close = () => {
    const open = run;
    const message = new AIMessage({ id: attemptId(), content: told });
    run = undefined;
    told = "";
    if (open !== undefined) last = last.then(async () => (await open).end(message));
  };
  const stream = (piece: string) => {
    if (piece === "") return;
    if (run === undefined) attempts += 1;
    const open = (run ??= openChatRun(listeners, "answer"));
    const chunkId = attemptId();
    told += piece;
    last = last.then(async () => (await open).stream(piece, chunkId));
  };
  return {
    listener: (field) => {
      let read: Change = unchanged;
      let pass: Change = unchanged;
      return {
        begin: () => {
          close();
          read = field === undefined ? unchanged : fieldReader(field);
          pass = mayBe === undefined ? unchanged : passing(mayBe);
        },
        hear: (piece) => stream(pass(read(piece))),
      };
    },
    end: async (answer) => {
      if (attempts === 0) return undefined;
      const isWhole = run !== undefined && told.trim() === answer.trim();
      close();
      if (!isWhole) attempts += 1;
      await last;
      return attemptId();
    },
  };
}

type Change = (piece: string) => string;

const unchanged: Change = (piece) => piece;

/** How much of a text shows what it is. */
const beginningChars = 30;

/** Passes a text on once its beginning shows that it may be the answer. */
function passing(mayBe: (beginning: string) => boolean): Change {
  let held = "";
  let passes: boolean | undefined;
  return (piece) => {
    if (passes !== undefined) return passes ? piece : "";
    held += piece;
    if (held.trim().length < beginningChars) return "";
    passes = mayBe(held);
    return passes ? held : "";
  };
}

/** A config under which nothing that is said reaches chat. */
export function withoutChat(config: LangGraphRunnableConfig): LangGraphRunnableConfig {
  const { callbacks, tags, metadata } = config;
  if (callbacks === undefined) return config;
  const manager = CallbackManager.configure(callbacks, undefined, tags, undefined, metadata);
  if (manager === undefined) return config;
  const others = manager.handlers.filter(({ name }) => name !== "StreamMessagesHandler");
  manager.setHandlers(others);
  return { ...config, callbacks: manager };
}

/** The listeners to chat among a run's callbacks, by their names in LangChain; `undefined` without any. */
export function chatListeners(
  { callbacks, tags, metadata }: LangGraphRunnableConfig,
  names: readonly string[],
): CallbackManager | undefined {
  if (callbacks === undefined) return undefined;
  const manager = CallbackManager.configure(callbacks, undefined, tags, undefined, metadata);
  const handlers = (manager?.handlers ?? []).filter(({ name }) => names.includes(name));
  if (handlers.length === 0) return undefined;
  manager?.setHandlers(handlers);
  return manager;
}

/** A run of a model for listeners to chat alone. */
type ChatRun = {
  readonly stream: (text: string, id: string) => Promise<void>;
  readonly end: (message: AIMessage) => Promise<void>;
};

/** Opens such a run. */
export async function openChatRun(listeners: CallbackManager, name: string): Promise<ChatRun> {
  const [run] = await listeners.handleChatModelStart(
    { lc: 1, type: "not_implemented", id: ["plangraph", name] },
    [[]],
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    name,
  );
  return {
    stream: async (text, id) => {
      // As LangGraph's handlers expect it from a model: as a chunk of the message.
      const message = new AIMessageChunk({ content: text, id });
      const chunk = new ChatGenerationChunk({ text, message });
      const place = { prompt: 0, completion: 0 };
      await run?.handleLLMNewToken(text, place, undefined, undefined, undefined, { chunk });
    },
    end: async (message) => {
      const generation: ChatGeneration = { text: message.text, message };
      await run?.handleLLMEnd({ generations: [[generation]] });
    },
  };
}
