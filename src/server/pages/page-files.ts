import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { readComponents } from "./page-options.js";

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

const script = "text/javascript; charset=utf-8";
const types: Readonly<Record<string, string>> = {
  ".js": script,
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
};

/** Whether a request is for the page's own files, which tell nothing. */
export function isPageFile(method: string, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && /^\/(?:chat(?:\/[^/]+)?|trace\/[^/]+|runs|page\/[\w-]+\.(?:js|css))$/.test(path);
}

/** The page, or a file of it, the same for everybody; nothing for another address. `components`: the operator's module. */
export function pageFile(
  method: string,
  path: string,
  components: string | undefined,
): Promise<Response> | undefined {
  if (!isPageFile(method, path)) return undefined;
  if (path === "/page/components.js") return sendComponents(components);
  return send(path.startsWith("/page/") ? path.slice("/page/".length) : "index.html");
}

async function sendComponents(file: string | undefined): Promise<Response> {
  const body = file === undefined ? "export default {};\n" : await readComponents(file);
  return new Response(body, { headers: { ...headers, "content-type": script } });
}

async function send(name: string): Promise<Response> {
  const body = await readFile(join(folder, name)).catch(() => undefined);
  if (body === undefined) return new Response(notBuilt, { status: 404 });
  const type = types[extname(name)] ?? "application/octet-stream";
  return new Response(new Uint8Array(body), { headers: { ...headers, "content-type": type } });
}

const notBuilt = "The page is not built: npm run build:page.\n";
