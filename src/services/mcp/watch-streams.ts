import { setTimeout as sleep } from "node:timers/promises";

import { isRecord } from "../../json/json.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The id of a request of the protocol. */
type Id = string | number;

/** Milliseconds in which the SDK reads what arrived before the end. */
const readMs = 100;

/**
 * A fetch that reports the id of a request when the stream that carries its answer is over. A stream with event ids is
 * left to the SDK, which resumes it.
 */
export function watchStreams(ended: (id: Id) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const id = init?.method === "POST" ? idIn(init.body) : undefined;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (id === undefined || isStream !== true || response.body === null) return response;
    const body = ReadableStream.from(
      watched(response.body, () => {
        ended(id);
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function idIn(body: unknown): Id | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  if (!isRecord(message) || !("method" in message)) return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

async function* watched(
  body: ReadableStream<Uint8Array>,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let last = "\n";
  let isResumable = false;
  try {
    for await (const chunk of body) {
      const text = `${last}${decoder.decode(chunk, { stream: true })}`;
      isResumable ||= /[\r\n]id:/.test(text);
      last = text.slice(-3);
      yield chunk;
    }
  } finally {
    if (!isResumable) void sleep(readMs, undefined, { ref: false }).then(ended);
  }
}
