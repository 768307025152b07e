import type { ServerResponse } from "node:http";

import { describe, expect, it } from "vitest";

import { serving } from "../support/local-server.js";
import { calledService } from "../support/served-service.js";
import type { ServiceChanges } from "../support/services.js";

const isDone = { path: "code", target: 0 };
const inDoubt = "It may have taken effect: find out before you call it again.";

/** Leads a call elsewhere first. */
const led = (path: string, then: (response: ServerResponse) => unknown) => {
  let calls = 0;
  return (response: ServerResponse) => {
    calls += 1;
    if (calls === 1) response.writeHead(303, { location: path }).end();
    else then(response);
  };
};

async function called(answer: (response: ServerResponse) => unknown, given: ServiceChanges) {
  const { run } = calledService(await serving(answer), given);
  return run.observe("rooms", {}, { isCommitted: true });
}

describe("a call that may have been carried out, and brought no answer of the service", () => {
  it.each<{ name: string; answer: (response: ServerResponse) => unknown; says: string }>([
    {
      name: "its connection breaks",
      answer: (response) => response.destroy(),
      says: "socket hang up",
    },
    {
      name: "its answer is no HTTP",
      answer: (response) => response.socket?.end("thank you\r\n\r\n"),
      says: "Parse Error",
    },
    {
      name: "its answer has no end of headers",
      answer: (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}`),
      says: "Parse Error",
    },
    {
      name: "the server goes on with something other than HTTP",
      answer: (response) =>
        response.socket?.end("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
      says: "something other than HTTP",
    },
    {
      name: "a gateway fails",
      answer: (response) => response.writeHead(502).end("<html>"),
      says: "status 502",
    },
    {
      name: "a gateway waits in vain",
      answer: (response) => response.writeHead(504).end(),
      says: "status 504",
    },
    {
      name: "the server fails",
      answer: (response) => response.writeHead(500).end("oops"),
      says: "status 500",
    },
    {
      name: "it leads to nothing",
      answer: led("/orders/7", (response) => response.writeHead(404).end()),
      says: "redirected to its response, and there the service answered with status 404",
    },
    {
      name: "it leads to a connection that breaks",
      answer: led("/orders/7", (response) => response.destroy()),
      says: "socket hang up",
    },
    {
      name: "it leads where nothing may be read",
      answer: led("http://10.0.0.1/", () => {}),
      says: "not on the public internet",
    },
    {
      name: "it leads with a status that is not followed",
      answer: (response) => response.writeHead(302, { location: "/orders/7" }).end(),
      says: "which is not followed for POST",
    },
  ])("is in doubt where $name, unless it reads", async ({ answer, says }) => {
    const request = { method: "POST" } as const;
    const seen = await called(answer, { request });
    expect(seen).toMatchObject({ ok: false, maybeDuplicate: true });
    expect(seen.error?.kind).not.toBe("rejected");
    expect(seen.content).toContain(says);
    expect(seen.content).toContain(inDoubt);
  });

  it.each<{ name: string; answer: (response: ServerResponse) => unknown }>([
    { name: "is refused", answer: (response) => response.writeHead(409).end() },
    { name: "comes too early", answer: (response) => response.writeHead(503).end() },
    {
      name: "is sent to another address",
      answer: (response) => response.writeHead(308, { location: "/b" }).end(),
    },
    {
      name: "is led to a refusal that says so",
      answer: led("/b", (response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"code":9,"message":"full"}'),
      ),
    },
  ])("is in no doubt where it $name", async ({ answer }) => {
    const seen = await called(answer, { request: { method: "POST" }, success: isDone });
    expect(seen.ok).toBe(false);
    expect(seen).not.toHaveProperty("maybeDuplicate");
    expect(seen.content).not.toContain("taken effect");
  });

  it("is in no doubt where no connection comes about", async () => {
    const { run } = calledService(
      { host: "127.0.0.1", url: "http://127.0.0.1:1" },
      { request: { method: "POST" } },
    );
    const seen = await run.observe("rooms", {}, { isCommitted: true });
    expect(seen).toMatchObject({ ok: false, error: { kind: "unavailable" } });
    expect(seen).not.toHaveProperty("maybeDuplicate");
  });

  it("is in no doubt where a read meets the same", async () => {
    const seen = await called((response) => response.destroy(), {
      retry: { attempts: 1, baseMs: 0 },
    });
    expect(seen).toMatchObject({ ok: false, error: { kind: "unavailable" } });
    expect(seen.content).not.toContain("taken effect");
  });
});
