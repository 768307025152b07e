import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { guardedRequest } from "../../../src/services/http/guarded-request.js";
import { get, optionsFor, serving } from "../../support/local-server.js";

const latin = Buffer.from("Zürich", "latin1");

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

  it.each(["zstd", "compress", "gzip, zstd", "gzip, gzip, gzip"])(
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

  it.each<{ encoding: string; body: Buffer }>([
    { encoding: "gzip", body: gzipSync("Zürich") },
    { encoding: "GZIP", body: gzipSync("Zürich") },
    { encoding: "x-gzip", body: gzipSync("Zürich") },
    { encoding: "identity, gzip", body: gzipSync("Zürich") },
    { encoding: "deflate", body: deflateSync("Zürich") },
    { encoding: "deflate", body: deflateRawSync("Zürich") },
    { encoding: "br", body: brotliCompressSync("Zürich") },
    { encoding: "gzip, br", body: brotliCompressSync(gzipSync("Zürich")) },
  ])("that comes as $encoding, although not asked for, is read", async ({ encoding, body }) => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    const { text: read } = await guardedRequest(get(server.url), optionsFor([server]));
    expect(read).toBe("Zürich");
    expect(server.received[0]?.headers["accept-encoding"]).toBe("identity");
  });

  it("of nothing that is said to be compressed is empty", async () => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end();
    });
    expect((await guardedRequest(get(server.url), optionsFor([server]))).text).toBe("");
  });

  const zeros = Buffer.alloc(50_000_000);
  it.each<{ name: string; encoding: string; body: Buffer; last: string }>([
    { name: "gzip", encoding: "gzip", body: gzipSync(zeros), last: "gzip" },
    { name: "deflate", encoding: "deflate", body: deflateSync(zeros), last: "deflate" },
    { name: "br", encoding: "br", body: brotliCompressSync(zeros), last: "br" },
    { name: "gzip in gzip", encoding: "gzip, gzip", body: gzipSync(gzipSync(zeros)), last: "gzip" },
  ])("that decompresses to 50 MB is left: $name", async ({ encoding, body, last }) => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    const options = optionsFor([server], { maxBytes: 100_000 });
    await expect(guardedRequest(get(server.url), options)).rejects.toMatchObject({
      kind: "rejected",
      message: `GET ${server.url}: the response is longer, decompressed from ${last}; at most 100000 bytes are read (maxBytes)`,
    });
  });

  it.each<{ name: string; encoding: string; body: Buffer }>([
    { name: "is no gzip", encoding: "gzip", body: Buffer.from("plain") },
    { name: "is cut", encoding: "gzip", body: gzipSync(text).subarray(0, 15) },
    { name: "is no br", encoding: "br", body: gzipSync("ok") },
  ])("that says it is compressed and $name is refused", async ({ encoding, body }) => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    await expect(guardedRequest(get(server.url), optionsFor([server]))).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining(`the response is no ${encoding}, although it says so`),
    });
  });

  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUg==", "base64");
  it.each<{ name: string; type: string; body: Buffer; text: string }>([
    { name: "ISO-8859-1", type: "text/plain; charset=ISO-8859-1", body: latin, text: "Zürich" },
    { name: "latin-1", type: 'application/json;charset="latin-1"', body: latin, text: "Zürich" },
    {
      name: "gbk",
      type: "text/html; Charset=GBK",
      body: Buffer.from([0xb1, 0xb1, 0xbe, 0xa9]),
      text: "北京",
    },
    {
      name: "utf-16 by its mark",
      type: "text/plain",
      body: Buffer.from("\uFEFFZürich", "utf16le"),
      text: "Zürich",
    },
    {
      name: "utf-16le as stated",
      type: "text/csv; charset=utf-16le",
      body: Buffer.from("Zürich", "utf16le"),
      text: "Zürich",
    },
    { name: "no charset", type: "text/plain", body: Buffer.from("Zürich"), text: "Zürich" },
    { name: "no type", type: "", body: Buffer.from("Zürich"), text: "Zürich" },
    { name: "an unknown charset", type: "text/plain; charset=x", body: latin, text: "Z\uFFFDrich" },
    {
      name: "bytes that are text",
      type: "application/octet-stream",
      body: png.subarray(1, 4),
      text: "PNG",
    },
    {
      name: "an image that is XML",
      type: "image/svg+xml",
      body: Buffer.from("<svg/>"),
      text: "<svg/>",
    },
  ])("is decoded: $name", async ({ type, body, text: expected }) => {
    const server = await serving((response) => {
      response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body);
    });
    const answer = await guardedRequest(get(server.url), optionsFor([server]));
    expect(answer).toMatchObject({ text: expected });
    expect(answer).not.toHaveProperty("bytes");
  });

  it.each<{ name: string; type: string; body: Buffer }>([
    { name: "an image", type: "image/png", body: png },
    { name: "an image with a charset", type: "image/png;charset=UTF-8", body: png },
    { name: "bytes with a charset", type: "application/octet-stream;charset=utf-8", body: png },
    { name: "bytes without a type", type: "", body: png },
    { name: "zeros", type: "application/octet-stream", body: Buffer.from("a\0b") },
    { name: "a PDF that could be read", type: "application/pdf", body: Buffer.from("%PDF-1.4") },
  ])("that is no text stays bytes: $name", async ({ type, body }) => {
    const server = await serving((response) => {
      response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body);
    });
    const { text: read, bytes } = await guardedRequest(get(server.url), optionsFor([server]));
    expect(read).toBe("");
    expect(Buffer.from(bytes ?? [])).toEqual(body);
  });

  it("that says it is as it is arrives", async () => {
    const server = await serving((response) => {
      response.writeHead(200, { "content-encoding": "Identity" }).end("ok");
    });
    const answer = await guardedRequest(get(server.url), optionsFor([server]));
    expect(answer.text).toBe("ok");
  });
});
