import { defined } from "../../json/json.js";
import { redact } from "../../observe/redact.js";
import { ClassifiedError } from "../../run/errors.js";

/** Headers by lower-case name. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** One HTTP request to one address, in the form that is sent. */
export type HttpCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: HttpHeaders;
  readonly body?: string;
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

/** The first call of a request. Throws "rejected" for an address that may not be called. */
export function firstCall({ method, url, headers, body }: HttpRequest): HttpCall {
  return {
    method: method.toUpperCase(),
    url: readUrl(url),
    headers: withoutHeaders(headers, own),
    ...defined({ body }),
  };
}

/** The headers without the given ones, with lower-case names. */
export function withoutHeaders(headers: HttpHeaders, dropped: readonly string[]): HttpHeaders {
  const names = dropped.map((name) => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !names.includes(name)),
  );
}

/** The headers of a call in the form that is sent: with the length of the body, and without accepting compression. */
export function sentHeaders({ headers, body }: HttpCall): HttpHeaders {
  // Node sends no length for a GET or DELETE; the server would read its body as the next request.
  const length =
    body === undefined ? {} : { "content-length": String(Buffer.byteLength(body, "utf8")) };
  return { ...headers, "accept-encoding": "identity", ...length };
}

/** Returns the addresses of a host, as `dns.promises.lookup(host, { all: true })` does; tests pass their own. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

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
  /** The final address, after all redirects. */
  readonly url: string;
  /** Set when the response comes from a redirect after a change that the server may have made. */
  readonly isFollowUp?: true;
};

const maxShown = 150;

/** Parses an address to call, or a redirect's target. Throws "rejected" unless it is http(s) without a password. */
export function readUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new ClassifiedError("rejected", "this is no address");
  const url = new URL(text, base);
  if (!["http:", "https:"].includes(url.protocol)) {
    throw new ClassifiedError(
      "rejected",
      `only http and https are called, not ${JSON.stringify(url.protocol)}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ClassifiedError(
      "rejected",
      "an address with a user name or password is not called: put them into a header",
    );
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
