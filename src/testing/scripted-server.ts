import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { parseChatRequest } from "./chat-request.js";
import { deliver } from "./delivery.js";
import { maskedHeaders } from "./masked-headers.js";
import { ScriptedChat } from "./scripted-chat.js";
import type { RecordedRequest, ScriptedServer, ScriptedServerOptions } from "./server-options.js";
import { untilAborted } from "./until-aborted.js";

/**
 * An OpenAI-compatible server on 127.0.0.1 and a free port that answers from a script, for tests
 * through a real client.
 *
 * It serves `POST /v1/chat/completions`, whole or streamed, with tool calls and usage, and
 * `GET /v1/models`. A request beyond the script is answered with status 500 and makes
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

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else reject(new Error("The server has no port."));
    });
  });
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
