import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { endIdleSessions } from "../../src/server/idle-sessions.js";

type Kept = { seq: number; queuedEvents: unknown[]; assistantId?: string; session?: unknown };
type Service = {
  readonly ensureThread: (options: object) => Kept;
  readonly attachFilteredEventSink: (threadId: string, sink: object) => Promise<Kept>;
  readonly detachEventSink: (threadId: string, sinkId: string) => void;
};

/** What LangGraph's server keeps its sessions in. */
async function newService(): Promise<Service> {
  const server = import.meta.resolve("@langchain/langgraph-api/server");
  const { ProtocolService } = await import(new URL("protocol/service.mjs", server).href);
  return new ProtocolService({ runs: {}, threads: {} });
}

const minuteMs = 60_000;

let stop = () => {};
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** A session that has had an event. */
function sessionOf(service: Service, threadId: string): Kept {
  const record = service.ensureThread({ threadId, transport: "sse-http", auth: undefined });
  record.seq = 1;
  record.queuedEvents.push({ seq: 1, method: "values", params: { namespace: [] } });
  record.assistantId = "worker";
  record.session = {};
  return record;
}

it("the events of a session that nobody reads go, and what answers need stays", async () => {
  ({ stop } = await endIdleSessions());
  const service = await newService();
  const left = sessionOf(service, "left");
  const read = sessionOf(service, "read");
  const busy = sessionOf(service, "busy");
  const filter = { channels: new Set(["values"]) };
  await service.attachFilteredEventSink("read", { id: "sink", filter, send: async () => {} });
  vi.advanceTimersByTime(59 * minuteMs);
  expect(left.queuedEvents).toHaveLength(1);
  busy.seq += 1;
  vi.advanceTimersByTime(3 * minuteMs);
  expect(left).toMatchObject({ queuedEvents: [], assistantId: "worker", seq: 1 });
  expect(left.session).toBeUndefined();
  expect([read, busy].map(({ queuedEvents }) => queuedEvents.length)).toEqual([1, 1]);
  service.detachEventSink("read", "sink");
  vi.advanceTimersByTime(62 * minuteMs);
  expect([read, busy].map(({ queuedEvents }) => queuedEvents.length)).toEqual([0, 0]);
});

it("nothing is watched any more once a server has stopped", async () => {
  const watched = await endIdleSessions();
  watched.stop();
  const record = sessionOf(await newService(), "left");
  vi.advanceTimersByTime(180 * minuteMs);
  expect(record.queuedEvents).toHaveLength(1);
});
