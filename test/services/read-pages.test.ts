import type { ServerResponse } from "node:http";

import { describe, expect, it } from "vitest";

import { readService } from "../../src/services/read-service.js";
import { nextLink } from "../../src/services/read-pages.js";
import { serving } from "../support/local-server.js";
import { called, type Page } from "../support/paged-service.js";
import { calledService } from "../support/served-service.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";

/** A page that fails. */
const fails = (status: number) => ({
  answer: (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end('{"message":"No."}');
  },
});

const byLink = { pages: { next: "link", items: "items" } } as const;

describe("the pages of a list", () => {
  it.each<{ name: string; pages: readonly Page[]; given?: ServiceChanges; value: unknown }>([
    {
      name: "by addresses in the body",
      pages: [
        { items: [1], next: "SELF/rooms?page=2" },
        { items: [2, 3], next: null },
      ],
      value: [1, 2, 3],
    },
    {
      name: "by relative addresses",
      pages: [
        { items: [1], next: "?page=2" },
        { items: [2], next: "/rooms?page=3" },
        { items: [3] },
      ],
      value: [1, 2, 3],
    },
    {
      name: "by the header Link",
      pages: [
        { items: [1], link: '<SELF/rooms?page=1>; rel="first", </rooms?page=2>; rel="next"' },
        { items: [2], link: '<SELF/rooms?page=1>; rel="prev"' },
      ],
      given: byLink,
      value: [1, 2],
    },
    {
      name: "whose list is named by data",
      pages: [{ items: [1], next: "?page=2" }, { items: [2] }],
      given: { pages: { next: "next" }, data: "items" },
      value: [1, 2],
    },
    { name: "that are only one", pages: [{ items: [1] }], value: [1] },
    { name: "that are empty", pages: [{ items: [], next: "" }], value: [] },
  ])("are one list: $name", async ({ pages, given, value }) => {
    const { observed, note, asked, server } = await called(pages, given);
    expect(observed).toMatchObject({ ok: true, value });
    expect(note).toBe(undefined);
    expect(asked).toHaveLength(pages.length);
    const authorized = server.received.map(({ headers }) => headers.authorization);
    expect(new Set(authorized)).toEqual(new Set(["Bearer s3cret-of-rooms"]));
  });

  it("keep exact numbers", async () => {
    const big = "1234567890123456789";
    const answer = (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"items":[{"id":${big}}]}`);
    };
    const { observed } = await called([{ items: [], next: "?page=2" }, { answer }]);
    expect(observed.value).toEqual([{ id: big }]);
  });

  it("carry a key in the query again", async () => {
    const auth = { type: "query", name: "key", env: "ROOMS_TOKEN" } as const;
    const { asked } = await called([{ items: [], next: "?page=2" }, { items: [] }], {
      request: { auth },
    });
    expect(asked).toEqual(["/rooms?key=s3cret-of-rooms", "/rooms?page=2&key=s3cret-of-rooms"]);
  });

  const first = { items: [1], next: "?page=2" };
  it.each<{
    name: string;
    pages: readonly Page[];
    given?: ServiceChanges;
    value?: unknown;
    note: string;
    calls: number;
  }>([
    {
      name: "the bound",
      pages: [first, { items: [2], next: "?page=3" }, { items: [3] }],
      given: { pages: { next: "next", items: "items", max: 2 } },
      value: [1, 2],
      note: "2 pages were read, the next one was not: at most 2 are read (pages.max).",
      calls: 2,
    },
    {
      name: "maxBytes in all",
      pages: [
        { items: ["x".repeat(40)], next: "?page=2" },
        { items: ["y".repeat(40)], next: "?page=3" },
        { items: [3] },
      ],
      given: { request: { maxBytes: 100 } },
      value: ["x".repeat(40), "y".repeat(40)],
      note: "2 pages were read, the next one was not: the limit of bytes is reached (maxBytes).",
      calls: 2,
    },
    {
      name: "a loop",
      pages: [first, { items: [2], next: "?page=2#again" }],
      value: [1, 2],
      note: "2 pages were read, the next one was not: it is one that was read.",
      calls: 2,
    },
    {
      name: "a page that is itself",
      pages: [{ items: [1], next: "SELF/rooms" }],
      note: "1 page was read, the next one was not: it is one that was read.",
      calls: 1,
    },
    {
      name: "a cursor, which is no address",
      pages: [{ items: [1], next: "eyJpZCI6MX0" }],
      note: "1 page was read, the next one was not: the response gives no address for it.",
      calls: 1,
    },
    {
      name: "an address of another scheme",
      pages: [{ items: [1], next: "file:///etc/passwd" }],
      note: "1 page was read, the next one was not: the response gives no address for it.",
      calls: 1,
    },
    {
      name: "a number",
      pages: [{ items: [1], next: 2 }],
      note: "1 page was read, the next one was not: the response gives no address for it.",
      calls: 1,
    },
    {
      name: "a refusal",
      pages: [first, fails(404)],
      note: "1 page was read, the next one was not: No.",
      calls: 2,
    },
    {
      name: "a service that is away",
      pages: [first, fails(503)],
      note: "1 page was read, the next one was not: the service answered with status 503: No.",
      calls: 2,
    },
    {
      name: "a page without a list",
      pages: [first, { items: { n: 2 } }],
      note: '1 page was read, the next one was not: the response is no list at "items".',
      calls: 2,
    },
    {
      name: "a page that never comes",
      pages: [first, { answer: () => {} }],
      given: { timeoutMs: 400 },
      note: "1 page was read, the next one was not: The operation was aborted due to timeout.",
      calls: 2,
    },
  ])("are kept, and said to be incomplete, at $name", async (row) => {
    const { pages, given, value = [1], note, calls } = row;
    const { observed, asked, note: told } = await called(pages, given);
    expect(observed).toMatchObject({ ok: true, value, attempts: 1 });
    expect(told).toBe(`Incomplete: ${note}`);
    expect(asked).toHaveLength(calls);
  });

  it.each<{ name: string; page: (url: string) => Page }>([
    { name: "in the body", page: (url) => ({ items: [1], next: `${url}/rooms?page=2` }) },
    { name: "without a scheme", page: (url) => ({ items: [1], next: url.replace("http:", "") }) },
  ])("on another server are not asked for: $name", async ({ page }) => {
    const other = await serving((response) => void response.end("[]"));
    const { observed, note } = await called([page(other.url)]);
    expect(observed).toMatchObject({ ok: true, value: [1] });
    expect(note).toBe(
      "Incomplete: 1 page was read, the next one was not: it is on another server.",
    );
    expect(other.received).toEqual([]);
  });

  it("to which a page redirects on another server give nothing, and get no secret", async () => {
    const other = await serving((response) => void response.end('{"items":["foreign"]}'));
    const answer = (response: ServerResponse) =>
      void response.writeHead(302, { location: `${other.url}/rooms` }).end();
    const { observed } = await called([first, { answer }]);
    expect(observed).toMatchObject({ ok: true, value: [1] });
    expect(observed.content).not.toContain("foreign");
    for (const { headers } of other.received) expect(headers).not.toHaveProperty("authorization");
  });

  it("fail as any call where the first one fails", async () => {
    const { observed } = await called([fails(404)]);
    expect(observed).toMatchObject({ ok: false, error: { kind: "rejected", message: "No." } });
    const { observed: none } = await called([{ items: 3 }]);
    expect(none.error?.message).toBe('the response is no list at "items"');
  });
});

describe("a definition with pages", () => {
  const pages = { next: "next" };
  it.each<{ name: string; given: ServiceChanges; says: string }>([
    { name: "of a write", given: { request: { method: "POST" } }, says: '"POST, read"' },
    {
      name: "of a read by POST",
      given: { effect: "read", request: { method: "POST" } },
      says: '"POST, read"',
    },
    { name: "of a GET that writes", given: { effect: "write" }, says: '"GET, write"' },
  ])("$name is refused", ({ given, says }) => {
    const definition = serviceInput({ pages, ...given });
    expect(() => readService(definition, "a.json")).toThrow(
      `- pages: expected a GET with the effect read: other calls are not repeated for a page, got ${says}`,
    );
  });

  it("whose effect the code changes reads one page", async () => {
    const server = await serving((response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"items":[1],"next":"?page=2"}');
    });
    const { run } = calledService(server, { pages }, { policy: { effect: "write" } });
    await run.observe("rooms", {}, { isCommitted: true });
    expect(server.received).toHaveLength(1);
  });
});

describe("the header Link", () => {
  it.each<{ header: string; next: string | undefined }>([
    { header: '<https://a/x?a=1,2>; rel="next"', next: "https://a/x?a=1,2" },
    { header: "</x>; title=y; rel=next", next: "/x" },
    { header: '</a>; rel="prev",</b>; REL="last NEXT"', next: "/b" },
    { header: '</a>; rel="nextish"', next: undefined },
    { header: '</a>; title="rel=next"', next: undefined },
    { header: "next", next: undefined },
    { header: "", next: undefined },
    { header: `${"<".repeat(50_000)}>; rel=next`, next: undefined },
    { header: '</a>; x="; rel="', next: undefined },
  ])("$header", ({ header, next }) => {
    expect(nextLink(header)).toBe(next);
  });
});
