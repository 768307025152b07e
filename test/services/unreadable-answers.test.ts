import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { serving } from "../support/local-server.js";
import { calledService, servedService } from "../support/served-service.js";
import type { ServiceChanges } from "../support/services.js";

const isDone = { path: "code", target: 0 };
const booked = { code: 0, booking: { id: 7 } };
const shown = { to: "render", component: "Table", props: { rows: "{{data.rows}}" } } as const;
const post = { method: "POST" } as const;

describe("a service that changed something, and whose answer cannot be read", () => {
  it.each<{ name: string; body: Json; given: ServiceChanges; says: string }>([
    {
      name: "its data are not where they should be",
      body: booked,
      given: { request: post, success: isDone, data: "data" },
      says: 'the response has nothing at "data": {"code":0,"booking":{"id":7}}',
    },
    {
      name: "nothing is there to show",
      body: booked,
      given: { request: post, success: isDone, result: shown },
      says: "nothing to show as Table",
    },
    {
      name: "the status alone says that it was done",
      body: { booking: { id: 7 } },
      given: { request: { method: "PUT" }, data: "data.id" },
      says: 'nothing at "data.id"',
    },
  ])("is told as done where $name", async ({ body, given, says }) => {
    const { server, run } = await servedService(body, given);
    const { ok, error, content } = await run.observe("rooms", {}, { isCommitted: true });
    expect({ ok, error }).toEqual({ ok: true, error: undefined });
    expect(content).toContain("Done: the service did what it was asked.");
    expect(content).toContain("Do not ask it for this again.");
    expect(content).toContain(says);
    expect(content).toContain('"id":7');
    expect(server.received).toHaveLength(1);
  });

  it.each<{ name: string; body: Json; given: ServiceChanges; status?: number; kind: string }>([
    {
      name: "it says that it did not",
      body: { code: 7 },
      given: { request: post, success: isDone, data: "data" },
      kind: "rejected",
    },
    {
      name: "its status says so",
      body: { message: "full" },
      given: { request: post, data: "data" },
      status: 409,
      kind: "rejected",
    },
    {
      name: "it only reads",
      body: booked,
      given: { success: isDone, data: "data" },
      kind: "rejected",
    },
    {
      name: "what it reads cannot be shown",
      body: { rows: 1 },
      given: { result: { ...shown, props: { rows: "{{data.x}}" } } },
      kind: "rejected",
    },
  ])("is an error where $name", async ({ body, given, status, kind }) => {
    const { run } = await servedService(body, given, status);
    const { ok, error, content } = await run.observe("rooms", {}, { isCommitted: true });
    expect({ ok, kind: error?.kind }).toEqual({ ok: false, kind });
    expect(content).not.toContain("Done");
  });
});

/** Answers of status 200 of which nothing can be taken, whatever the service did. */
const unreadable: readonly {
  readonly name: string;
  readonly answer: (response: ServerResponse) => unknown;
  readonly says: string;
  /** Whether it may not be the service's own answer. */
  readonly isForeign?: true;
}[] = [
  { name: "nothing", answer: (response) => json(response).end(), says: "got nothing" },
  { name: "no content", answer: (response) => response.writeHead(204).end(), says: "got nothing" },
  {
    name: "broken JSON",
    answer: (response) => json(response).end('{"code":0,"id":'),
    says: 'got application/json: {"code":0,"id":',
  },
  {
    name: "a text",
    answer: (response) => response.writeHead(200, { "content-type": "text/plain" }).end("OK"),
    says: "got text/plain: OK",
  },
  {
    name: "a page",
    answer: (response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in</html>"),
    says: "got text/html: <html>Log in</html>",
    isForeign: true,
  },
  {
    name: "more than is read",
    answer: (response) => json(response).end(JSON.stringify("x".repeat(2_000))),
    says: "at most 1000 bytes are read (maxBytes)",
  },
  {
    name: "JSON in an unknown compression",
    answer: (response) =>
      response.writeHead(200, { "content-encoding": "zstd" }).end(gzipSync('{"code":0}')),
    says: 'the response is encoded as "zstd"',
  },
  {
    name: "an answer that breaks off",
    answer: (response) => {
      json(response).write('{"code":0', () => response.destroy());
    },
    says: "aborted",
    isForeign: true,
  },
];

function json(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "application/json" });
}

const once = { attempts: 1, baseMs: 0 };

async function answeredWith(
  answer: (response: ServerResponse) => unknown,
  { request, ...given }: ServiceChanges,
) {
  const server = await serving(answer);
  const limited = { ...given, request: { ...request, maxBytes: 1_000 } };
  const seen = await calledService(server, limited).run.observe("rooms", {}, { isCommitted: true });
  return { seen, server };
}

const inDoubt = "It may have taken effect: find out before you call it again.";

