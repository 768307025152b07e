import { describe, expect, it } from "vitest";

import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { caught, get, optionsFor, serving } from "../../support/local-server.js";

const secret = {
  Authorization: "Bearer SECRET",
  Cookie: "a=SECRET",
  "X-Key": "SECRET",
  "x-a": "1",
};

const loopback = async () => [{ address: "127.0.0.1", family: 4 }];

/** A server whose paths lead to places; what leads nowhere is answered with "here". */
function leading(paths: Readonly<Record<string, string>>, status = 302) {
  return serving((response, { path }) => {
    const location = paths[path];
    if (location === undefined) response.end("here");
    else response.writeHead(status, { location }).end("moved");
  });
}

describe("a redirect", () => {
  it.each([
    ["a way of five", 5],
    ["none", 0],
  ])("of %s is followed to its end", async (_, steps) => {
    const paths = Array.from({ length: steps }, (__, at) => [`/${at}`, `/${at + 1}`]);
    const server = await leading(Object.fromEntries(paths));
    const answer = await guardedRequest(get(`${server.url}/0`), optionsFor([server]));
    expect(answer).toMatchObject({ status: 200, text: "here", url: `${server.url}/${steps}` });
    expect(server.received).toHaveLength(steps + 1);
    await expect.poll(server.connections).toBe(0);
  });

  it.each([
    ["in a circle", { "/a": "/b", "/b": "/a" }],
    ["to itself", { "/a": "/a" }],
  ])("%s ends after five", async (_, paths) => {
    const server = await leading(paths);
    const error = await caught(guardedRequest(get(`${server.url}/a`), optionsFor([server])));
    expect(error).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("more than 5 redirects"),
    });
    expect(server.received).toHaveLength(6);
    await expect.poll(server.connections).toBe(0);
  });

  it.each([
    [
      "to a cloud's metadata",
      "http://169.254.169.254/latest?token=SECRET",
      ", redirected to http://169.254.169.254/latest?token=[redacted]: 169.254.169.254 is not",
    ],
    ["to a server of the same machine", "http://localhost:1/", "localhost has the address"],
    ["to a decimal address", "http://2130706433:1/", "(loopback)"],
    ["to another port", "http://127.0.0.1:1/", "(loopback)"],
    ["to a file", "file:///etc/passwd", "only http and https"],
  ])("%s is refused, and tells where from and where to", async (_, location, message) => {
    const server = await leading({ "/a?q=SECRET": location });
    const options = optionsFor([server], { resolve: loopback });
    const error = await caught(guardedRequest(get(`${server.url}/a?q=SECRET`), options));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining(message) });
    expect(error).toHaveProperty(
      "message",
      expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/a\?q=\[redacted\]/),
    );
    expect(error).not.toHaveProperty("message", expect.stringContaining("SECRET"));
    expect(server.received).toHaveLength(1);
  });

  it("to another origin takes neither credentials nor the query along, nor back", async () => {
    const paths: Record<string, string> = {};
    const first = await leading(paths);
    const second = await leading({ "/away": `${first.url}/back` });
    paths["/?key=SECRET"] = "/near";
    paths["/near"] = `${second.url}/away`;
    const options = optionsFor([first, second], { secretHeaders: ["x-KEY"] });
    const request = { method: "GET", url: `${first.url}/?key=SECRET`, headers: secret };
    const answer = await guardedRequest(request, options);
    expect(answer).toMatchObject({ text: "here", url: `${first.url}/back` });
    const got = [...first.received, ...second.received].map(({ path, headers }) => [
      path,
      headers.authorization ?? headers.cookie ?? headers["x-key"],
      headers["x-a"],
    ]);
    expect(got).toEqual([
      ["/?key=SECRET", "Bearer SECRET", "1"],
      ["/near", "Bearer SECRET", "1"],
      ["/back", undefined, "1"],
      ["/away", undefined, "1"],
    ]);
  });

  it("of a name is resolved and checked again", async () => {
    const server = await leading({ "/a": "/b" });
    const answers = ["127.0.0.1", "10.0.0.5"];
    const resolve = async () => [{ address: answers.shift() ?? "none", family: 4 }];
    const url = `http://rooms.example:${server.port}/a`;
    await expect(guardedRequest(get(url), optionsFor([server], { resolve }))).rejects.toThrow(
      "10.0.0.5, which is not on the public internet",
    );
    expect(server.received).toHaveLength(1);
  });

  it("with status 303 reads what a POST made", async () => {
    const server = await leading({ "/orders": "/orders/1" }, 303);
    const request = { method: "POST", url: `${server.url}/orders`, headers: {}, body: "tea" };
    expect(await guardedRequest(request, optionsFor([server]))).toMatchObject({ text: "here" });
    expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/orders", "tea"],
      ["GET", "/orders/1", ""],
    ]);
  });

  it("of a POST is not sent on", async () => {
    const server = await leading({ "/orders": "/orders/" }, 308);
    const request = { method: "POST", url: `${server.url}/orders`, headers: {}, body: "tea" };
    await expect(guardedRequest(request, optionsFor([server]))).rejects.toMatchObject({
      kind: "rejected",
      message: `POST ${server.url}/orders: the server redirects with status 308 to ${server.url}/orders/, which is not followed for POST: if that address is right, the definition must name it`,
    });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["a great", { "content-length": "50000000" }],
    ["a compressed", { "content-encoding": "gzip" }],
  ])("with %s body is followed, and the body left", async (_, headers) => {
    const server = await serving((response, { path }) => {
      if (path === "/b") response.end("here");
      else response.writeHead(302, { location: "/b", ...headers }).flushHeaders();
    });
    const answer = await guardedRequest(get(`${server.url}/a`), optionsFor([server]));
    expect(answer.text).toBe("here");
    await expect.poll(server.connections).toBe(0);
  });

  it("that leads nowhere is an answer", async () => {
    const server = await serving((response) => response.writeHead(302).end("moved"));
    const answer = await guardedRequest(get(server.url), optionsFor([server]));
    expect(answer).toMatchObject({ status: 302, text: "moved" });
  });
});
