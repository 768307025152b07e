import { EventEmitter, getEventListeners, once } from "node:events";
import { createServer } from "node:net";
import type { Writable } from "node:stream";

import { describe, expect, it } from "vitest";

import type { Resolve } from "../../../src/services/http/allow-hosts.js";
import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { caught, get, listening, optionsFor, serving } from "../../support/local-server.js";

/** Where a request hangs, and whether it has come so far. */
type Hanging = {
  readonly host: string;
  readonly url: string;
  readonly connections: () => number;
  readonly hasCome: () => boolean;
  readonly resolve?: Resolve;
};

const stages: Readonly<Record<string, () => Promise<Hanging>>> = {
  "while the name is resolved": async () => {
    let isAsked = false;
    const server = await serving((response) => response.end());
    const resolve = () => {
      isAsked = true;
      return new Promise<never>(() => {});
    };
    return { ...server, url: "http://rooms.example/", resolve, hasCome: () => isAsked };
  },
  "while TLS is agreed on": async () => {
    const server = await listening(createServer((socket) => socket.resume()));
    const url = server.url.replace("http:", "https:");
    return { ...server, url, hasCome: () => server.connections() === 1 };
  },
  "before the headers": async () => {
    const server = await serving(() => {});
    return { ...server, hasCome: () => server.received.length === 1 };
  },
  "while the headers drip": async () => {
    const server = await serving((response) => {
      response.socket?.write("HTTP/1.1 200 OK\r\nx-a: ");
      if (response.socket !== null) drip(response.socket);
    });
    return { ...server, hasCome: () => server.received.length === 1 };
  },
  "while the body drips": async () => {
    let drops = 0;
    const server = await serving((response) => {
      drip(response, () => {
        drops += 1;
      });
    });
    return { ...server, hasCome: () => drops > 3 };
  },
  "after a redirect": async () => {
    const server = await serving((response, { path }) => {
      if (path === "/") response.writeHead(302, { location: "/b" }).end();
    });
    return { ...server, hasCome: () => server.received.length === 2 };
  },
};

/** Writes a letter every few milliseconds for as long as somebody takes it. */
function drip(stream: Writable, onDrop = () => {}): void {
  const timer = setInterval(() => {
    if (stream.destroyed) clearInterval(timer);
    else stream.write("a");
    onDrop();
  }, 5);
}

describe("a request that is called off", () => {
  it.each(Object.keys(stages))(
    "%s ends with the signal's reason and leaves nothing",
    async (stage) => {
      const hanging = await stages[stage]?.();
      if (hanging === undefined) throw new Error(`There is no stage ${stage}.`);
      const { host, url, connections, hasCome, resolve } = hanging;
      const stop = new AbortController();
      const options = optionsFor([{ host }], {
        signal: stop.signal,
        ...(resolve === undefined ? {} : { resolve }),
      });
      const asked = caught(guardedRequest(get(url), options));
      await expect.poll(hasCome).toBe(true);
      const reason = new DOMException("no answer within 3 s", "TimeoutError");
      stop.abort(reason);
      expect(await asked).toBe(reason);
      expect(getEventListeners(stop.signal, "abort")).toEqual([]);
      await expect.poll(connections).toBe(0);
    },
  );

  it("before it began is not sent", async () => {
    const server = await serving((response) => response.end());
    const reason = new Error("off");
    const options = optionsFor([server], { signal: AbortSignal.abort(reason) });
    expect(await caught(guardedRequest(get(server.url), options))).toBe(reason);
    expect(server.received).toEqual([]);
    expect(server.connections()).toBe(0);
  });

  it("while the name is resolved is not sent when it is found after all", async () => {
    const server = await serving((response) => response.end());
    const stop = new AbortController();
    const resolver = new EventEmitter();
    const resolve = async () => {
      await once(resolver, "found");
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const options = optionsFor([server], { resolve, signal: stop.signal });
    const asked = caught(guardedRequest(get(`http://rooms.example:${server.port}/`), options));
    stop.abort();
    resolver.emit("found");
    expect(await asked).toBe(stop.signal.reason);
    await new Promise((resume) => setImmediate(resume));
    expect(server.connections()).toBe(0);
  });
});

it.each([
  ["answered", "/", undefined],
  ["refused", "/long", "rejected"],
])("twenty requests that are %s leave no listener on their signal", async (_, path, kind) => {
  const server = await serving((response, received) => {
    response.end("a".repeat(received.path === "/long" ? 2_000 : 2));
  });
  const { signal } = new AbortController();
  const options = optionsFor([server], { signal });
  for (let times = 0; times < 20; times += 1) {
    const error = await caught(guardedRequest(get(`${server.url}${path}`), options));
    expect(error === undefined ? undefined : Reflect.get(Object(error), "kind")).toBe(kind);
  }
  expect(server.received).toHaveLength(20);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await expect.poll(server.connections).toBe(0);
});
