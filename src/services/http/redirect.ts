import { ClassifiedError } from "../../run/errors.js";
import { type HttpCall, type HttpHeaders, withoutHeaders } from "./http-call.js";
import { readUrl, shownUrl } from "./request-url.js";

/** Headers that are for the origin they were meant for. */
const credentials = ["authorization", "cookie", "proxy-authorization"];

/** Headers that tell of a body. */
const ofBody = ["content-type", "content-encoding", "content-language"];

/** Where a response sends its reader: the text of its `Location`, or undefined for a response that is no redirect. */
export function locationOf(status: number, headers: HttpHeaders): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
}

/** Whether a request of this method changes nothing. */
export function isRead(method: string): boolean {
  return ["GET", "HEAD"].includes(method);
}

/**
 * The call that follows a redirect. Only what reads is sent again, and never from https to http; another
 * origin gets no credentials. Throws "rejected" for a redirect that is not followed.
 */
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
