import type { ServerResponse } from "node:http";

import type { StatusOptions } from "./fault.js";
import type { ScriptedUsage } from "./reply.js";
import { pause, untilAborted } from "./until-aborted.js";

/** A piece of a response's body, and the usage that is reported once it is written. */
export type Frame = { readonly text: string; readonly usage?: ScriptedUsage };

/** A response in the form that is sent, faults included. */
export type Delivery = {
  /** Absent: not even the headers are sent. */
  readonly head?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
  readonly frames: readonly Frame[];
  readonly delayMs: number;
  readonly msPerFrame: number;
  /** The end of the response: normal, a destroyed socket, a connection reset, or none. */
  readonly ending: "end" | "destroy" | "reset" | "stall";
};

/** A response that is sent at once and ends normally. */
export function plainDelivery(
  status: number,
  contentType: string,
  frames: readonly Frame[],
  headers: Readonly<Record<string, string>> = {},
): Delivery {
  const head = { status, headers: { "content-type": contentType, ...headers } };
  return { head, frames, delayMs: 0, msPerFrame: 0, ending: "end" };
}

/** A JSON response that is sent at once and ends normally. */
export function jsonDelivery(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Delivery {
  return plainDelivery(status, "application/json", [{ text: JSON.stringify(body) }], headers);
}

/** Writes a delivery. Rejects when `signal` aborts, and leaves no timer. `reported` gets every usage that was written. */
export async function deliver(
  response: ServerResponse,
  { head, frames, delayMs, msPerFrame, ending }: Delivery,
  signal: AbortSignal,
  reported: (usage: ScriptedUsage) => void,
): Promise<void> {
  signal.throwIfAborted();
  await pause(delayMs, signal);
  if (head) {
    response.writeHead(head.status, head.headers);
    response.flushHeaders();
  }
  for (const { text, usage } of frames) {
    await pause(msPerFrame, signal);
    await untilAborted(write(response, text), signal);
    if (usage) reported(usage);
  }
  if (ending === "end") response.end();
  // A truncated body is detected only on a keep-alive connection: with `Connection: close` Node's fetch takes the end
  // of the socket for the end of the body.
  if (ending === "destroy") response.destroy();
  if (ending === "reset") response.socket?.resetAndDestroy();
}

/** Resolves when the text has been sent, so that destroying the socket next loses none of it. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The response for an error status. */
export function errorDelivery(status: number, options: StatusOptions = {}): Delivery {
  const { retryAfter, headers = {}, body, ...details } = options;
  const all = {
    ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
    ...headers,
  };
  if (typeof body === "string") return plainDelivery(status, "text/plain", [{ text: body }], all);
  return jsonDelivery(status, body ?? { error: { ...openAIError(status), ...details } }, all);
}

/** An error in the form of OpenAI's API. */
type OpenAIError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

const known = new Map<number, Pick<OpenAIError, "message" | "code"> & Partial<OpenAIError>>([
  [401, { message: "Incorrect API key provided.", code: "invalid_api_key" }],
  [404, { message: "The model does not exist.", code: "model_not_found" }],
  [429, { message: "Rate limit reached.", code: "rate_limit_exceeded", type: "requests" }],
]);

/** The error of OpenAI's API for a status. */
function openAIError(status: number): OpenAIError {
  const client = status < 500;
  return {
    message: client ? "The request was refused." : "The server had an error.",
    type: client ? "invalid_request_error" : "server_error",
    param: null,
    code: null,
    ...known.get(status),
  };
}
