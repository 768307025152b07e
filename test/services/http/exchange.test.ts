import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { classifyError } from "../../../src/run/errors.js";
import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { caught, get, listening, optionsFor } from "../../support/local-server.js";

const fixture = (name: string) =>
  join(import.meta.dirname, `../../fixtures/certificate/rooms.example.${name}.pem`);

/** A server with a certificate for rooms.example that notes which name each request was sent to. */
async function certified() {
  const key = readFileSync(fixture("key"));
  const cert = readFileSync(fixture("cert"));
  const names: unknown[] = [];
  const server = createHttpsServer({ key, cert }, ({ socket }, response) => {
    names.push(Reflect.get(socket, "servername"));
    response.end("ok");
  });
  return { ...(await listening(server)), names };
}

describe("a server", () => {
  it.each([
    ["hangs up", "", "unavailable", "socket hang up"],
    ["breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf", "unavailable", "aborted"],
    ["speaks otherwise", "SSH-2.0-OpenSSH_9.6\r\n", "rejected", "Expected HTTP/"],
    [
      "changes the protocol",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
      "rejected",
      "something other than HTTP",
    ],
  ])("that %s is told as such", async (_, answer, kind, message) => {
    const server = await listening(createServer((socket) => socket.resume().end(answer)));
    const error = await caught(
      guardedRequest(get(`${server.url}/?k=SECRET`), optionsFor([server])),
    );
    expect(classifyError(error)).toMatchObject({ kind });
    expect(error).toHaveProperty("message", expect.stringContaining(message));
    expect(error).not.toHaveProperty("message", expect.stringContaining("SECRET"));
    await expect.poll(server.connections).toBe(0);
  });

  it("that resets the connection is not available", async () => {
    const server = await listening(createServer((socket) => socket.resetAndDestroy()));
    const error = await caught(guardedRequest(get(server.url), optionsFor([server])));
    expect(classifyError(error)).toMatchObject({ kind: "unavailable" });
  });

  it.each([
    ["one address", ["127.0.0.1"]],
    ["two addresses", ["::1", "127.0.0.1"]],
  ])("that is not there, at %s, is not available", async (_, addresses) => {
    const gone = createServer();
    const { port } = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const resolve = async () => addresses.map((address) => ({ address, family: 4 }));
    const options = optionsFor([{ host: "127.0.0.1" }, { host: "::1" }], { resolve });
    const error = await caught(guardedRequest(get(`http://rooms.example:${port}/`), options));
    expect(classifyError(error)).toEqual({ kind: "unavailable" });
    expect(error).toHaveProperty(
      "message",
      expect.stringContaining(`connect ECONNREFUSED 127.0.0.1:${port}`),
    );
  });

  it("whose name is unknown is not available", async () => {
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND x"), { code: "ENOTFOUND" });
    const options = optionsFor([], { resolve: () => Promise.reject(unknown) });
    const error = await caught(guardedRequest(get("http://rooms.example/"), options));
    expect(classifyError(error)).toEqual({ kind: "unavailable" });
    expect(error).toHaveProperty("message", "GET http://rooms.example/: getaddrinfo ENOTFOUND x");
  });
});

describe("a certificate", () => {
  it("that nobody vouches for is refused", async () => {
    const server = await certified();
    const error = await caught(
      guardedRequest(get(server.url.replace("http:", "https:")), optionsFor([server])),
    );
    expect(classifyError(error)).toEqual({ kind: "rejected" });
    expect(error).toHaveProperty("message", expect.stringContaining("self-signed certificate"));
    expect(server.names).toEqual([]);
    await expect.poll(server.connections).toBe(0);
  });

  it("is for the name, wherever that was found", async () => {
    const { port, names } = await certified();
    const hosts = ["rooms.example", "Rooms.Example.", "other.example", "127.0.0.1"];
    const child = join(import.meta.dirname, "../../support/trusting-child.ts");
    const urls = hosts.map((host) => `https://${host}:${port}/`);
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: fixture("cert") };
    const args = ["--import", "tsx", child, ...urls];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "ok",
      "ok",
      "rejected ERR_TLS_CERT_ALTNAME_INVALID",
      "rejected ERR_TLS_CERT_ALTNAME_INVALID",
    ]);
    expect(names).toEqual(["rooms.example", "rooms.example"]);
  });
});
