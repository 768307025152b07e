import type { ChatRequest } from "./chat-request.js";
import type { StatusOptions } from "./fault.js";
import type { CompleteReply } from "./reply.js";

/** An error a server answers a request with, and its status. */
export type Refusal = StatusOptions & { readonly status: number };

/** The fields of a message, or of a streamed part of one, as they go over the wire. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** A completion, or one event of a streamed one, before it is turned into text. */
export type WireCompletion = {
  readonly choices: readonly {
    /** Of a completion in one piece. */
    readonly message?: WireMessage;
    /** Of an event. */
    readonly delta?: WireMessage;
    readonly [key: string]: unknown;
  }[];
  readonly [key: string]: unknown;
};

/** Settings of the server that belong to a dialect; those of the server itself win. */
export type DialectOptions = {
  readonly contextTokens?: number;
  readonly strictPairing?: boolean;
  readonly reportUsage?: boolean;
  readonly sameId?: boolean;
};

/** How a kind of server differs from OpenAI's: its refusals and its form of replies. Only the description is required. */
export type Dialect = {
  /** Whose dialect it is, and what is different. */
  readonly description: string;
  /** The error a request is answered with; the script is then not touched. */
  readonly refuses?: (request: ChatRequest) => Refusal | undefined;
  /** What becomes of a scripted reply: the same content, said otherwise. */
  readonly reshape?: (reply: CompleteReply, request: ChatRequest) => CompleteReply;
  /** What becomes of a completion, or of each event of a streamed one, before it is sent. */
  readonly rewrite?: (completion: WireCompletion) => object;
  readonly options?: DialectOptions;
};

/** Applies a change to every message, and every streamed part of one, of a completion. */
export const onMessages =
  (change: (message: WireMessage) => WireMessage) =>
  ({ choices, ...completion }: WireCompletion): WireCompletion => ({
    ...completion,
    choices: choices.map(({ message, delta, ...choice }) => ({
      ...choice,
      ...(message && { message: change(message) }),
      ...(delta && { delta: change(delta) }),
    })),
  });
