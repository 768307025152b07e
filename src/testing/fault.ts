import type { ScriptedReply, ScriptedToolCall } from "./reply.js";

/** A failure between the server and the client. Made with {@link fault}. */
export type Fault =
  | { readonly fault: "status"; readonly status: number; readonly options: StatusOptions }
  | { readonly fault: "reset" }
  | { readonly fault: "stall"; readonly headers: boolean }
  | {
      readonly fault: "cut";
      readonly reply: string | ScriptedReply;
      readonly afterChunks: number | undefined;
      readonly ending: "destroy" | "stall";
    }
  | { readonly fault: "garbled"; readonly body: "no-choices" | "page" | "broken-json" }
  | {
      readonly fault: "inside";
      readonly error: ErrorInside;
      readonly reply: string | ScriptedReply;
      readonly afterChunks: number;
    }
  | { readonly fault: "slow"; readonly reply: string | ScriptedReply; readonly msPerChunk: number }
  | { readonly fault: "delay"; readonly reply: ServerAnswer; readonly ms: number };

/** One answer of the scripted server: a text, a reply or a fault. */
export type ServerAnswer = string | ScriptedReply | Fault;

/** The details of an error answer. */
export type StatusOptions = {
  /** The `Retry-After` header: seconds, or a date as text. */
  readonly retryAfter?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: an error object in OpenAI's form for the status. A text is sent unchanged. */
  readonly body?: unknown;
  /** Replaces the message of the default body. */
  readonly message?: string;
  /** Replaces the error code of the default body, as in `insufficient_quota`. */
  readonly code?: string;
  /** Replaces the parameter that the default body names. */
  readonly param?: string;
};

/** A gateway's error in an answer with status 200: an object such as OpenAI's, or a text. */
export type ErrorInside =
  | string
  | {
      readonly message: string;
      readonly code?: string | number | null;
      readonly type?: string;
      readonly [key: string]: unknown;
    };

const wrongTypeOf = (value: unknown): unknown =>
  typeof value === "string" ? { unexpected: value } : "unexpected";

/**
 * The failures of model servers, as entries of a script.
 *
 * @example
 * ```ts
 * const server = await startScriptedServer({
 *   replies: [
 *     fault.status(503, { retryAfter: 1 }),
 *     fault.brokenStream("an answer that breaks off", 3),
 *     fault.malformedArguments('{"query": ', "search"),
 *     "the answer",
 *   ],
 * });
 * ```
 */
export const fault = {
  /** An error status with OpenAI's error body. */
  status: (status: number, options: StatusOptions = {}): Fault => ({
    fault: "status",
    status,
    options,
  }),

  /** The connection is reset before any answer. */
  reset: (): Fault => ({ fault: "reset" }),

  /** No data until the client gives up: after the headers, or with `headers: false` before them. */
  stall: ({ headers = true }: { readonly headers?: boolean } = {}): Fault => ({
    fault: "stall",
    headers,
  }),

  /** The socket is destroyed after this many chunks of the reply (default: half of them). */
  brokenStream: (reply: string | ScriptedReply, afterChunks?: number): Fault => ({
    fault: "cut",
    reply,
    afterChunks,
    ending: "destroy",
  }),

  /** No data after this many chunks of the reply (default: half of them). */
  stalledStream: (reply: string | ScriptedReply, afterChunks?: number): Fault => ({
    fault: "cut",
    reply,
    afterChunks,
    ending: "stall",
  }),

  /** The reply with a pause before each chunk. */
  slow: (reply: string | ScriptedReply, msPerChunk: number): Fault => ({
    fault: "slow",
    reply,
    msPerChunk,
  }),

  /** The answer, headers included, after this delay. */
  delay: (reply: ServerAnswer, ms: number): Fault => ({ fault: "delay", reply, ms }),

  /**
   * Status 200 and an error instead of the completion, as gateways answer when the server behind them fails; in a
   * stream it is an event after this many chunks of a reply (default: none).
   */
  errorInside: (
    error: ErrorInside,
    {
      reply = "",
      afterChunks = 0,
    }: { readonly reply?: string | ScriptedReply; readonly afterChunks?: number } = {},
  ): Fault => ({ fault: "inside", error, reply, afterChunks }),

  /** A completion without choices. */
  emptyChoices: (): Fault => ({ fault: "garbled", body: "no-choices" }),

  /** Status 200 and a web page, like a proxy's sign-in page. */
  html: (): Fault => ({ fault: "garbled", body: "page" }),

  /** Status 200, the right content type, and truncated JSON. */
  malformedBody: (): Fault => ({ fault: "garbled", body: "broken-json" }),

  /**
   * A tool call cut off by the token limit: its arguments stop mid-JSON after `keep` characters (default: half of
   * them), with finish reason `length`. A plain reply, for the scripted model too.
   */
  cutArguments: ({ name, args, id }: ScriptedToolCall, keep?: number): ScriptedReply => {
    const text = JSON.stringify(args);
    const cut = text.slice(0, keep ?? Math.ceil(text.length / 2));
    const call = id === undefined ? { name, args: cut } : { name, args: cut, id };
    return { invalidToolCalls: [call], finishReason: "length" };
  },

  /** A tool call with this text as arguments. A plain reply, for the scripted model too. */
  malformedArguments: (text: string, name: string): ScriptedReply => ({
    invalidToolCalls: [{ name, args: text }],
  }),

  /** A tool call with a wrong type in every argument: an object for a string, a string for anything else. A plain reply. */
  wrongTypes: (call: ScriptedToolCall): ScriptedReply => ({
    toolCalls: [
      {
        ...call,
        args: Object.fromEntries(
          Object.entries(call.args).map(([key, value]) => [key, wrongTypeOf(value)]),
        ),
      },
    ],
  }),
} as const;
