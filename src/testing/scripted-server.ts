import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";

import {
  type ChatRequest,
  type ChatRequestMessage,
  estimateTokens,
  parseChatRequest,
} from "./chat-request.js";
import { deliver, type Delivery, errorDelivery, jsonDelivery, planDelivery } from "./delivery.js";
import type { Dialect } from "./dialect.js";
import { type DialectName, dialects } from "./dialects.js";
import type { ServerAnswer, StatusOptions } from "./fault.js";
import { callIds, type ScriptedUsage } from "./reply.js";
import { describe, Script } from "./script.js";
import { untilAborted } from "./until-aborted.js";

/** Computes an answer when asked. An error is answered with status 500 and thrown again by `assertExhausted`. */
export type ServerAnswerFunction = (request: ChatRequest) => ServerAnswer | Promise<ServerAnswer>;

/** An entry of a server's script. */
export type ServerReply = ServerAnswer | ServerAnswerFunction;

/** Settings of a scripted server. */
export type ScriptedServerOptions = {
  /** One entry per request, in order; or one function that answers every request. */
  readonly replies: readonly ServerReply[] | ServerAnswerFunction;
  /**
   * Called first for every chat request. If it returns an answer, that is sent and the script is not used: for servers
   * with a quirk, such as one that refuses `response_format`.
   */
  readonly intercept?: (request: ChatRequest) => ServerAnswer | undefined;
  /**
   * Answers the script in the form of such a server: see {@link dialects}. Its refusals are checked after `intercept`,
   * before every other check. Default: as OpenAI's API.
   */
  readonly dialect?: DialectName | Dialect;
  /** Requests with a larger estimate are refused as too long. Default: no limit. */
  readonly contextTokens?: number;
  /** Refuses histories with an unpaired tool call or result. Default: `false`. */
  readonly strictPairing?: boolean;
  /** Any other bearer token is answered with 401. Default: all are accepted. */
  readonly apiKey?: string;
  /** `false` simulates a provider that never reports usage. Default: `true`. */
  readonly reportUsage?: boolean;
  /** Gives all replies without an id the same one, as some providers do. Default: `false`. */
  readonly sameId?: boolean;
  /** The models that `GET /v1/models` lists. Default: `scripted-model`. */
  readonly models?: readonly string[];
};

/** One recorded request of a scripted server. */
export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  /** Lower-case names; keys and tokens are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body of a chat request, unchanged. */
  readonly body: ChatRequest | undefined;
  /** The raw body. */
  readonly text: string;
  /** The status of the answer; `undefined` while nothing has been sent. */
  readonly status: number | undefined;
  /** Whether the answer is still being sent, has ended, or was abandoned: the client left before it was complete. */
  readonly answer: "open" | "ended" | "abandoned";
};

/** A running scripted server. */
export type ScriptedServer = {
  /** The base URL for clients; ends with `/v1`. */
  readonly url: string;
  /** All requests so far, in order, including refused and unexpected ones. */
  readonly requests: readonly RecordedRequest[];
  /** The total usage reported to clients. */
  readonly usage: Readonly<Required<ScriptedUsage>>;
  /** Throws if replies are left over, a request was unexpected or a reply function threw. */
  assertExhausted(): void;
  /** Closes all connections, answered or not. Leaves no socket and no timer. */
  close(): Promise<void>;
  /** Calls `close` at the end of a block that declares the server with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * An OpenAI-compatible server on 127.0.0.1 and a free port that answers from a script, for tests
 * through a real client.
 *
 * It serves `POST /v1/chat/completions`, whole or streamed, with tool calls and usage, and
 * `GET /v1/models`. A request after the end of the script is answered with status 500 and makes
 * `assertExhausted` fail.
 *
 * @example
 * ```ts
 * const server = await startScriptedServer({
 *   replies: [
 *     fault.status(503, { retryAfter: 1 }),
 *     { toolCalls: [{ name: "add", args: { a: 2, b: 3 } }] },
 *     ({ messages }) => `An answer to ${messages.length} messages.`,
 *   ],
 *   strictPairing: true,
 * });
 * const model = new ChatOpenAI({
 *   model: "any",
 *   apiKey: "none",
 *   configuration: { baseURL: server.url },
 * });
 * // … run the agent, then:
 * server.assertExhausted();
 * await server.close();
 * ```
 */
export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const chat = new ScriptedChat(options);
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void respond(request, response, chat, requests, () => server.listening);
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get usage() {
      return chat.usage;
    },
    assertExhausted: () => chat.script.assertExhausted(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "object" && address) return address.port;
  throw new Error("The server has no port.");
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  chat: ScriptedChat,
  requests: RecordedRequest[],
  isListening: () => boolean,
): Promise<void> {
  const gone = new AbortController();
  let isBrokenOff = false;
  let answer: RecordedRequest["answer"] = "open";
  response.once("close", () => {
    const isLeft = isListening() && !isBrokenOff && !response.writableFinished;
    answer = isLeft ? "abandoned" : "ended";
    gone.abort();
  });
  try {
    const recorded = await record(request, response, () => answer);
    requests.push(recorded);
    const answered = chat.answer(recorded, request.headers.authorization);
    const delivery = await untilAborted(answered, gone.signal);
    isBrokenOff = delivery.ending === "destroy" || delivery.ending === "reset";
    await deliver(response, delivery, gone.signal, (usage) => chat.count(usage));
  } catch (error) {
    if (!gone.signal.aborted && request.complete) chat.script.fail(error);
    isBrokenOff = true;
    response.destroy();
  }
}

