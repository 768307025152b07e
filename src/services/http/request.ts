import { defined } from "../../json/json.js";
import { redact } from "../../observe/redact.js";
import { ClassifiedError } from "../../run/errors.js";

/** Headers by their names in lower case. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** One request to one address, as it is sent. */
export type HttpCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: HttpHeaders;
  readonly body?: string;
};

/** Headers that this client sets itself: they follow from the address, the body and the connection. */
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

/** The first call of a request. Throws "rejected" for an address that is not called. */
export function firstCall({ method, url, headers, body }: HttpRequest): HttpCall {
  return {
    method: method.toUpperCase(),
    url: readUrl(url),
    headers: withoutHeaders(headers, own),
    ...defined({ body }),
  };
}

/** The headers without some, with their names in lower case. */
export function withoutHeaders(headers: HttpHeaders, dropped: readonly string[]): HttpHeaders {
  const names = dropped.map((name) => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !names.includes(name)),
  );
}

/** The headers of a call as they are sent: with the length of the body, and without a wish for compression. */
export function sentHeaders({ headers, body }: HttpCall): HttpHeaders {
  // Node tells no length for a GET or DELETE, and its body would be read as the next request.
  const length =
    body === undefined ? {} : { "content-length": String(Buffer.byteLength(body, "utf8")) };
  return { ...headers, "accept-encoding": "identity", ...length };
}

/** Gives the addresses of a host, as `dns.promises.lookup(host, { all: true })` does; a test hands in its own. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** A request as a service's definition and a call's arguments make it. */
export type HttpRequest = Omit<HttpCall, "url"> & { readonly url: string };

/** What a request may reach, and how much it may bring. */
export type HttpOptions = {
  /** Hosts that may be private: "rooms.internal", "127.0.0.1:8080" (host with port), "10.0.0.0/8", "[fd00::]/8" … */
  readonly allowHosts: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** A longer body is refused, in bytes. */
  readonly maxBytes: number;
  /** Ends the request at every stage, with its reason. */
  readonly signal: AbortSignal;
  /** Names of headers that carry credentials besides Authorization and Cookie. */
  readonly secretHeaders?: readonly string[];
};

/** What a server answered, whatever its status. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
  /** Where the answer came from, after all redirects. */
  readonly url: string;
  /** It was read where a server led to that was asked to change something, and may have done it. */
  readonly isFollowUp?: true;
};

const maxShown = 150;

/** Reads an address that is called, or where a redirect leads. Throws "rejected" for what is not http or https, or has a password in it. */
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
      "an address with a user name or password in it is not called: these belong into a header",
    );
  }
  return url;
}

/** An address as errors show it: without a user name, and without what its query holds. */
export function shownUrl(text: string): string {
  const [place = "", query] = text.replace(/#.*/s, "").split(/\?(.*)/s);
  const names = query?.split("&").map((field) => field.replace(/(=|^(?!.*=)).*/s, "$1[redacted]"));
  const bare = redact(place.replace(/^([^/]*\/\/)[^/]*@/, "$1"));
  const shown = names === undefined ? bare : `${bare}?${names.join("&")}`;
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown;
}
