import { createServer } from "node:net";

import { describe, expect, it } from "vitest";

import { classifyError } from "../../../src/guards/classify-error.js";
import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { caught, get, listening, optionsFor } from "../../support/local-server.js";

describe("a server", () => {
  it.each([
    ["hangs up", "", "unavailable", "socket hang up"],
    ["breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf", "unavailable", "aborted"],
    ["speaks otherwise", "SSH-2.0-OpenSSH_9.6\r\n", "rejected", "Expected HTTP/"],
    [
      "changes the protocol",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
      "rejected",
      "something else than HTTP",
    ],
  ])("that %s is told as such", async (_, answer, kind, message) => {
    const server = await listening(createServer((socket) => socket.resume().end(answer)));
    const error = await caught(
      guardedRequest(get(`${server.url}/?k=SECRET`), optionsFor([server])),
    );
    expect(classifyError(error)).toEqual({ kind });
    expect(error).toHaveProperty("message", expect.stringContaining(message));
    expect(error).not.toHaveProperty("message", expect.stringContaining("SECRET"));
    await expect.poll(server.connections).toBe(0);
  });

  it("that resets the connection is not available", async () => {
    const server = await listening(createServer((socket) => socket.resetAndDestroy()));
    const error = await caught(guardedRequest(get(server.url), optionsFor([server])));
    expect(classifyError(error)).toEqual({ kind: "unavailable" });
  });

  it.each([
    ["one address", ["127.0.0.1"]],
    ["two addresses", ["127.0.0.1", "127.0.0.1"]],
  ])("that is not there, at %s, is not available", async (_, addresses) => {
    const gone = createServer();
    const { port } = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const resolve = async () => addresses.map((address) => ({ address, family: 4 }));
    const options = optionsFor([{ host: "127.0.0.1" }], { resolve });
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
