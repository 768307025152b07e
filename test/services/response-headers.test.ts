import { describe, expect, it } from "vitest";

import { serving } from "../support/local-server.js";
import { calledService } from "../support/served-service.js";
import type { ServiceChanges } from "../support/services.js";

type Headers = Readonly<Record<string, string>>;

/** What a run observes of an answer with these headers. */
async function observed(status: number, headers: Headers, body: string, given: ServiceChanges) {
  const server = await serving((response) => void response.writeHead(status, headers).end(body));
  const called = calledService(server, given);
  return { url: server.url, seen: await called.run.observe("rooms", {}, { isCommitted: true }) };
}

const json = { "content-type": "application/json" };
const done = "Done: the service answered, and gave no data.";

describe("an answer without data", () => {
  it.each([
    { status: 201, location: "/rooms/7", told: "/rooms/7" },
    { status: 202, location: "/jobs/7?x=1", told: "/jobs/7?x=1" },
    { status: 204, location: "/rooms/7", told: "/rooms/7" },
  ])("of status $status tells its Location", async ({ status, location, told }) => {
    const post = { request: { method: "POST" } } as const;
    const { url, seen } = await observed(status, { location }, "", post);
    expect(seen.ok).toBe(true);
    expect(seen.content).toContain(`${done}\nlocation: ${url}${told}\n`);
  });

  it("tells a Location without its secrets", async () => {
    const location = "https://rooms.example/7?api_key=abcdef123456";
    const { seen } = await observed(201, { location }, "", { request: { method: "POST" } });
    expect(seen.content).toContain("location: https://rooms.example/7?api_key=[redacted]");
  });

  it("and without a Location tells no header", async () => {
    const { seen } = await observed(204, { "x-total": "3" }, "", {});
    expect(seen.content).toContain(`${done}\n</untrusted`);
  });
});

describe("the chosen headers of an answer", () => {
  const given: ServiceChanges = { responseHeaders: ["X-Total", "link", "x-missing"] };
  const headers = { ...json, "x-total": "42", link: '</2>; rel="next"', "x-other": "no" };

  it("follow the data, and references find the data", async () => {
    const { seen } = await observed(200, headers, '{"rooms":["N1"]}', given);
    expect(seen.value).toEqual({ rooms: ["N1"] });
    expect(seen.content).toContain('{"rooms":["N1"]}\nx-total: 42\nlink: </2>; rel="next"\n');
    expect(seen.content).not.toMatch(/x-other|x-missing|content-type/);
  });

  it("follow what a model reads of a component", async () => {
    const result = { to: "render", component: "Table", say: "Shown." } as const;
    const { seen } = await observed(200, headers, "{}", { ...given, result });
    expect(seen.content).toContain('Shown.\nx-total: 42\nlink: </2>; rel="next"\n');
    expect(seen.render).toEqual({ component: "Table", props: {} });
  });

  it("are no part of a refusal", async () => {
    const { seen } = await observed(409, headers, '{"message":"Taken."}', given);
    expect(seen.error?.message).toBe("Taken.");
  });

  it("are cut, and hold no secret", async () => {
    const long = { ...json, "x-api-key": "abcdef123456", "x-total": "9".repeat(5_000) };
    const { seen } = await observed(200, long, "{}", { responseHeaders: ["x-api-key", "x-total"] });
    expect(seen.content).toContain("x-api-key: [redacted]");
    expect(seen.content.length).toBeLessThan(1_400);
  });

  it("that are not chosen are not told", async () => {
    const { seen } = await observed(200, { ...headers, location: "/x" }, '{"a":1}', {});
    expect(seen.content).not.toMatch(/x-total|link|location/);
  });
});
