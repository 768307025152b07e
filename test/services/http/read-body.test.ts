import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { get, optionsFor, serving } from "../../support/local-server.js";

describe("a body", () => {
  const text = "a".repeat(1_000);

  it("of just the length that is read arrives", async () => {
    const server = await serving((response) => response.end(text));
    expect(await guardedRequest(get(server.url), optionsFor([server]))).toMatchObject({ text });
  });

  it("that tells too great a length is not read", async () => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-length": "52428800" }).flushHeaders();
    });
    await expect(guardedRequest(get(server.url), optionsFor([server]))).rejects.toMatchObject({
      kind: "rejected",
      message: `GET ${server.url}: the response is 52428800 bytes; at most 1000 bytes are read (maxBytes)`,
    });
    await expect.poll(server.connections).toBe(0);
  });

  it("of 50 MB that tells no length is left when it is too long", async () => {
    let sent = 0;
    const piece = Buffer.alloc(65_536, "a");
    const server = await serving((response) => {
      const send = () => {
        if (response.destroyed || sent >= 50_000_000) return;
        sent += piece.length;
        response.write(piece, send);
      };
      send();
    });
    const options = optionsFor([server], { maxBytes: 1_000_000 });
    await expect(guardedRequest(get(server.url), options)).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("is longer; at most 1000000 bytes are read"),
    });
    await expect.poll(server.connections).toBe(0);
    expect(sent).toBeLessThan(25_000_000);
  });

  it.each(["gzip", "GZIP", "br", "identity, gzip"])(
    "encoded as %s is refused",
    async (encoding) => {
      const server = await serving((response) => {
        response.writeHead(200, { "content-encoding": encoding }).end(gzipSync("ok"));
      });
      await expect(guardedRequest(get(server.url), optionsFor([server]))).rejects.toMatchObject({
        kind: "rejected",
        message: expect.stringContaining(`the response is encoded as "${encoding}"`),
      });
      await expect.poll(server.connections).toBe(0);
    },
  );

  it("that says it is as it is arrives", async () => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-encoding": "Identity" }).end("ok");
    });
    const answer = await guardedRequest(get(server.url), optionsFor([server]));
    expect(answer.text).toBe("ok");
  });
});
