import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Hono } from "hono";

/** Where the built page is: beside this file in the package, and in `dist` of the repository. */
const here = import.meta.url;
const folder = fileURLToPath(
  new URL(extname(here) === ".ts" ? "../../../dist/page/" : "../../page/", here),
);

/** Nothing from elsewhere: no script, no style, no picture, no call, no frame around it. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
};

/** The addresses of the page: it reads from its own address what it shows. */
const screens = ["/chat", "/chat/:thread", "/trace/:run", "/runs"];

/** Whether a request is for the page's own files, which tell nothing. */
export function isPageFile(method: string, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && /^\/(?:chat(?:\/[^/]+)?|trace\/[^/]+|runs|page\/[\w-]+\.(?:js|css))$/.test(path);
}

/** The page and its files. They are the same for everybody. */
export function pageFiles(): Hono {
  const files = new Hono();
  const send = async (name: string) => {
    const body = await readFile(join(folder, name)).catch(() => undefined);
    if (body === undefined) return new Response(notBuilt, { status: 404 });
    const type = types[extname(name)] ?? "application/octet-stream";
    return new Response(new Uint8Array(body), { headers: { ...headers, "content-type": type } });
  };
  for (const screen of screens) files.get(screen, () => send("index.html"));
  files.get("/page/:name{[\\w-]+\\.(?:js|css)}", ({ req }) => send(req.param("name")));
  return files;
}

const notBuilt = "The page is not built: npm run build:page.\n";
