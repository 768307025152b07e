import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";

import { errorLine, redact } from "../../observe/redact.js";
import { ClassifiedError, classifyError, EffectUnknown, rejected } from "../../run/errors.js";
import { openCallSignal, untilAborted } from "../../run/signals.js";
import {
  type AllowedHost,
  checkedAddresses,
  type CheckedAddresses,
  placeOf,
  readAllowHosts,
  type Resolve,
} from "./allow-hosts.js";
import { readBody } from "./response-body.js";

const maxRedirects = 5;

/**
 * Sends a request to a public address, or to one that `allowHosts` names, and returns the response, with any status.
 * Every address is checked before the connection, and again after each redirect; up to five redirects are followed.
 * Throws the signal's reason when it aborts; a `ClassifiedError` of kind "rejected" for an address that is not allowed
 * and for a response that is too long or in an unknown compression; an `EffectUnknown` when a server redirects a change and the target
 * does not answer; and an error with its cause when there is no response. No message contains query values.
 */
export async function guardedRequest(
  request: HttpRequest,
  options: HttpOptions,
): Promise<HttpResponse> {
  const allowed = readAllowHosts(options.allowHosts);
  let at = request.url;
  let hasActed = false;
  try {
    let call: HttpCall = {
      ...request,
      method: request.method.toUpperCase(),
      url: readUrl(request.url),
      headers: withoutHeaders(request.headers, own),
    };
    for (let redirects = 0; ; redirects += 1) {
      const answer = await answerTo(call, allowed, options);
      const location = locationOf(answer.status, answer.headers);
      if (location === undefined) {
        return { ...answer, url: call.url.href, ...(hasActed ? { isFollowUp: true } : {}) };
      }
      hasActed ||= pointsElsewhere(call, answer.status);
      if (redirects === maxRedirects) {
        throw rejected(`more than ${maxRedirects} redirects`);
      }
      call = redirectedCall(call, answer.status, location, options.secretHeaders);
      at = call.url.href;
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw requestFailure(error, request, at, hasActed);
  }
}

/** Whether a redirect is the usual reply to a completed change; it leads to the result. */
function pointsElsewhere({ method }: HttpCall, status: number): boolean {
  return [302, 303].includes(status) && !isRead(method);
}

/** Checks a call's address, sends it and reads the response, not a redirect's body; then the connection is closed. */
async function answerTo(
  call: HttpCall,
  allowed: readonly AllowedHost[],
  { resolve, maxBytes, signal: signalOfRequest }: HttpOptions,
): Promise<Answer> {
  const { signal, close } = openCallSignal(signalOfRequest, Infinity);
  try {
    const check = () => checkedAddresses(call.url, allowed, resolve);
    const client = connect(call, await untilAborted(check, signal));
    const read = async () => readAnswer(await responseTo(client, call.body), call, maxBytes);
    return await untilAborted(read, signal).finally(() => client.destroy());
  } finally {
    close();
  }
}

/** The error with the request's address. Its kind stays, unless the request may have taken effect. */
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
    // A change that may have taken effect was not rejected.
    const isRefused = kind === "rejected" && !isRead(method);
    return new EffectUnknown(isRefused ? "internal" : kind, message, { cause: error });
  }
  return error instanceof ClassifiedError
    ? new ClassifiedError(error.kind, message, { cause: error })
    : new Error(message, { cause: error });
}

/** When several addresses were tried, the error of each. */
function reasonOf(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((each) => errorLine(each, 800)).join("; ");
}

/** The response of one server to one call. */
type Answer = Pick<HttpResponse, "status" | "headers" | "text" | "bytes">;

/** A server answered, but the body of its response cannot be read. */
export class UnreadBody extends ClassifiedError {
  readonly answer: Omit<HttpResponse, "text" | "bytes">;

  constructor(answer: UnreadBody["answer"], cause: unknown) {
    super(classifyError(cause).kind, errorLine(cause, 800), { cause });
    this.answer = answer;
  }
}

function connect(call: HttpCall, addresses: CheckedAddresses): ClientRequest {
  const { method, url } = call;
  const { host } = placeOf(url);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const client = request(url, {
    method,
    headers: sentHeaders(call),
    // Not the agent of the process: that one may keep connections open, or use a proxy.
    agent: false,
    lookup: pinned(addresses),
    // The certificate is checked against the name, not the address.
    servername: isIP(host) === 0 ? host : "",
  });
  // A late error without a listener would end the process.
  return client.on("error", () => {});
}

/** Replaces Node's own second look-up, which may return an address that was not checked. */
function pinned(addresses: CheckedAddresses): LookupFunction {
  const [{ address, family }] = addresses;
  return (_host, { all }, callback) => {
    if (all === true) callback(null, [...addresses]);
    else callback(null, address, family);
  };
}

