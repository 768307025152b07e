import type { ChatRequest } from "./chat-request.js";
import type { Dialect } from "./dialect.js";
import type { DialectName } from "./dialects.js";
import type { ServerAnswer } from "./fault.js";
import type { ScriptedUsage } from "./reply.js";

/**
 * Decides on an answer when it is asked. What it throws is answered with status 500 and thrown again
 * by `assertExhausted`.
 */
export type ServerAnswerFunction = (request: ChatRequest) => ServerAnswer | Promise<ServerAnswer>;

/** An entry of a server's script. */
export type ServerReply = ServerAnswer | ServerAnswerFunction;

/** Settings of a scripted server. */
export type ScriptedServerOptions = {
  /** One entry a request, in order; or one function that answers every request. */
  readonly replies: readonly ServerReply[] | ServerAnswerFunction;
  /**
   * Asked first about every chat request. What it returns is the answer, and the script is not
   * touched: for servers with a quirk, such as one that refuses `response_format`.
   */
  readonly intercept?: (request: ChatRequest) => ServerAnswer | undefined;
  /**
   * Answers the script as a server of that kind would: see {@link dialects}. What it refuses is asked
   * after `intercept`, before every other check. Default: as OpenAI's API.
   */
  readonly dialect?: DialectName | Dialect;
  /** Requests estimated larger than this are refused as too long. Default: no limit. */
  readonly contextTokens?: number;
  /** Refuses histories in which a tool call and its result are not paired. Default: `false`. */
  readonly strictPairing?: boolean;
  /** Any other bearer token is answered with 401. Default: every one is accepted. */
  readonly apiKey?: string;
  /** `false` is a provider that never reports usage. Default: `true`. */
  readonly reportUsage?: boolean;
  /** Gives every reply without an id the same one, as some providers do. Default: `false`. */
  readonly sameId?: boolean;
  /** What `GET /v1/models` lists. Default: `scripted-model`. */
  readonly models?: readonly string[];
};

/** One request of a scripted server, as it was recorded. */
export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  /** Names in lower case; keys and tokens are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body of a chat request, as it came. */
  readonly body: ChatRequest | undefined;
  /** The body byte by byte. */
  readonly text: string;
  /** The status it was answered with; `undefined` while nothing has been sent. */
  readonly status: number | undefined;
  /**
   * Whether its answer is still under way, has ended, or was abandoned: the client left before it was
   * complete, as one does whose call was aborted.
   */
  readonly answer: "open" | "ended" | "abandoned";
};

/** A running scripted server. */
export type ScriptedServer = {
  /** The base URL for clients; ends with `/v1`. */
  readonly url: string;
  /** Every request so far, in order, also the refused and the unexpected ones. */
  readonly requests: readonly RecordedRequest[];
  /** What has been reported to clients, all in all. */
  readonly usage: Readonly<Required<ScriptedUsage>>;
  /** Throws when replies are left over, when a request was unexpected or when a reply function threw. */
  assertExhausted(): void;
  /** Ends every connection, answered or not. Leaves no socket and no timer. */
  close(): Promise<void>;
  /** The same as `close`, at the end of a block that declares the server with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};
