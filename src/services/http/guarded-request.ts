import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";

import { errorLine } from "../../observe/redact.js";
import { ClassifiedError, classifyError, EffectUnknown } from "../../run/errors.js";
import { openCallSignal, untilAborted } from "../../run/signals.js";
import {
  type AllowedHost,
  checkedAddresses,
  type CheckedAddresses,
  placeOf,
  readAllowHosts,
} from "./allow-hosts.js";
import {
  firstCall,
  type HttpCall,
  type HttpHeaders,
  type HttpOptions,
  type HttpRequest,
  type HttpResponse,
  readUrl,
  sentHeaders,
  shownUrl,
  withoutHeaders,
} from "./request.js";

const maxRedirects = 5;

/**
 * Sends a request to a place on the public internet, or to one that `allowHosts` names, and gives what
 * came, whatever its status. Every address is checked before it is connected to, again after each
 * redirect, of which up to five are followed. Throws the signal's reason when it aborts; a
 * `ClassifiedError` of kind "rejected" for what is not allowed, too long or compressed; an `EffectUnknown` where a server
 * that was asked to change something led elsewhere, and nothing came from there; and an error with its cause where there
 * was no answer. No message holds what stands in a query.
 */
export async function guardedRequest(
  request: HttpRequest,
  options: HttpOptions,
): Promise<HttpResponse> {
  const allowed = readAllowHosts(options.allowHosts);
  let at = request.url;
  let hasActed = false;
  try {
    let call = firstCall(request);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await answerTo(call, allowed, options);
      const location = locationOf(answer.status, answer.headers);
      if (location === undefined) {
        return { ...answer, url: call.url.href, ...(hasActed ? { isFollowUp: true } : {}) };
      }
      hasActed ||= pointsElsewhere(call, answer.status);
      if (redirects === maxRedirects) {
        throw new ClassifiedError("rejected", `more than ${maxRedirects} redirects`);
      }
      call = redirectedCall(call, answer.status, location, options.secretHeaders);
      at = call.url.href;
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw requestFailure(error, request, at, hasActed);
  }
}

/** Whether a redirect is what servers answer when they have done what they were asked: it leads to what came of it. */
function pointsElsewhere({ method }: HttpCall, status: number): boolean {
  return [302, 303].includes(status) && !isRead(method);
}

/** The signal's listeners go with each call; a name is resolved and checked anew for each. */
async function answerTo(
  call: HttpCall,
  allowed: readonly AllowedHost[],
  { resolve, maxBytes, signal: signalOfRequest }: HttpOptions,
): Promise<Answer> {
  const { signal, close } = openCallSignal(signalOfRequest, Infinity);
  try {
    const check = () => checkedAddresses(call.url, allowed, resolve);
    return await exchange(call, await untilAborted(check, signal), { maxBytes, signal });
  } finally {
    close();
  }
}

/** The error with what was asked for; its kind stays, unless what was asked may have been done. */
function requestFailure(
  error: unknown,
  { method, url }: HttpRequest,
  at: string,
  hasActed: boolean,
): Error {
  const redirected = at === url ? "" : `, redirected to ${shownUrl(at)}`;
  const message = `${method} ${shownUrl(url)}${redirected}: ${reasonOf(error)}`;
  const { kind, isEffectUnknown } = classifyError(error);
  if (hasActed || isEffectUnknown === true) {
    // A change that may have been made was not refused.
    const isRefused = kind === "rejected" && !isRead(method);
    return new EffectUnknown(isRefused ? "internal" : kind, message, { cause: error });
  }
  return error instanceof ClassifiedError
    ? new ClassifiedError(error.kind, message, { cause: error })
    : new Error(message, { cause: error });
}

/** Where several addresses were tried, the error of each. */
function reasonOf(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((each) => errorLine(each, 800)).join("; ");
}

/** What one server answered to one call. */
type Answer = Pick<HttpResponse, "status" | "headers" | "text">;

/** A server answered, and the body of its answer cannot be read. */
export class UnreadBody extends ClassifiedError {
  readonly answer: Omit<HttpResponse, "text">;

  constructor(answer: Omit<HttpResponse, "text">, cause: unknown) {
    super(classifyError(cause).kind, errorLine(cause, 800), { cause });
    this.answer = answer;
  }
}

