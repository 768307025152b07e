import { describe, expect, it } from "vitest";

import { readService } from "../../src/services/read-service.js";
import { serving } from "../support/local-server.js";
import { called, type Page } from "../support/paged-service.js";
import { calledService } from "../support/served-service.js";
import { serviceInput } from "../support/services.js";

const byCursor = { pages: { next: "next", items: "items", parameter: "page" } } as const;

describe("the pages of a cursor", () => {
  it.each<{ name: string; pages: readonly Page[]; max?: number; value: unknown; note?: string }>([
    {
      name: "until there is none",
      pages: [
        { items: [1], next: "2" },
        { items: [2], next: 3 },
        { items: [3], next: "" },
      ],
      value: [1, 2, 3],
    },
    {
      name: "until it leads round",
      pages: [
        { items: [1], next: "2" },
        { items: [2], next: "2" },
      ],
      value: [1, 2],
      note: "2 pages were read, the next one was not: it is one that was read.",
    },
    {
      name: "up to the bound",
      pages: [{ items: [1], next: "2" }, { items: [2], next: "3" }, { items: [3] }],
      max: 2,
      value: [1, 2],
      note: "2 pages were read, the next one was not: at most 2 are read (pages.max).",
    },
  ])("are one list, $name", async ({ pages, max = 5, value, note }) => {
    const {
      observed,
      note: told,
      asked,
    } = await called(pages, {
      pages: { ...byCursor.pages, max },
    });
    expect(observed).toMatchObject({ ok: true, value });
    expect(told).toBe(note === undefined ? undefined : `Incomplete: ${note}`);
    expect(asked).toEqual(["/rooms", "/rooms?page=2", "/rooms?page=3"].slice(0, asked.length));
  });

  it.each(["OTHER/rooms", "//evil.example/", "2&key=x#@evil.example", "../../admin"])(
    "have a cursor that is only a value: %s",
    async (next) => {
      const { asked } = await called([{ items: [1], next }], byCursor, "http://evil.example");
      const [, second = ""] = asked;
      const { pathname, searchParams } = new URL(second, "http://same");
      expect([pathname, ...searchParams.keys()]).toEqual(["/rooms", "page"]);
      expect(searchParams.get("page")).toBe(next.replace("OTHER", "http://evil.example"));
    },
  );

  it("that redirect to another server, which may be called, take no secret along", async () => {
    const other = await serving((response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"items":["foreign"]}');
    });
    const server = await serving((response, { path }) => {
      if (path.includes("page=2")) {
        return response.writeHead(302, { location: `${other.url}/rooms` }).end();
      }
      response.setHeader("content-type", "application/json");
      return response.end('{"items":[1],"next":"2"}');
    });
    const places = [
      { type: "bearer" },
      { type: "header", name: "x-key" },
      { type: "cookie", name: "sid" },
      { type: "query", name: "key" },
    ] as const;
    const auth = places.map((place, at) => ({ ...place, env: `SECRET_${at}` }));
    const secrets = auth.map(({ env }) => [env, `s3cret-${env}`]);
    const definition = { ...byCursor, request: { auth, headers: { "x-team": "ours" } } };
    const { run } = calledService(server, definition, {
      environment: Object.fromEntries(secrets),
      allowHosts: [server.host, other.host],
    });
    const observed = await run.observe("rooms", {});
    expect(observed).toMatchObject({ ok: true, value: [1] });
    expect(observed.content).toContain("the next one was not: it is on another server.");
    expect(server.received[1]?.path).toContain("key=s3cret-SECRET_3");
    expect(other.received.map(({ path }) => path)).toEqual(["/rooms"]);
    const sent = JSON.stringify(other.received);
    for (const part of ["s3cret", "x-team", "authorization", "cookie"]) {
      expect(sent).not.toContain(part);
    }
  });

  it("by a cursor in the header Link is refused", () => {
    const definition = serviceInput({ pages: { next: "link", parameter: "page" } });
    expect(() => readService(definition, "a.json")).toThrow(
      '- pages.next: a cursor stands in the response: expected its place, got "link"',
    );
  });
});
