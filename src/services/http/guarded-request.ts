import { errorLine } from "../../observe/redact.js";
import { ClassifiedError, classifyError, EffectUnknown } from "../../run/errors.js";
import { openCallSignal, untilAborted } from "../../run/signals.js";
import { type AllowedHost, readAllowHosts } from "./allow-hosts.js";
import { checkedAddresses } from "./checked-addresses.js";
import { type Answer, exchange } from "./exchange.js";
import { firstCall, type HttpCall } from "./http-call.js";
import type { HttpOptions, HttpRequest, HttpResponse } from "./http-request.js";
import { isRead, locationOf, redirectedCall } from "./redirect.js";
import { shownUrl } from "./request-url.js";

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
    throw told(error, request, at, hasActed);
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
function told(error: unknown, { method, url }: HttpRequest, at: string, hasActed: boolean): Error {
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
