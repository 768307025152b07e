import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";

import { type ChatRequest, parseChatRequest } from "./chat-request.js";
import { deliver } from "./delivery.js";
import type { ScriptedUsage } from "./reply.js";
import { ScriptedChat, type ScriptedServerOptions } from "./scripted-chat.js";
import { untilAborted } from "./until-aborted.js";

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
    assertExhausted: () => chat.assertExhausted(),
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
    const { authorization } = request.headers;
    const delivery = await untilAborted(chat.answer({ ...recorded, authorization }), gone.signal);
    isBrokenOff = delivery.ending === "destroy" || delivery.ending === "reset";
    await deliver(response, delivery, gone.signal, (usage) => chat.count(usage));
  } catch (error) {
    if (!gone.signal.aborted && request.complete) chat.fail(error);
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
