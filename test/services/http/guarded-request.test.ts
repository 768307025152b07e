import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { classifyError } from "../../../src/run/errors.js";
import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { caught, get, optionsFor, serving } from "../../support/local-server.js";

describe("a request", () => {
  it.each([
    { method: "GET", length: undefined },
    { method: "GET", body: "grün", length: "5" },
    { method: "post", body: '{"room":"grün"}', length: "16" },
    { method: "POST", length: "0" },
    { method: "PUT", body: "", length: "0" },
    { method: "DELETE", body: "x", length: "1" },
  ])("with $method and the body $body arrives as it is", async ({ method, body, length }) => {
    const server = await serving((response) => response.end("ok"));
    const headers = {
      "X-Room": "4",
      Host: "internal.example",
      "Content-Length": "99",
      "Transfer-Encoding": "chunked",
      "Accept-Encoding": "gzip",
      Connection: "keep-alive",
      Expect: "100-continue",
    };
    const url = `${server.url}/rooms?q=a%20b#c`;
    await guardedRequest(
      { method, url, headers, ...(body === undefined ? {} : { body }) },
      optionsFor([server]),
    );
    expect(server.received).toEqual([
      {
        method: method.toUpperCase(),
        path: "/rooms?q=a%20b",
        headers: {
          "x-room": "4",
          host: server.host,
          "accept-encoding": "identity",
          connection: "close",
          ...(length === undefined ? {} : { "content-length": length }),
        },
        body: body ?? "",
      },
    ]);
    await expect.poll(server.connections).toBe(0);
  });

  it("brings the status, the headers by their names in lower case, the text and the address", async () => {
    const server = await serving((response) => {
      response.writeHead(418, { "X-Kind": "tea", "Set-Cookie": ["a=1", "b=2"], Date: "now" });
      response.end("\uFEFFgrün");
    });
    const { headers, ...rest } = await guardedRequest(get(server.url), optionsFor([server]));
    expect(rest).toEqual({ status: 418, text: "grün", url: `${server.url}/` });
    expect(headers).toMatchObject({ "x-kind": "tea", "set-cookie": "a=1, b=2", date: "now" });
  });

  it.each([
    { name: "of a HEAD", method: "HEAD", status: 200 },
    { name: "of status 204", method: "DELETE", status: 204 },
    { name: "of status 304", method: "GET", status: 304 },
  ])("$name has no body, whatever is told of one", async ({ method, status }) => {
    const server = await serving((response) => {
      response.writeHead(status, { "content-length": "50000", "content-encoding": "gzip" }).end();
    });
    const request = { ...get(server.url), method };
    expect(await guardedRequest(request, optionsFor([server]))).toMatchObject({ status, text: "" });
  });

  it.each([
    { name: "without a body", body: undefined },
    { name: "with a body", body: '{"room":"Zürich"}' },
  ])("$name has its headers in Latin-1", async ({ body }) => {
    const server = await serving((response) => response.end());
    const sent = { ...get(server.url), method: "POST", headers: { "x-room": "Zürich" } };
    await guardedRequest(
      { ...sent, ...(body === undefined ? {} : { body }) },
      optionsFor([server]),
    );
    expect(server.received).toMatchObject([{ headers: { "x-room": "Zürich" }, body: body ?? "" }]);
  });

  it.each([
    ["a header that ends the line", { "x-room": "4\r\nhost: internal.example" }],
    ["a header's name that is none", { "x room": "4" }],
  ])("with %s is not sent", async (_, headers) => {
    const server = await serving((response) => response.end());
    const error = await caught(
      guardedRequest({ ...get(server.url), headers }, optionsFor([server])),
    );
    expect(classifyError(error)).toEqual({ kind: "rejected" });
    expect(server.received).toEqual([]);
  });

  it("goes to the address that was checked, and looks no name up twice", async () => {
    const server = await serving((response) => response.end("ok"));
    const answers = ["127.0.0.1", "169.254.169.254"];
    const resolve = async () => [{ address: answers.shift() ?? "none", family: 4 }];
    const options = optionsFor([server], { resolve });
    const url = `http://rooms.example:${server.port}/`;
    expect(await guardedRequest(get(url), options)).toMatchObject({ text: "ok", url });
    expect(server.received[0]?.headers.host).toBe(`rooms.example:${server.port}`);
    expect(answers).toEqual(["169.254.169.254"]);
    await expect(guardedRequest(get(url), options)).rejects.toThrow("169.254.169.254, which is");
    expect(server.received).toHaveLength(1);
  });

  it("does not follow a name that has moved inward since the check", async () => {
    const server = await serving((response) => response.end("inside"));
    // The first is a public address that nobody has.
    const answers = ["2d00::1", "127.0.0.1"];
    const resolve = async () => [{ address: answers.shift() ?? "none", family: 0 }];
    const stop = new AbortController();
    const attempted: unknown[] = [];
    const watch = (message: unknown) => {
      const socket: unknown = Reflect.get(Object(message), "socket");
      if (!(socket instanceof Socket)) return;
      socket.once("connectionAttempt", (address) => {
        attempted.push(address);
        stop.abort();
      });
    };
    subscribe("net.client.socket", watch);
    onTestFinished(() => {
      unsubscribe("net.client.socket", watch);
    });
    const options = optionsFor([], { resolve, signal: stop.signal });
    await caught(guardedRequest(get(`http://rooms.example:${server.port}/`), options));
    expect(attempted).toEqual(["2d00::1"]);
    expect(answers).toEqual(["127.0.0.1"]);
    expect(server.received).toEqual([]);
  });

  it("tries the next address where one does not answer", async () => {
    const server = await serving((response) => response.end("ok"));
    const addresses = ["::1", "127.0.0.1"].map((address) => ({ address, family: 0 }));
    const allowed = [server, { host: `[::1]:${server.port}` }];
    const options = optionsFor(allowed, { resolve: async () => addresses });
    const url = `http://rooms.example:${server.port}/`;
    expect(await guardedRequest(get(url), options)).toMatchObject({ text: "ok" });
  });

  it("is refused before it is sent, and the names of its query are all that is told of it", async () => {
    const server = await serving((response) => response.end());
    const options = optionsFor([], { resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
    const url = `http://rooms.example:${server.port}/a?key=SECRET`;
    const error = await caught(guardedRequest(get(url), options));
    expect(error).toMatchObject({
      name: "ClassifiedError",
      kind: "rejected",
      message: `GET http://rooms.example:${server.port}/a?key=[redacted]: rooms.example has the address 127.0.0.1, which is not on the public internet (loopback). To reach it, allow it: option allowHosts: ["rooms.example"], command line --allow-host rooms.example, environment PLANGRAPH_ALLOW_HOSTS=rooms.example`,
    });
    expect(server.received).toEqual([]);
  });

  it("with a list of hosts that cannot be read is the developer's mistake", async () => {
    const options = optionsFor([{ host: "*" }]);
    await expect(guardedRequest(get("http://8.8.8.8/"), options)).rejects.toMatchObject({
      name: "PlangraphError",
      code: "invalid_option",
    });
  });
});
