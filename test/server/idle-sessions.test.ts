import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, expect, it } from "vitest";

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

let stop = () => {};
afterEach(() => {
  stop();
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
  ({ stop } = await endIdleSessions({ idleMs: 150, sweepMs: 20 }));
  const service = await newService();
  const left = sessionOf(service, "left");
  const read = sessionOf(service, "read");
  const busy = sessionOf(service, "busy");
  const filter = { channels: new Set(["values"]) };
  await service.attachFilteredEventSink("read", { id: "sink", filter, send: async () => {} });
  await sleep(60);
  expect(left.queuedEvents).toHaveLength(1);
  const coming = setInterval(() => (busy.seq += 1), 30);
  await sleep(400);
  clearInterval(coming);
  expect(left).toMatchObject({ queuedEvents: [], assistantId: "worker", seq: 1 });
  expect(left.session).toBeUndefined();
  expect([read, busy].map(({ queuedEvents }) => queuedEvents.length)).toEqual([1, 1]);
  service.detachEventSink("read", "sink");
  await sleep(400);
  expect(read.queuedEvents).toEqual([]);
});

it("nothing is watched any more once a server has stopped", async () => {
  const watched = await endIdleSessions({ idleMs: 0, sweepMs: 10 });
  watched.stop();
  const record = sessionOf(await newService(), "left");
  await sleep(100);
  expect(record.queuedEvents).toHaveLength(1);
});
