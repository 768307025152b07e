import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

import { sha256 } from "../../platform.js";
import type { Headed } from "../request-checks.js";
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

/** What a request for a file of the page says. */
export type PageRequest = {
  readonly method: string;
  readonly path: string;
  /** The encodings that its sender reads (`accept-encoding`). */
  readonly accepts?: string | undefined;
  /** The versions that its sender has (`if-none-match`). */
  readonly has?: string | undefined;
};

/** What a request says, with its headers read. */
export function pageRequestOf(request: Headed & Pick<PageRequest, "method" | "path">): PageRequest {
  return {
    method: request.method,
    path: request.path,
    accepts: request.header("accept-encoding"),
    has: request.header("if-none-match"),
  };
}

/** The page, or a file of it, the same for everybody; nothing for another address. `components`: the operator's module. */
export function pageFile(
  request: PageRequest,
  components: string | undefined,
): Promise<Response> | undefined {
  const { method, path } = request;
  if (!isPageFile(method, path)) return undefined;
  if (path === "/page/components.js") return sendComponents(components, request);
  return send(path.startsWith("/page/") ? path.slice("/page/".length) : "index.html", request);
}

async function sendComponents(file: string | undefined, request: PageRequest): Promise<Response> {
  const text = file === undefined ? "export default {};\n" : await readComponents(file);
  return sent(text, { "content-type": script }, request);
}

async function send(name: string, request: PageRequest): Promise<Response> {
  const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
  if (text === undefined) return new Response(notBuilt, { status: 404 });
  const type = types[extname(name)] ?? "application/octet-stream";
  return sent(text, { "content-type": type, ...keptAs(name) }, request);
}

/** The name of a piece changes with what is in it: whoever has it need not ask again. */
function keptAs(name: string): Readonly<Record<string, string>> {
  const isPiece = /-[A-Z0-9]{8}\.js$/.test(name);
  return isPiece ? { "cache-control": "public, max-age=31536000, immutable" } : {};
}

/** The text, compressed for a sender who reads that; nothing but the version for one who has it. */
async function sent(
  text: string,
  own: Readonly<Record<string, string>>,
  { accepts = "", has = "" }: PageRequest,
): Promise<Response> {
  const version = sha256(text).slice(0, 16);
  const all = { ...headers, ...own, etag: `W/"${version}"`, vary: "accept-encoding" };
  if (has.includes(`"${version}"`)) return new Response(null, { status: 304, headers: all });
  const encoding = (["br", "gzip"] as const).find((each) => isAccepted(each, accepts));
  if (encoding === undefined) return new Response(text, { headers: all });
  const body = await packed(text, encoding, version);
  return new Response(body, { headers: { ...all, "content-encoding": encoding } });
}

function isAccepted(encoding: string, accepts: string): boolean {
  return accepts.split(",").some((one) => {
    const [name = "", ...rest] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !rest.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });
}

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** What was compressed, by version: the best compression takes 40 ms. */
const known = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

function packed(text: string, encoding: keyof typeof packers, version: string) {
  const key = `${encoding} ${version}`;
  const made = known.get(key) ?? packers[encoding](text).then((bytes) => new Uint8Array(bytes));
  known.set(key, made);
  return made;
}

const notBuilt = "The page is not built: npm run build:page.\n";
