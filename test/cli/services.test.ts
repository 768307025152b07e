import type { ServerResponse } from "node:http";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ServiceInput } from "../../src/services/definition.js";
import { type Received, serving } from "../support/local-server.js";
import { serviceInput, type ServiceChanges } from "../support/services.js";
import { createConsole, type ConsoleOptions, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

const secret = "s3cret-of-the-rooms";
const bearer = { type: "bearer", env: "ROOMS_TOKEN" } as const;

/** A file with these definitions. */
function definitions(...services: readonly ServiceInput[]) {
  return directory.write("rooms.service.json", JSON.stringify(services));
}

/** Runs a command for services, and gives its status and what it wrote. */
async function command(argv: readonly string[], options: ConsoleOptions = {}) {
  const { run, written } = createConsole(options);
  return { status: await run("services", ...argv), ...written };
}

/** A server that answers with an empty object, and a file with a service there. */
async function served(
  changes: ServiceChanges = {},
  answer: (response: ServerResponse, received: Received) => void = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"rooms":["N1"]}');
  },
) {
  const server = await serving(answer);
  const request = { url: `${server.url}/rooms`, auth: bearer, ...changes.request };
  const file = await definitions(serviceInput({ ...changes, request }));
  const call = (flags: readonly string[], options: ConsoleOptions = {}) => {
    const environment = { ROOMS_TOKEN: secret };
    const argv = ["call", file, "rooms", "--allow-host", server.host, ...flags];
    return command(argv, { environment, ...options });
  };
  return { server, call, file };
}

const north = ["--args", '{"building":"North"}'];

describe("services list", () => {
  it("lists each service with its call, effect and tokens", async () => {
    const file = await definitions(
      serviceInput(),
      serviceInput({ name: "book", request: { method: "POST", url: "${ROOMS_URL}/book" } }),
    );
    const { status, stdout } = await command(["list", file]);
    expect(status).toBe(0);
    expect(stdout.replaceAll(/\d+ tokens/g, "N tokens").split("\n")).toEqual([
      "rooms: GET https://rooms.example/rooms (read, N tokens) Lists rooms.",
      "book: POST ${ROOMS_URL}/book (write, N tokens) Lists rooms.",
      "2 services, N tokens in each model call (estimated).",
      "",
    ]);
    const { stdout: json } = await command(["list", file, "--json"]);
    expect(JSON.parse(json)).toMatchObject([{ name: "rooms" }, { name: "book", method: "POST" }]);
  });
});

describe("services show", () => {
  it("shows what a model sees, the policy and where secrets go, but no secret", async () => {
    const file = await definitions(
      serviceInput({
        parameters: { type: "object", properties: { room: {}, user: {} }, required: ["user"] },
        request: { url: "${ROOMS_URL}/rooms", auth: bearer },
        resource: "room",
        fromMemory: { user: "person.id" },
        extendedDescription: "A second line.",
      }),
    );
    const { status, stdout } = await command(["show", file, "rooms"], {
      environment: { ROOMS_TOKEN: secret },
    });
    expect(status).toBe(0);
    expect(stdout).not.toContain(secret);
    expect(stdout.replace(/\d+ tokens/, "N tokens")).toBe(`rooms: GET \${ROOMS_URL}/rooms
What a model sees (N tokens in each call, estimated):
  Lists rooms.
  A second line.
  {
    "type": "object",
    "properties": {
      "room": {}
    },
    "required": []
  }
Policy:
  effect: "read"
  trust: "untrusted"
  fromMemory: {"user":"person.id"}
  resource: "room"
From the environment:
  ROOMS_URL: address, not set
  ROOMS_TOKEN: bearer to \${ROOMS_URL}, set
`);
  });

  it("shows all services without a name, also as JSON", async () => {
    const file = await definitions(serviceInput(), serviceInput({ name: "book" }));
    const { stdout } = await command(["show", file]);
    expect(stdout.match(/^\w+: GET/gm)).toEqual(["rooms: GET", "book: GET"]);
    const { stdout: json } = await command(["show", file, "book", "--json"]);
    expect(JSON.parse(json)).toMatchObject([{ name: "book", policy: { effect: "read" } }]);
  });
});

