import { describe, expect, it } from "vitest";

import type { ServiceInput } from "../../src/services/definition.js";
import { serviceTools } from "../../src/services/service-tools.js";
import { serving } from "../support/local-server.js";
import { calledService } from "../support/served-service.js";
import { serviceInput } from "../support/services.js";
import { toolRun } from "../support/tool-run.js";

type Auth = NonNullable<ServiceInput["request"]["auth"]>;

const key = { type: "header", name: "X-Key", env: "KEY" } as const;
const token = { type: "bearer", env: "TOKEN" } as const;
const inQuery = { type: "query", name: "app", env: "APP" } as const;
const cookie = { type: "cookie", name: "sid", env: "SID" } as const;
const optional = { optional: true } as const;
const environment = {
  KEY: "key-value-0123",
  TOKEN: "token-value-4567",
  APP: "app/value+89 ab",
  SID: "sid-value-2345",
};

/** A server that answers with an error that contains the whole request. */
function echoing() {
  return serving((response, { path, headers }) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: `No: ${path} ${JSON.stringify(headers)}` }));
  });
}

describe("several secrets of a service", () => {
  it.each<{ name: string; auth: Auth; headers: object; query?: string; given?: object }>([
    {
      name: "two keys",
      auth: [key, inQuery],
      headers: { "x-key": environment.KEY },
      query: "?app=app%2Fvalue%2B89+ab",
    },
    {
      name: "a token and two cookies",
      auth: [token, cookie, { ...cookie, name: "csrf", env: "KEY" }],
      headers: {
        authorization: `Bearer ${environment.TOKEN}`,
        cookie: `sid=${environment.SID}; csrf=${environment.KEY}`,
      },
    },
    { name: "one cookie", auth: cookie, headers: { cookie: `sid=${environment.SID}` } },
    {
      name: "a cookie beside a fixed one",
      auth: cookie,
      given: { Cookie: "theme=dark" },
      headers: { cookie: `theme=dark; sid=${environment.SID}` },
    },
    {
      name: "one secret in two places",
      auth: [key, { ...token, env: "KEY" }],
      headers: { "x-key": environment.KEY, authorization: `Bearer ${environment.KEY}` },
    },
    {
      name: "an optional one with a value",
      auth: [{ ...key, ...optional }, token],
      headers: { "x-key": environment.KEY, authorization: `Bearer ${environment.TOKEN}` },
    },
  ])("are sent together, and come out nowhere: $name", async (row) => {
    const server = await echoing();
    const request = { auth: row.auth, headers: { ...row.given } };
    const { run } = calledService(server, { request }, { environment });
    const observed = await run.observe("rooms", {});
    expect(server.received[0]).toMatchObject({
      headers: row.headers,
      path: `/rooms${row.query ?? ""}`,
    });
    const told = JSON.stringify([observed, run.events]);
    for (const secret of [...Object.values(environment), "app%2Fvalue%2B89+ab"]) {
      expect(told).not.toContain(secret);
    }
  });

  it("of which one begins with the other leave no rest of the longer one", async () => {
    const server = await echoing();
    const secrets = { KEY: "shared-begin", TOKEN: "shared-begin-and-rest", APP: "shared-begin-an" };
    const auth = [key, token, inQuery];
    const { run } = calledService(server, { request: { auth } }, { environment: secrets });
    const observed = await run.observe("rooms", {});
    expect(server.received[0]?.headers).toMatchObject({ authorization: `Bearer ${secrets.TOKEN}` });
    const told = JSON.stringify([observed, run.events]);
    expect(told).not.toMatch(/shared-begin|-and-rest|"-an\b/);
    expect(told).toContain("[redacted]");
  });

  it("do not go on to another origin, none of them", async () => {
    const other = await serving((response) => void response.end("[]"));
    const server = await serving((response) => {
      response.writeHead(302, { location: `${other.url}/rooms` });
      response.end();
    });
    const request = { url: `${server.url}/rooms`, auth: [key, token, inQuery, cookie] };
    const options = { allowHosts: [server.host, other.host], environment };
    const { observe } = toolRun(serviceTools([serviceInput({ request })], options));
    expect((await observe("rooms", {})).ok).toBe(true);
    expect(server.received[0]?.headers).toHaveProperty("cookie");
    expect(other.received).toHaveLength(1);
    const sent = JSON.stringify(other.received);
    for (const secret of [...Object.values(environment), "app%2Fvalue"]) {
      expect(sent).not.toContain(secret);
    }
  });

  it("of an address that nobody answers are in no error", async () => {
    const request = { url: "http://127.0.0.1:1/rooms", auth: [key, inQuery, cookie] };
    const options = { allowHosts: ["127.0.0.1:1"], environment };
    const run = toolRun(serviceTools([serviceInput({ request })], options));
    const told = JSON.stringify([await run.observe("rooms", {}), run.events]);
    expect(told).toContain("http://127.0.0.1:1/rooms?app=[redacted]");
    for (const secret of Object.values(environment)) expect(told).not.toContain(secret);
  });
});

it.each<{ name: string; value: string | undefined }>([
  { name: "not set", value: undefined },
  { name: "blank", value: "  " },
])("an optional secret that is $name is not needed, and nothing is sent for it", async (row) => {
  const server = await serving((response) => void response.end("[]"));
  const auth = [key, token, inQuery, cookie].map((each) => ({ ...each, ...optional }));
  const values = { KEY: row.value, TOKEN: row.value, APP: row.value, SID: row.value };
  const { run } = calledService(server, { request: { auth } }, { environment: values });
  expect((await run.observe("rooms", {})).ok).toBe(true);
  const [sent] = server.received;
  expect(sent?.path).toBe("/rooms");
  for (const name of ["x-key", "authorization", "cookie"]) {
    expect(sent?.headers).not.toHaveProperty(name);
  }
});

it.each<{ name: string; auth: Auth; values: object; error: string }>([
  {
    name: "the second of two that are needed is not set",
    auth: [key, token],
    values: { KEY: environment.KEY },
    error: "needs the environment variable TOKEN for its bearer authorization; it is not set.",
  },
  {
    name: "one that is needed is not set beside an optional one",
    auth: [{ ...key, ...optional }, cookie],
    values: { KEY: environment.KEY },
    error: "needs the environment variable SID for its cookie authorization; it is not set.",
  },
  ...["a-value; admin=1", "two words", 'in"quotes"', "line\nbreak", "a,b"].map((SID) => ({
    name: `a cookie would be ${JSON.stringify(SID)}`,
    auth: cookie,
    values: { SID },
    error: "sends the environment variable SID as a cookie: expected a value without spaces",
  })),
])("no tool is made where $name, and no error has a secret", ({ auth, values, error }) => {
  const make = () =>
    serviceTools([serviceInput({ request: { auth } })], { environment: { ...values } });
  expect(make).toThrow(error);
  for (const secret of Object.values(values)) expect(make).not.toThrow(secret);
});
