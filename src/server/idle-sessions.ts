import { z } from "zod";

import { isRecord } from "../json/json.js";

/** What LangGraph's server knows of a session on a thread, as far as it is needed here. */
const Session = z.object({
  seq: z.number(),
  eventSinks: z.instanceof(Map),
  /** Of a WebSocket, with which the session goes. */
  sendEvent: z.unknown(),
});

/** How long the events of a session are kept that nobody reads: as long as those of runs. */
const idleMs = 3_600_000;
const sweepMs = 60_000;

/**
 * LangGraph's server keeps every event of a session on a thread until its process ends. From here on they go when for an
 * hour nobody has listened and nothing has come. Which graph the session is of stays, so that it can be answered.
 */
export async function endIdleSessions(): Promise<{ readonly stop: () => void }> {
  const services = new Set<object>();
  const seen = new WeakMap<object, { readonly seq: number; readonly at: number }>();
  const release = await watchServices((service) => services.add(service));
  const sweep = () => {
    for (const record of [...services].flatMap(recordsOf)) {
      const read = Session.safeParse(record);
      // One of another version is left as it is.
      if (!read.success) continue;
      const { seq, eventSinks, sendEvent } = read.data;
      const last = seen.get(record);
      const isRead = eventSinks.size > 0 || sendEvent !== undefined;
      if (isRead || last?.seq !== seq) seen.set(record, { seq, at: Date.now() });
      else if (Date.now() - last.at >= idleMs) empty(record);
    }
  };
  const timer = setInterval(sweep, sweepMs).unref();
  return {
    stop: () => {
      clearInterval(timer);
      release();
    },
  };
}

function empty(record: object): void {
  Reflect.set(record, "queuedEvents", []);
  // It ends with its run; the next run makes another.
  Reflect.set(record, "session", undefined);
}

function recordsOf(service: object): readonly object[] {
  const threads: unknown = Reflect.get(service, "threads");
  return threads instanceof Map ? [...threads.values()].filter(isRecord) : [];
}

/** Calls `found` with whatever keeps sessions, when it is used. Returns how to stop. */
async function watchServices(found: (service: object) => void): Promise<() => void> {
  // LangGraph's package does not name it among what it exports.
  const place = new URL("protocol/service.mjs", import.meta.resolve(server));
  const loaded: unknown = await import(place.href).catch(() => undefined);
  const kind: unknown = isModule(loaded) && Reflect.get(loaded, "ProtocolService");
  if (typeof kind !== "function") return () => {};
  const prototype: unknown = Reflect.get(kind, "prototype");
  if (!isRecord(prototype)) return () => {};
  const ensure = prototype["ensureThread"];
  if (typeof ensure !== "function") return () => {};
  prototype["ensureThread"] = function ensureThread(this: object, ...given: readonly unknown[]) {
    found(this);
    return Reflect.apply(ensure, this, given);
  };
  return () => {
    prototype["ensureThread"] = ensure;
  };
}

const server = "@langchain/langgraph-api/server";

function isModule(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
