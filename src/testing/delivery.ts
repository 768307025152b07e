import type { ServerResponse } from "node:http";

import type { Frame } from "./completion.js";
import type { ScriptedUsage } from "./reply.js";
import { pause, untilAborted } from "./until-aborted.js";

/** A response as it goes over the wire, faults included. */
export type Delivery = {
  /** Absent: not even the headers are sent. */
  readonly head?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly frames: readonly Frame[];
  readonly delayMs: number;
  readonly msPerFrame: number;
  /** How it ends: properly, with a destroyed socket, with a connection reset, or not at all. */
  readonly ending: "end" | "destroy" | "reset" | "stall";
};

/** A response that is sent at once and ends properly. */
export function plainDelivery(
  status: number,
  contentType: string,
  frames: readonly Frame[],
  headers: Readonly<Record<string, string>> = {},
): Delivery {
  const head = { status, headers: { "content-type": contentType, ...headers } };
  return { head, frames, delayMs: 0, msPerFrame: 0, ending: "end" };
}

/** A JSON response that is sent at once and ends properly. */
export function jsonDelivery(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Delivery {
  return plainDelivery(status, "application/json", [{ text: JSON.stringify(body) }], headers);
}

/**
 * Writes a delivery. Rejects when `signal` aborts (the client has gone, the server closes), and
 * then leaves no timer. `reported` hears of every usage that was written.
 */
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
  // Seen as broken only on a connection that was to stay alive: with `Connection: close` Node's
  // fetch takes the end of the socket for the end of the body.
  if (ending === "destroy") response.destroy();
  if (ending === "reset") response.socket?.resetAndDestroy();
}

/** Resolves when the text has left for the network, so that a socket destroyed next loses none of it. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
