import { isRecord } from "../plan/json.js";

/** Statuses of the names that servers give their errors, the more specific names first. */
const named: readonly (readonly [pattern: RegExp, status: number])[] = [
  [/context_length|string_above_max/, 400],
  [/insufficient_quota|billing|credit/, 402],
  [/rate_limit|too_many|throttl/, 429],
  [/auth|api_key/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/timeout|timed_out/, 408],
  [/overloaded|unavailable/, 503],
  [/content_filter|invalid|bad_request|unsupported/, 400],
];

/** Words of errors that name themselves in no other way, and that no second attempt helps. */
const tooLong = /context.{0,20}(length|size|window)|maximum context|too many tokens/i;

/**
 * The HTTP status that an error has which came without one, inside an answer with status 200 or in its stream: by
 * its own code, its name, or its words. A server that took the request and then fails without saying more has failed
 * by itself: 500.
 */
export function statusOfBody(error: unknown): number {
  const { code, status, type, message } = isRecord(error) ? error : { message: error };
  const own = [code, status].map(Number).find((each) => each >= 400 && each < 600);
  if (own !== undefined) return own;
  const names = [code, type, status].map((each) => (typeof each === "string" ? each : ""));
  const name = names.join(" ").toLowerCase();
  const known = named.find(([pattern]) => pattern.test(name));
  if (known !== undefined) return known[1];
  return typeof message === "string" && tooLong.test(message) ? 400 : 500;
}
