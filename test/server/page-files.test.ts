import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { isPageFile, pageFile, type PageRequest } from "../../src/server/pages/page-files.js";

it.each([
  { method: "GET", path: "/chat", isFile: true },
  { method: "HEAD", path: "/chat/0199-ab", isFile: true },
  { method: "GET", path: "/trace/1234", isFile: true },
  { method: "GET", path: "/runs", isFile: true },
  { method: "GET", path: "/page/main.js", isFile: true },
  // What says something of somebody is behind the authorization.
  { method: "POST", path: "/runs", isFile: false },
  { method: "GET", path: "/traces", isFile: false },
  { method: "GET", path: "/traces/1234", isFile: false },
  { method: "GET", path: "/runs/crons", isFile: false },
  { method: "GET", path: "/threads/1", isFile: false },
  { method: "GET", path: "/metrics", isFile: false },
  { method: "GET", path: "/page/../threads", isFile: false },
  { method: "GET", path: "/page/a/b.js", isFile: false },
  { method: "GET", path: "/chat/a/b", isFile: false },
])("$method $path is the page's own: $isFile", ({ method, path, isFile }) => {
  expect(isPageFile(method, path)).toBe(isFile);
});

const asked = (given: Partial<PageRequest>) =>
  pageFile({ method: "GET", path: "/page/components.js", ...given }, undefined);

async function bodyOf(response: Response | undefined): Promise<Buffer> {
  return Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
}

describe("a file of the page", () => {
  const text = "export default {};\n";

  it.each([
    { accepts: "gzip, deflate, br, zstd", encoding: "br", read: brotliDecompressSync },
    { accepts: "BR", encoding: "br", read: brotliDecompressSync },
    { accepts: "gzip;q=0.5, br;q=0", encoding: "gzip", read: gunzipSync },
    { accepts: "br;q=0.0, identity", encoding: null, read: (bytes: Buffer) => bytes },
    { accepts: "brr, x-gzip", encoding: null, read: (bytes: Buffer) => bytes },
    { accepts: undefined, encoding: null, read: (bytes: Buffer) => bytes },
  ])("is compressed for a browser that reads $accepts: $encoding", async (row) => {
    const response = await asked({ accepts: row.accepts });
    expect(response?.headers.get("content-encoding")).toBe(row.encoding);
    expect(response?.headers.get("vary")).toBe("accept-encoding");
    expect(row.read(await bodyOf(response)).toString()).toBe(text);
  });

  it("is not sent again to who has it, in whatever encoding, and to nobody else", async () => {
    const version = (await asked({}))?.headers.get("etag") ?? "";
    for (const has of [version, `"other", ${version}`, version.replace("W/", "")]) {
      const response = await asked({ has, accepts: "br" });
      expect(response?.status).toBe(304);
      expect(response?.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await bodyOf(response)).toHaveLength(0);
    }
    for (const has of [undefined, "", '"other"', version.slice(0, 8)]) {
      expect((await asked({ has }))?.status).toBe(200);
    }
  });
});
