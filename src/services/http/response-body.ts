import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

import { errorLine } from "../../observe/redact.js";
import { type ClassifiedError, rejected } from "../../run/errors.js";

/** The body of a response: its text, or the bytes of what is no text. */
export type ResponseBody = { readonly text: string; readonly bytes?: Uint8Array };

/**
 * The body of a response, decompressed and decoded. Throws "rejected" if it is longer than `maxBytes`, compressed or
 * decompressed, before reading if declared, and if its compression cannot be read.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<ResponseBody> {
  const { "content-length": length, "content-type": type } = response.headers;
  const encodings = encodingsOf(response);
  if (length !== undefined && Number(length) > maxBytes) throw tooLong(maxBytes, `${length} bytes`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const read: Buffer = chunk;
    bytes += read.length;
    if (bytes > maxBytes) throw tooLong(maxBytes, "longer");
    chunks.push(read);
  }
  let body: Buffer = Buffer.concat(chunks);
  for (const encoding of encodings) body = await decompressed(body, encoding, maxBytes);
  return decoded(body, type ?? "");
}

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const zlibInflate: Decompress = promisify(inflate);
const rawInflate: Decompress = promisify(inflateRaw);
const gzip: Decompress = promisify(gunzip);
const brotli: Decompress = promisify(brotliDecompress);

/** Servers send deflate with and without the header of zlib. */
const deflate: Decompress = (body, options) =>
  (body[0] ?? 0) % 16 === 8 ? zlibInflate(body, options) : rawInflate(body, options);

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", deflate],
  ["br", brotli],
]);

/** More than this is no mistake of a server. */
const maxEncodings = 2;

/** The compressions of a body, the last one first. The request asked for none, but some servers always compress. */
function encodingsOf({ headers }: IncomingMessage): string[] {
  const { "content-encoding": given = "" } = headers;
  const names = given
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length <= maxEncodings && names.every((name) => decompressors.has(name))) {
    return names.toReversed();
  }
  throw rejected(
    `the response is encoded as ${JSON.stringify(given)}, although the request asked for no encoding`,
  );
}

/** Stops at the limit: a short body can decompress to gigabytes. */
async function decompressed(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const decompress = decompressors.get(encoding);
  if (decompress === undefined || body.length === 0) return body;
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const isLonger =
      error instanceof Error && Reflect.get(error, "code") === "ERR_BUFFER_TOO_LARGE";
    if (isLonger) throw tooLong(maxBytes, `longer, decompressed from ${encoding}`);
    throw rejected(`the response is no ${encoding}, although it says so: ${errorLine(error)}`);
  }
}

function tooLong(maxBytes: number, length: string): ClassifiedError {
  return rejected(`the response is ${length}; at most ${maxBytes} bytes are read (maxBytes)`);
}

/** Types whose bodies are text, in the charset that they state. */
const textType =
  /^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)\b/i;

/** Types whose bodies are no text, also where their bytes could be read as one. */
const binaryType = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip)\b/i;

/** A body as text. Bytes that are no text stay bytes: they would be a text of replacement characters. */
function decoded(body: Buffer, type: string): ResponseBody {
  const charset = charsetOf(type, body);
  const isText = body.length === 0 || textType.test(type);
  return isText || isReadable(body, type, charset)
    ? { text: new TextDecoder(charset).decode(body) }
    : { text: "", bytes: body };
}

/** Whether a body of a type that may be no text is one. Some servers state a charset for every type. */
function isReadable(body: Buffer, type: string, charset: string): boolean {
  if (binaryType.test(type)) return false;
  if (charset !== "utf-8") return true;
  return !body.includes(0) && isUtf8(body);
}

/** The stated charset, or UTF-8 for an unknown one. UTF-16 that is not stated has a byte order mark. */
function charsetOf(type: string, body: Buffer): string {
  const [, given = ""] = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(type) ?? [];
  try {
    return new TextDecoder(labelOf(given) ?? markedAs(body)).encoding;
  } catch {
    return "utf-8";
  }
}

/** The charset as `TextDecoder` names it. */
function labelOf(charset: string): string | undefined {
  return charset === "" ? undefined : charset.replace(/^latin-(?=\d)/i, "latin");
}

/** UTF-16 is recognized by its byte order mark. */
function markedAs(body: Buffer): string {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : "utf-8";
}

function isUtf8(body: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
