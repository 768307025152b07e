import { tryGetContext } from "hono/context-storage";

/** Sessions read on when the request that began to is over. */
const session = /\/(?:commands|stream\/events)$/;

/** Aborts when whoever asks is gone; undefined where nobody in particular waits for what is read. */
export function readerSignal(): AbortSignal | undefined {
  const asked = tryGetContext()?.req;
  return asked === undefined || session.test(asked.path) ? undefined : asked.raw.signal;
}