async function record(
  request: IncomingMessage,
  response: ServerResponse,
  answerNow: () => RecordedRequest["answer"],
): Promise<RecordedRequest> {
  const { method = "", url: path = "", headers } = request;
  const body = await text(request);
  return {
    method,
    path,
    headers: maskedHeaders(headers),
    body: parseChatRequest(body),
    text: body,
    get status() {
      return response.headersSent ? response.statusCode : undefined;
    },
    get answer() {
      return answerNow();
    },
  };
}

const secret = /^(?:authorization|cookie|.*api-key|.*token)$/;

/** Headers for the record, with secrets replaced by `***` (the scheme of `authorization` stays). */
function maskedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = ""]) => {
      const written = typeof value === "string" ? value : value.join(", ");
      return [name, secret.test(name) ? masked(written) : written];
    }),
  );
}

function masked(value: string): string {
  const scheme = /^(\w+) /.exec(value)?.[1];
  return scheme === undefined ? "***" : `${scheme} ***`;
}

/** The scripted server without its sockets: requests in, deliveries out. */
class ScriptedChat {
  readonly script: Script<ServerReply>;
  /** The total usage that has been sent to clients. */
  usage: Required<ScriptedUsage> = { input: 0, output: 0, cached: 0, reasoning: 0 };
  readonly #options: ScriptedServerOptions;
  readonly #dialect: Dialect;
  readonly #nextCallId = callIds();

  constructor(options: ScriptedServerOptions) {
    const { replies, dialect = { description: "OpenAI's API." } } = options;
    this.#dialect = typeof dialect === "string" ? dialects[dialect] : dialect;
    this.#options = { ...this.#dialect.options, ...options };
    this.script =
      typeof replies === "function" ? new Script<ServerReply>([], replies) : new Script(replies);
  }

  count({ input, output, cached = 0, reasoning = 0 }: ScriptedUsage): void {
    const total = this.usage;
    this.usage = {
      input: total.input + input,
      output: total.output + output,
      cached: total.cached + cached,
      reasoning: total.reasoning + reasoning,
    };
  }

  /** Decides on the response to a request. */
  async answer(
    { method, path, body }: RecordedRequest,
    authorization: string | undefined,
  ): Promise<Delivery> {
    const { apiKey, models = ["scripted-model"] } = this.#options;
    if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`) return errorDelivery(401);
    const route = `${method} ${path.split("?")[0]}`;
    if (route === "GET /v1/models") return jsonDelivery(200, modelList(models));
    if (route !== "POST /v1/chat/completions")
      return this.#unexpected(404, `No such route: ${route}`);
    if (!body) return this.#unexpected(400, "The body is not a chat completion request.");
    return this.#complete(body);
  }

  async #complete(request: ChatRequest): Promise<Delivery> {
    try {
      const intercepted = this.#options.intercept?.(request);
      if (intercepted !== undefined) return this.#plan(intercepted, request);
      const refused = this.#dialect.refuses?.(request);
      if (refused !== undefined) return errorDelivery(refused.status, refused);
      const refusal = refusalOf(request, this.#options);
      if (refusal) return errorDelivery(400, refusal);
      return this.#plan(await this.#next(request), request);
    } catch (error) {
      return errorDelivery(500, { message: describe(this.script.fail(error)) });
    }
  }

  #plan(answer: ServerAnswer, request: ChatRequest): Delivery {
    const { reportUsage = true, sameId = false } = this.#options;
    return planDelivery(answer, {
      request,
      reportUsage,
      dialect: this.#dialect,
      nextCallId: this.#nextCallId,
      freshId: () => `chatcmpl-${sameId ? "same" : randomUUID()}`,
    });
  }

  async #next(request: ChatRequest): Promise<ServerAnswer> {
    const { role = "nobody", content } = request.messages.at(-1) ?? {};
    const entry = this.script.take(`${role}: ${describe(content)}`);
    return typeof entry === "function" ? entry(request) : entry;
  }

  #unexpected(status: number, message: string): Delivery {
    this.script.fail(new Error(message));
    return errorDelivery(status, { message });
  }
}

function modelList(models: readonly string[]) {
  const data = models.map((id) => ({ id, object: "model", created: 0, owned_by: "plangraph" }));
  return { object: "list", data };
}

/** The problem of a request, in the words of OpenAI's 400; `undefined` if there is none. */
function refusalOf(
  request: ChatRequest,
  { contextTokens: limit = Infinity, strictPairing }: ScriptedServerOptions,
): StatusOptions | undefined {
  const pairing = strictPairing === true ? unpairedCall(request.messages) : undefined;
  if (pairing !== undefined) return pairing;
  const tokens = estimateTokens(request);
  if (tokens <= limit) return undefined;
  return {
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    param: "messages",
    code: "context_length_exceeded",
  };
}

/** Walks the history with the calls that still lack their tool message. */
function unpairedCall(messages: readonly ChatRequestMessage[]): StatusOptions | undefined {
  let known = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const stray = strayResult(message, index, known);
      if (stray) return stray;
      open.delete(message.tool_call_id ?? "");
    } else {
      if (open.size > 0) return unanswered(open, index);
      known = new Set(message.tool_calls?.map(({ id }) => id));
      open = new Set(known);
    }
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function strayResult(
  { tool_call_id: id = "" }: ChatRequestMessage,
  index: number,
  calls: ReadonlySet<string>,
): StatusOptions | undefined {
  if (calls.has(id)) return undefined;
  const none = calls.size === 0;
  return {
    // The spelling "preceeding" is OpenAI's.
    message: none
      ? "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      : `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
    param: `messages.[${index}].${none ? "role" : "tool_call_id"}`,
  };
}

function unanswered(open: ReadonlySet<string>, index: number): StatusOptions {
  return {
    message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
    param: `messages.[${index}].role`,
  };
}