/** Sends one call to checked addresses and reads the answer; the body of a redirect is left. The connection is gone when this returns. */
async function exchange(
  call: HttpCall,
  addresses: CheckedAddresses,
  { maxBytes, signal }: Pick<HttpOptions, "maxBytes" | "signal">,
): Promise<Answer> {
  const client = connect(call, addresses);
  try {
    return await untilAborted(async () => {
      const response = await responseTo(client, call.body);
      return await readAnswer(response, call, maxBytes);
    }, signal);
  } finally {
    client.destroy();
  }
}

function connect(call: HttpCall, addresses: CheckedAddresses): ClientRequest {
  const { method, url } = call;
  const { host } = placeOf(url);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const client = request(url, {
    method,
    headers: sentHeaders(call),
    // No agent of the process: that one may keep connections, or go through a proxy.
    agent: false,
    lookup: pinned(addresses),
    // The certificate is for the name, wherever it was found.
    servername: isIP(host) === 0 ? host : "",
  });
  // An error that comes when nobody waits any more would end the process.
  return client.on("error", () => {});
}

/** Stands in for the second look-up that Node would make: it may have another result than the one that was checked. */
function pinned(addresses: CheckedAddresses): LookupFunction {
  const [{ address, family }] = addresses;
  return (_host, { all }, callback) => {
    if (all === true) callback(null, [...addresses]);
    else callback(null, address, family);
  };
}

function responseTo(client: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    client.on("error", reject);
    client.once("response", resolve);
    // The only sign that Node gives of a change of protocol.
    client.once("close", () => {
      reject(new EffectUnknown("rejected", "the server answered with something else than HTTP"));
    });
    client.end(body);
  });
}

async function readAnswer(
  response: IncomingMessage,
  { method, url }: HttpCall,
  maxBytes: number,
): Promise<Answer> {
  const { statusCode: status = 0 } = response;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  const isBare =
    method === "HEAD" || [204, 304].includes(status) || locationOf(status, headers) !== undefined;
  if (isBare) return { status, headers, text: "" };
  try {
    return { status, headers, text: await readBody(response, maxBytes) };
  } catch (error) {
    throw new UnreadBody({ status, headers, url: url.href }, error);
  }
}

/** Headers that are for the origin they were meant for. */
const credentials = ["authorization", "cookie", "proxy-authorization"];

/** Headers that tell of a body. */
const ofBody = ["content-type", "content-encoding", "content-language"];

/** Where a response sends its reader: the text of its `Location`, or undefined for a response that is no redirect. */
export function locationOf(status: number, headers: HttpHeaders): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
}

/** Whether a request of this method changes nothing. */
function isRead(method: string): boolean {
  return ["GET", "HEAD"].includes(method);
}

/** The call after a redirect: only reads, never from https to http, no credentials for another origin. Throws "rejected" for others. */
export function redirectedCall(
  call: HttpCall,
  status: number,
  location: string,
  secretHeaders: readonly string[] = [],
): HttpCall {
  const url = readUrl(location, call.url.href);
  const to = `with status ${status} to ${shownUrl(url.href)}`;
  const { method, body, headers } = call;
  const reads = isRead(method);
  if (status !== 303 && (!reads || body !== undefined)) {
    const what = reads ? `${method} with a body` : method;
    throw new ClassifiedError(
      "rejected",
      `the server redirects ${to}, which is not followed for ${what}: the definition is to name that address, if it is right`,
    );
  }
  if (call.url.protocol === "https:" && url.protocol === "http:") {
    throw new ClassifiedError("rejected", `the server redirects ${to}, from https to http`);
  }
  const isSame = url.origin === call.url.origin;
  const dropped = [...ofBody, ...(isSame ? [] : [...credentials, ...secretHeaders])];
  return {
    method: method === "HEAD" ? "HEAD" : "GET",
    url,
    headers: withoutHeaders(headers, dropped),
  };
}

/** The body as UTF-8 text. Throws "rejected" if it is compressed or longer than `maxBytes`, before it is read where its length is known. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const { "content-encoding": encoding = "identity", "content-length": length } = response.headers;
  if (!["identity", ""].includes(encoding.trim().toLowerCase())) {
    throw new ClassifiedError(
      "rejected",
      `the response is encoded as ${JSON.stringify(encoding)}, though it was asked for as it is`,
    );
  }
  if (length !== undefined && Number(length) > maxBytes) throw tooLong(maxBytes, `${length} bytes`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const read: Buffer = chunk;
    bytes += read.length;
    if (bytes > maxBytes) throw tooLong(maxBytes, "longer");
    chunks.push(read);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLong(maxBytes: number, length: string): ClassifiedError {
  return new ClassifiedError(
    "rejected",
    `the response is ${length}; at most ${maxBytes} bytes are read (maxBytes)`,
  );
}