function responseTo(client: ClientRequest, body: HttpCall["body"]): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    client.on("error", reject);
    client.once("response", resolve);
    // Node gives no other sign of a protocol change.
    client.once("close", () => {
      reject(new EffectUnknown("rejected", "the server answered with something other than HTTP"));
    });
    // As bytes: Node writes the headers in the encoding of a text that follows them, and they are Latin-1.
    client.end(typeof body === "string" ? Buffer.from(body, "utf8") : body);
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
    return { status, headers, ...(await readBody(response, maxBytes)) };
  } catch (error) {
    throw new UnreadBody({ status, headers, url: url.href }, error);
  }
}

/** Headers that may go only to their original origin. */
const credentials = ["authorization", "cookie", "proxy-authorization"];

/** Headers that describe a body. */
const ofBody = ["content-type", "content-encoding", "content-language"];

/** The `Location` of a redirect; undefined for any other response. */
export function locationOf(status: number, headers: HttpHeaders): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
}

/** Whether a request with this method changes nothing. */
function isRead(method: string): boolean {
  return ["GET", "HEAD"].includes(method);
}

/** The call after a redirect, without credentials for a new origin. Throws "rejected" for changes and https to http. */
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
    throw rejected(
      `the server redirects ${to}, which is not followed for ${what}: if that address is right, the definition must name it`,
    );
  }
  if (call.url.protocol === "https:" && url.protocol === "http:") {
    throw rejected(`the server redirects ${to}, from https to http`);
  }
  const isSame = url.origin === call.url.origin;
  const dropped = [...ofBody, ...(isSame ? [] : [...credentials, ...secretHeaders])];
  return {
    method: method === "HEAD" ? "HEAD" : "GET",
    url,
    headers: withoutHeaders(headers, dropped),
  };
}

/** Headers by lower-case name. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** One HTTP request to one address, in the form that is sent. */
export type HttpCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: HttpHeaders;
  readonly body?: string | Uint8Array;
};

/** Headers that this client sets itself, from the address, the body and the connection. */
const own = [
  "host",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
  "expect",
];

/** The headers without the given ones, with lower-case names. */
function withoutHeaders(headers: HttpHeaders, dropped: readonly string[]): HttpHeaders {
  const names = dropped.map((name) => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !names.includes(name)),
  );
}

/** The headers of a call in the form that is sent: with the length of the body, and without accepting compression. */
function sentHeaders({ headers, body }: HttpCall): HttpHeaders {
  // Node sends no length for a GET or DELETE; the server would read its body as the next request.
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return { ...headers, "accept-encoding": "identity", ...length };
}

/** A request built from a service's definition and a call's arguments. */
export type HttpRequest = Omit<HttpCall, "url"> & { readonly url: string };

/** The limits of a request: the hosts that it may reach, and the size of the response. */
export type HttpOptions = {
  /** Hosts that may be private: "rooms.internal", "127.0.0.1:8080" (host with port), "10.0.0.0/8", "[fd00::]/8" … */
  readonly allowHosts: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** The longest body that is accepted, in bytes. */
  readonly maxBytes: number;
  /** Ends the request at every stage, with the signal's reason. */
  readonly signal: AbortSignal;
  /** Names of headers that carry credentials besides Authorization and Cookie. */
  readonly secretHeaders?: readonly string[];
};

/** The response of a server, with any status. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
  /** The body if it is no text; `text` is empty then. */
  readonly bytes?: Uint8Array;
  /** The final address, after all redirects. */
  readonly url: string;
  /** Set when the response comes from a redirect after a change that the server may have made. */
  readonly isFollowUp?: true;
};

const maxShown = 150;

/** Parses an address to call, or a redirect's target. Throws "rejected" unless it is http(s) without a password. */
export function readUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw rejected("this is no address");
  const url = new URL(text, base);
  if (!["http:", "https:"].includes(url.protocol)) {
    throw rejected(`only http and https are called, not ${JSON.stringify(url.protocol)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw rejected("an address with a user name or password is not called: put them into a header");
  }
  return url;
}

/** An address for error messages: without its user name and its query values. */
export function shownUrl(text: string): string {
  const [place = "", query] = text.replace(/#.*/s, "").split(/\?(.*)/s);
  const names = query?.split("&").map((field) => field.replace(/(=|^(?!.*=)).*/s, "$1[redacted]"));
  const bare = redact(place.replace(/^([^/]*\/\/)[^/]*@/, "$1"));
  const shown = names === undefined ? bare : `${bare}?${names.join("&")}`;
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown;
}
