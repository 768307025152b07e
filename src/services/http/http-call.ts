import type { HttpRequest } from "./http-request.js";
import { readUrl } from "./request-url.js";

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
    ...(body === undefined ? {} : { body }),
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
