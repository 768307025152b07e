import { setTimeout as pause } from "node:timers/promises";

/** How long a stream says nothing until it says that it is open, in milliseconds: proxies cut what is silent for a minute. */
const silenceMs = 15_000;

/** A comment: clients of Server-Sent Events skip it. */
const comment = new TextEncoder().encode(": open\n\n");

/** A stream of events that says that it is open while nothing happens; any other response as it is. */
export function keptOpen(response: Response, ms = silenceMs): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return response;
  return new Response(withComments(response.body, ms), response);
}

function withComments(body: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let reading: ReturnType<typeof reader.read> | undefined;
  // A comment inside an event would be part of it.
  let isBetween = true;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        reading ??= reader.read();
        const read = await within(ms, reading);
        if (read === undefined) {
          if (!isBetween) continue;
          controller.enqueue(comment);
          return;
        }
        reading = undefined;
        if (read.done) {
          controller.close();
          return;
        }
        isBetween = endsEvent(read.value, isBetween);
        controller.enqueue(read.value);
        return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What comes within a time; nothing if it does not. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const waiting = new AbortController();
  try {
    return await Promise.race([
      work,
      pause(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined),
    ]);
  } finally {
    waiting.abort();
  }
}

/** Whether a piece ends where an event does: with an empty line. */
function endsEvent(piece: Uint8Array, before: boolean): boolean {
  if (piece.length === 0) return before;
  return /(?:\n\n|\r\r|\r\n\r\n)$/.test(new TextDecoder("latin1").decode(piece.subarray(-4)));
}
