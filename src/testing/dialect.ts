import type { ChatRequest } from "./chat-request.js";
import type { StatusOptions } from "./fault.js";
import type { CompleteReply } from "./reply.js";

/** The error and the status of a refused request. */
export type Refusal = StatusOptions & { readonly status: number };

/** The fields of a message, or of a streamed delta, in the form that is sent. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** A completion, or one event of a streamed one, before it is serialized. */
export type WireCompletion = {
  readonly choices: readonly {
    /** In an unstreamed completion. */
    readonly message?: WireMessage;
    /** In an event. */
    readonly delta?: WireMessage;
    readonly [key: string]: unknown;
  }[];
  readonly [key: string]: unknown;
};

/** Settings of the server that belong to a dialect; the server's own settings win. */
export type DialectOptions = {
  readonly contextTokens?: number;
  readonly strictPairing?: boolean;
  readonly reportUsage?: boolean;
  readonly sameId?: boolean;
};

/** How a kind of server differs from OpenAI's: its refusals and its form of replies. Only the description is required. */
export type Dialect = {
  /** The server, and its difference. */
  readonly description: string;
  /** The error for a request; the script is then not used. */
  readonly refuses?: (request: ChatRequest) => Refusal | undefined;
  /** Changes a scripted reply: the same content in another form. */
  readonly reshape?: (reply: CompleteReply, request: ChatRequest) => CompleteReply;
  /** Changes a completion, or each event of a streamed one, before it is sent. */
  readonly rewrite?: (completion: WireCompletion) => object;
  readonly options?: DialectOptions;
};

/** Applies a change to every message, or every streamed delta, of a completion. */
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