describe.each(unreadable)("$name in answer to a call", ({ answer, says, isForeign }) => {
  it.each<{ method: "POST" | "PUT" | "DELETE" | "PATCH"; retry?: typeof once }>([
    { method: "POST" },
    { method: "PATCH" },
    { method: "PUT", retry: once },
    { method: "DELETE", retry: once },
  ])("leaves open whether it was done where success is not seen: $method", async (given) => {
    const { method, ...rest } = given;
    const { seen, server } = await answeredWith(answer, {
      ...rest,
      request: { method },
      success: isDone,
    });
    expect(seen).toMatchObject({ ok: false, attempts: 1, maybeDuplicate: true });
    expect(seen.error?.kind).toBe(isForeign === true ? "unavailable" : "internal");
    expect(seen.content).toContain("the service answered with status 20");
    expect(seen.content).toContain(says);
    expect(seen.content).toContain(inDoubt);
    expect(seen.content).not.toMatch(/rejected|refused|Done/);
    expect(server.received).toHaveLength(1);
  });

  it("is done where the status alone says so, unless it may not be the service's own", async () => {
    const { seen, server } = await answeredWith(answer, {
      request: { method: "POST" },
      data: "data",
    });
    const isToldDone = isForeign !== true;
    expect(seen.ok).toBe(isToldDone);
    expect(seen.content).toContain(says);
    expect(seen.content.includes("Do not ask it for this again.")).toBe(isToldDone);
    expect(seen.content.includes(inDoubt)).toBe(!isToldDone);
    expect(seen.maybeDuplicate ?? false).toBe(!isToldDone);
    expect(server.received).toHaveLength(1);
  });

  it.each<{ name: string; given: ServiceChanges }>([
    { name: "success", given: { success: isDone } },
    { name: "data", given: { data: "data" } },
  ])("is an error of a read that looks for $name, with nothing in doubt", async ({ given }) => {
    const { seen } = await answeredWith(answer, { ...given, retry: once });
    expect(seen.ok).toBe(false);
    expect(seen.content).toContain(says);
    expect(seen.content).not.toMatch(/Done|taken effect/);
    expect(seen).not.toHaveProperty("maybeDuplicate");
  });
});

describe("an answer that cannot be read and says by its status that nothing was done", () => {
  it.each([
    { status: 400, kind: "rejected" },
    { status: 401, kind: "unauthorized" },
    { status: 409, kind: "rejected" },
    { status: 503, kind: "unavailable" },
  ])("is that refusal: $status", async ({ status, kind }) => {
    const { seen } = await answeredWith(
      (response) => response.writeHead(status, { "content-encoding": "gzip" }).end("x"),
      { request: { method: "POST" }, success: isDone },
    );
    expect(seen).toMatchObject({ ok: false, error: { kind } });
    expect(seen.content).toContain(`the service answered with status ${status}`);
    expect(seen.content).not.toMatch(/Done|taken effect/);
    expect(seen).not.toHaveProperty("maybeDuplicate");
  });

  it("is that refusal by a code in a 200", async () => {
    const { seen } = await answeredWith(
      (response) => json(response).end('{"code":400,"message":"The room is taken."}'),
      { request: { method: "POST" }, success: isDone, data: "data" },
    );
    expect(seen.error).toEqual({ kind: "rejected", message: "The room is taken." });
    expect(seen).not.toHaveProperty("maybeDuplicate");
  });
});

describe("a write that may be repeated", () => {
  it("is repeated where a page came in place of its answer, and tells what came then", async () => {
    let calls = 0;
    const { seen, server } = await answeredWith(
      (response) => {
        calls += 1;
        if (calls === 1) response.writeHead(200, { "content-type": "text/html" }).end("<html>");
        else json(response).end('{"code":0,"data":{"id":7}}');
      },
      {
        request: { method: "PUT" },
        success: isDone,
        data: "data",
        retry: { attempts: 2, baseMs: 0 },
      },
    );
    expect(seen).toMatchObject({ ok: true, attempts: 2, value: { id: 7 } });
    expect(seen).not.toHaveProperty("maybeDuplicate");
    expect(server.received).toHaveLength(2);
  });
});

describe("a service that had nothing to give", () => {
  it.each<{ name: string; body: Json; path: string }>([
    { name: "only its code", body: { code: 0 }, path: "data" },
    {
      name: "its code and words",
      body: { code: 0, message: "ok", requestId: "r1" },
      path: "data.items",
    },
    { name: "null", body: { code: 0, data: null }, path: "data" },
    { name: "null where the list would be", body: { code: 0, data: null }, path: "data.items" },
  ])("answered with $name", async ({ body, path }) => {
    const { run } = await servedService(body, { success: isDone, data: path });
    const { ok, content } = await run.observe("rooms", {});
    expect(ok).toBe(true);
    expect(content).toContain("Done: the service answered, and gave no data.");
  });

  it.each<{ name: string; body: Json; given: ServiceChanges }>([
    { name: "something else", body: booked, given: { success: isDone, data: "data" } },
    {
      name: "another field of it",
      body: { code: 0, data: { rows: [] } },
      given: { success: isDone, data: "data.items" },
    },
    {
      name: "no code that it could be known by",
      body: { message: "full" },
      given: { data: "data" },
    },
  ])("is not what answered with $name", async ({ body, given }) => {
    const { run } = await servedService(body, given);
    expect((await run.observe("rooms", {})).ok).toBe(false);
  });
});
