import { createServer } from "node:net";

import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { serviceTools } from "../../src/services/service-tools.js";
import { attachedPolicy } from "../../src/tools/policy.js";
import { listening, serving } from "../support/local-server.js";
import { calledService, servedService } from "../support/served-service.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";
import { toolRun } from "../support/tool-run.js";

const building = { building: "North" };

describe("a call of a service", () => {
  it("is one request, and its data is what the model reads, fenced", async () => {
    const { server, run } = await servedService({ rooms: ["N1"] });
    const observed = await run.observe("rooms", building);
    expect(server.received).toMatchObject([{ method: "GET", path: "/rooms?building=North" }]);
    expect(observed).toMatchObject({ ok: true, value: { rooms: ["N1"] }, attempts: 1 });
    expect(observed.content).toMatch(
      /^<untrusted source="rooms" mark="\w+">\n\{"rooms":\["N1"\]\}\n<\/untrusted/,
    );
  });

  it("tells the model what to do with the result, outside the fence", async () => {
    const result = { to: "model", prompt: "Name at most three of them." } as const;
    const { run } = await servedService({ rooms: ["N1"] }, { result });
    const { content, value } = await run.observe("rooms", building);
    expect(content.split("\n").at(-1)).toBe("Name at most three of them.");
    expect(value).toEqual({ rooms: ["N1"] });
  });

  it("gives a component its options, and the model a sentence", async () => {
    const result = {
      to: "render",
      component: "Table",
      props: { title: "Rooms in {{args.building}}", rows: "{{data.rooms}}", page: 1 },
      say: "A table of {{data.total}} rooms is shown.",
    } as const;
    const { run } = await servedService({ rooms: [{ name: "N1" }], total: 1 }, { result });
    const observed = await run.observe("rooms", building);
    expect(observed).toMatchObject({
      ok: true,
      value: { rooms: [{ name: "N1" }], total: 1 },
      render: {
        component: "Table",
        props: { title: "Rooms in North", rows: [{ name: "N1" }], page: 1 },
      },
    });
    expect(observed.content).toContain("A table of 1 rooms is shown.");
    expect(observed.content).not.toContain("N1");
    expect(observed.content.split("\n").at(-1)).toMatch(/^The user has the result on the screen\./);
  });

  it("shows an argument that was left out as nothing", async () => {
    const result = { to: "render", component: "Map", props: { at: "{{args.building}}" } } as const;
    const { run } = await servedService({}, { result });
    expect((await run.observe("rooms", {})).render?.props).toEqual({ at: "" });
  });

  it("with nothing for its component is refused", async () => {
    const result = { to: "render", component: "Table", props: { rows: "{{data.rooms}}" } } as const;
    const { run } = await servedService({ list: [] }, { result });
    const { ok, error } = await run.observe("rooms", building);
    expect(ok).toBe(false);
    expect(error).toMatchObject({ kind: "rejected", message: /nothing to show as Table/ });
  });

  it("shows nothing that a service asks to have shown", async () => {
    const { run } = await servedService({ render: { component: "Script", props: {} } });
    expect((await run.observe("rooms", building)).render).toBe(undefined);
  });

  it.each<{
    name: string;
    given: ServiceChanges;
    body: Json;
    status: number;
    kind: string;
    calls: number;
  }>([
    {
      name: "a refusal by code",
      given: { success: { path: "code", target: 0 } },
      body: { code: 400, message: "The room is taken." },
      status: 200,
      kind: "rejected",
      calls: 1,
    },
    {
      name: "a refusal by status",
      given: {},
      body: { message: "The room is taken." },
      status: 409,
      kind: "rejected",
      calls: 1,
    },
    {
      name: "a service that is away",
      given: {},
      body: {},
      status: 503,
      kind: "unavailable",
      calls: 3,
    },
    {
      name: "one that is away while it writes",
      given: { effect: "write" },
      body: {},
      status: 503,
      kind: "unavailable",
      calls: 1,
    },
    {
      name: "one that is away, with its own number of attempts",
      given: { retry: { attempts: 2, baseMs: 1 } },
      body: {},
      status: 503,
      kind: "unavailable",
      calls: 2,
    },
    {
      name: "a body that is too long",
      given: { request: { maxBytes: 20 } },
      body: { rooms: "x".repeat(50) },
      status: 200,
      kind: "rejected",
      calls: 1,
    },
  ])("tells the model of $name", async ({ given, body, status, kind, calls }) => {
    const { server, run } = await servedService(body, given, status);
    const onRecord = { isCommitted: true };
    const { ok, error } = await run.observe("rooms", building, onRecord);
    expect(ok).toBe(false);
    expect(error?.kind).toBe(kind);
    expect(server.received).toHaveLength(calls);
  });

  it("that does not fit its parameters sends nothing", async () => {
    const { server, run } = await servedService([]);
    const { error, content } = await run.observe("rooms", { building: { name: "North" } });
    expect(error?.kind).toBe("invalid_arguments");
    expect(content).toContain("- building: expected string");
    expect(server.received).toHaveLength(0);
  });

  it("that changes something carries a key by which the service knows a repetition", async () => {
    const { server, run } = await servedService({}, { request: { method: "POST" } });
    await run.observe("rooms", building, { isCommitted: true });
    expect(server.received[0]?.headers["idempotency-key"]).toMatch(/^[\da-f]{32}$/);
    const { server: other, run: reading } = await servedService({});
    await reading.observe("rooms", building);
    expect(other.received[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  it("ends in time where a service does not answer", async () => {
    const silent = await listening(createServer((socket) => void socket.resume()));
    const { run } = calledService(silent, { timeoutMs: 50, retry: { attempts: 1 } });
    expect((await run.observe("rooms", building)).error?.kind).toBe("timeout");
    await expect.poll(() => silent.connections()).toBe(0);
  });

  it("goes to no private address that is not allowed, and says how to allow it", async () => {
    const server = await serving((response) => void response.end("{}"));
    const { run } = calledService(server, {}, { allowHosts: [] });
    const { error } = await run.observe("rooms", building);
    expect(error).toMatchObject({ kind: "rejected", message: /allowHosts.*PLANGRAPH_ALLOW_HOSTS/ });
    expect(server.received).toHaveLength(0);
  });

  it("goes where the environment allows it", async () => {
    const server = await serving((response) => void response.end("[1]"));
    const environment = { PLANGRAPH_ALLOW_HOSTS: `other.example, ${server.host}` };
    const definition = serviceInput({ request: { url: `${server.url}/rooms` } });
    const run = toolRun(serviceTools([definition], { environment }));
    expect((await run.observe("rooms", building)).value).toEqual([1]);
  });
});

describe("the tool of a service", () => {
  it("has the parameters as they are, and all that is said of it", () => {
    const parameters = {
      type: "object",
      properties: { at: { type: "string", "x-unit": "minutes", format: "duration" } },
      required: ["at"],
      $defs: { a: { type: "null" } },
    } as const;
    const [tool] = serviceTools([
      serviceInput({
        parameters,
        extendedDescription: "A building has a compass direction as its name.",
        examples: ["Which rooms are free?", "North?"],
      }),
    ]);
    expect(tool?.schema).toEqual(parameters);
    expect(tool?.description).toBe(
      "Lists rooms.\nA building has a compass direction as its name.\nFor example:\n- Which rooms are free?\n- North?",
    );
  });

  it.each<{ name: string; given: ServiceChanges; policy: object }>([
    { name: "a GET", given: {}, policy: { effect: "read", trust: "untrusted" } },
    {
      name: "a POST",
      given: { request: { method: "POST" } },
      policy: { effect: "write", trust: "untrusted" },
    },
    {
      name: "a DELETE",
      given: { request: { method: "DELETE" } },
      policy: { effect: "idempotent", trust: "untrusted" },
    },
    {
      name: "all that can be said",
      given: {
        effect: "idempotent",
        timeoutMs: 10,
        retry: { attempts: 2 },
        needsApproval: true,
        result: "return",
      },
      policy: {
        effect: "idempotent",
        trust: "untrusted",
        timeoutMs: 10,
        retry: { attempts: 2, baseMs: 500 },
        needsApproval: true,
        returnDirect: true,
      },
    },
  ])("has the policy of $name", ({ given, policy }) => {
    const [tool = {}] = serviceTools([serviceInput(given)]);
    expect(attachedPolicy(tool)).toEqual(policy);
  });

  it("of a definition with a mistake names the definition", () => {
    const wrong = { ...serviceInput({ name: "second" }), timeoutMs: -1 };
    expect(() => serviceTools([serviceInput(), wrong])).toThrow(
      /^Service 2 \("second"\) is not a service definition:\n- timeoutMs: /,
    );
  });

  it("with a host that cannot be allowed is refused", () => {
    expect(() => serviceTools([], { allowHosts: ["http://x"] })).toThrow(/http:\/\/x/);
  });
});
