import { describe, expect, it } from "vitest";

import type { ServiceInput } from "../../src/services/definition.js";
import { serviceTools } from "../../src/services/service-tools.js";
import { serving } from "../support/local-server.js";
import { calledService } from "../support/served-service.js";
import { serviceInput } from "../support/services.js";
import { toolRun } from "../support/tool-run.js";

describe("a service's secret", () => {
  const secret = "s3cret-value-0123";
  it.each<{ name: string; auth: NonNullable<ServiceInput["request"]["auth"]>; sent: object }>([
    {
      name: "as a bearer",
      auth: { type: "bearer", env: "ROOMS" },
      sent: { headers: { authorization: `Bearer ${secret}` } },
    },
    {
      name: "as user and password",
      auth: { type: "basic", env: "ROOMS" },
      sent: { headers: { authorization: `Basic ${Buffer.from(secret).toString("base64")}` } },
    },
    {
      name: "in a header",
      auth: { type: "header", name: "X-Key", env: "ROOMS" },
      sent: { headers: { "x-key": secret } },
    },
    {
      name: "in the query",
      auth: { type: "query", name: "key", env: "ROOMS" },
      sent: { path: `/rooms?key=${secret}&building=North` },
    },
  ])("is sent $name, and comes out nowhere", async ({ auth, sent }) => {
    const server = await serving((response, { path, headers }) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `No: ${path} ${JSON.stringify(headers)}` }));
    });
    const environment = { ROOMS: secret };
    const { run } = calledService(server, { request: { auth } }, { environment });
    const observed = await run.observe("rooms", { building: "North" });
    expect(server.received[0]).toMatchObject(sent);
    const told = JSON.stringify([observed, run.events]);
    expect(told).not.toContain(secret);
    expect(told).not.toContain(Buffer.from(secret).toString("base64"));
  });

  it.each<{ name: string; type: "basic" | "query"; form: string }>([
    { name: "the password of a user alone", type: "basic", form: "p+ss/w0rd & more" },
    { name: "as a query has it", type: "query", form: "bob%3Ap%2Bss%2Fw0rd+%26+more" },
    { name: "as a path has it", type: "query", form: "bob%3Ap%2Bss%2Fw0rd%20%26%20more" },
  ])("is masked where a service gives it back: $name", async ({ type, form }) => {
    const auth =
      type === "basic"
        ? ({ type, env: "ROOMS" } as const)
        : ({ type, name: "key", env: "ROOMS" } as const);
    const server = await serving((response) => void response.end(`You are ${form}.`));
    const environment = { ROOMS: "bob:p+ss/w0rd & more" };
    const { run } = calledService(server, { request: { auth } }, { environment });
    const observed = await run.observe("rooms", { building: "North" });
    expect(observed.value).toBe("You are [redacted].");
    expect(JSON.stringify([observed, run.events])).not.toContain(form);
  });

  it("does not go on to another origin, nor does any header of the definition", async () => {
    const other = await serving((response) => void response.end("[]"));
    const server = await serving((response) => {
      response.writeHead(302, { location: `${other.url}/rooms` });
      response.end();
    });
    const request = { url: `${server.url}/rooms`, headers: { "X-Team": "a" } };
    const definition = serviceInput({
      request: { ...request, auth: { type: "header", name: "X-Key", env: "ROOMS" } },
    });
    const options = { allowHosts: [server.host, other.host], environment: { ROOMS: secret } };
    const { observe } = toolRun(serviceTools([definition], options));
    expect((await observe("rooms", {})).ok).toBe(true);
    expect(server.received[0]?.headers).toMatchObject({ "x-key": secret, "x-team": "a" });
    expect(other.received[0]?.headers).not.toHaveProperty("x-key");
    expect(other.received[0]?.headers).not.toHaveProperty("x-team");
  });

  it("that is not set is missed at once", () => {
    const auth = { type: "bearer", env: "ROOMS_TOKEN" } as const;
    expect(() => serviceTools([serviceInput({ request: { auth } })], { environment: {} })).toThrow(
      'The service "rooms" needs the environment variable ROOMS_TOKEN for its bearer authorization; it is not set.',
    );
  });
});