describe("services call", () => {
  it("prints the request without its secret, and the answer as a model reads it", async () => {
    const { server, call } = await served();
    const { status, stdout, stderr } = await call(north);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(server.received).toMatchObject([
      { path: "/rooms?building=North", headers: { authorization: `Bearer ${secret}` } },
    ]);
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain(`GET ${server.url}/rooms?building=North\n`);
    expect(stdout).toContain("\nauthorization: Bearer <ROOMS_TOKEN>\n");
    expect(stdout).toMatch(
      /\nWhat a model reads \(\d+ ms\):\n<untrusted source="rooms" mark="\w+">\n\{"rooms":\["N1"\]\}\n/,
    );
  });

  it.each<{ name: string; request: ServiceChanges["request"]; lines: readonly string[] }>([
    {
      name: "a bearer and a body",
      request: { method: "POST", auth: bearer, body: { fixed: 1 } },
      lines: ["authorization: Bearer <ROOMS_TOKEN>", '{"fixed":1,"building":"North"}'],
    },
    {
      name: "basic",
      request: { auth: { type: "basic", env: "ROOMS_TOKEN" } },
      lines: ["authorization: Basic <ROOMS_TOKEN in base64>"],
    },
    {
      name: "a header",
      request: { auth: { type: "header", name: "X-Key", env: "ROOMS_TOKEN" } },
      lines: ["x-key: <ROOMS_TOKEN>"],
    },
    {
      name: "the query",
      request: { auth: { type: "query", name: "api_key", env: "ROOMS_TOKEN" } },
      lines: ["GET https://rooms.example/rooms?api_key=<ROOMS_TOKEN>&building=North"],
    },
    {
      name: "an address from the environment",
      request: { url: "${ROOMS_URL}/rooms/{building}" },
      lines: ["GET <ROOMS_URL>/rooms/North"],
    },
    {
      name: "a fixed header that looks like a secret",
      request: { headers: { "X-Api-Key": "fixed-in-the-file" } },
      lines: ["x-api-key: [redacted]"],
    },
  ])("--dry-run needs no secret and sends nothing: $name", async ({ request, lines }) => {
    const file = await definitions(serviceInput({ request: { ...request } }));
    const { status, stdout, stderr } = await command([
      "call",
      file,
      "rooms",
      "--dry-run",
      ...north,
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toEqual(expect.arrayContaining([...lines]));
  });

  it("--dry-run sends nothing to a service that could be called", async () => {
    const { server, call } = await served({ request: { method: "POST" } });
    const { status, stdout } = await call([...north, "--dry-run"]);
    expect({ status, sent: server.received.length }).toEqual({ status: 0, sent: 0 });
    expect(stdout).not.toContain("What a model reads");
  });

  it("gives parameters that memory fills in, and asks for no grounds", async () => {
    const { server, call } = await served({
      fromMemory: { building: "place.id" },
      grounded: ["building"],
    });
    expect((await call(north)).status).toBe(0);
    expect(server.received[0]?.path).toBe("/rooms?building=North");
  });

  it.each<{ name: string; status: number; body: string; says: string }>([
    {
      name: "a refusal with its fields",
      status: 422,
      body: '{"message":"Validation Failed","errors":[{"field":"title","code":"missing"}]}',
      says: "Error (rejected): Validation Failed (title: missing)",
    },
    {
      name: "a wrong secret",
      status: 401,
      body: `{"message":"Not ${secret}"}`,
      says: "Error (unauthorized): the service answered with status 401: Not [redacted]",
    },
  ])("prints the error as a model reads it: $name", async ({ status, body, says }) => {
    const { call } = await served({}, (response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    const ended = await call(north);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain(says);
    expect(ended.stdout).not.toContain(secret);
  });

  it("with arguments that do not fit prints what a model reads, and sends nothing", async () => {
    const { server, call } = await served();
    const { status, stdout } = await call(["--args", '{"building":["North"]}']);
    expect({ status, sent: server.received.length }).toEqual({ status: 1, sent: 0 });
    expect(stdout).toMatch(/^What a model reads \(\d+ ms\):\nError \(invalid_arguments\)/);
    expect(stdout).toContain("- building: expected string");
  });

  it("prints one JSON object with --json", async () => {
    const { call } = await served();
    const { stdout } = await call([...north, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      value: { rooms: ["N1"] },
      attempts: 1,
      request: { method: "GET", headers: { authorization: "Bearer <ROOMS_TOKEN>" } },
    });
    const { stdout: dry } = await call([...north, "--json", "--dry-run"]);
    expect(Object.keys(JSON.parse(dry))).toEqual(["request"]);
  });

  it.each<{
    name: string;
    changes?: ServiceChanges;
    flags?: readonly string[];
    typed?: readonly string[];
    status: number;
    sent: number;
  }>([
    { name: "a read without asking", changes: {}, status: 0, sent: 1 },
    { name: "nothing without a terminal", status: 2, sent: 0 },
    { name: "with --yes", flags: ["--yes"], status: 0, sent: 1 },
    { name: "after y", typed: ["y"], status: 0, sent: 1 },
    { name: "nothing after n", typed: ["n"], status: 4, sent: 0 },
    { name: "nothing after an empty line", typed: [""], status: 4, sent: 0 },
    { name: "nothing after the end of the input", typed: [], status: 4, sent: 0 },
    { name: "no DELETE unasked", changes: { request: { method: "DELETE" } }, status: 2, sent: 0 },
    { name: "no read that needs approval", changes: { needsApproval: true }, status: 2, sent: 0 },
  ])("sends $name", async ({ changes, flags = [], typed, status, sent }) => {
    const { server, call } = await served(changes ?? { request: { method: "POST" } });
    const environment = { ROOMS_TOKEN: secret };
    const options = typed === undefined ? {} : { environment, typed };
    const ended = await call([...north, ...flags], options);
    expect({ status: ended.status, sent: server.received.length }).toEqual({ status, sent });
  });

  it("without its secret ends with status 1, and asks nobody", async () => {
    const { server, call } = await served({ request: { method: "POST" } });
    const { status, stderr, person } = await call(north, { environment: {}, typed: ["y"] });
    expect({ status, person, sent: server.received.length }).toEqual({
      status: 1,
      person: "",
      sent: 0,
    });
    expect(stderr).toContain("needs the environment variable ROOMS_TOKEN");
  });

  it.each<{ name: string; argv: readonly string[]; says: string }>([
    {
      name: "a name that is not there",
      argv: ["room"],
      says: 'rooms.service.json has no service "room". Did you mean rooms? There is: rooms, book.',
    },
    {
      name: "arguments that are no JSON",
      argv: ["rooms", "--args", '{"building": North}'],
      says: "is not valid JSON, at line 1, column 14.",
    },
    {
      name: "arguments that end early",
      argv: ["rooms", "--args", '{"building":'],
      says: "--args is not JSON: Unexpected end of JSON input, at line 1, column 13.",
    },
    {
      name: "arguments that are no object",
      argv: ["rooms", "--args", '"North"'],
      says: '--args: expected an object such as \'{ "name": "value" }\', got "North".',
    },
  ])("refuses $name with status 2", async ({ argv, says }) => {
    const file = await definitions(serviceInput(), serviceInput({ name: "book" }));
    const { status, stdout, stderr } = await command(["call", file, ...argv]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(says);
  });
});
