import { isRecord } from "../plan/json.js";
import type { ErrorKind } from "../state/observation.js";
import { ClassifiedError, EffectUnknown } from "./classified-error.js";
import { statusOfBody } from "./error-body.js";

/** What failed, read from the error and the causes behind it. */
export type Failure = {
  readonly kind: ErrorKind;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;
  /** What was asked may have been done: a connection broke, a server or a gateway failed on the way, or no HTTP came. */
  readonly isEffectUnknown?: true;
};

const byStatus: { readonly [status: number]: ErrorKind } = {
  401: "unauthorized",
  402: "unauthorized",
  403: "unauthorized",
  408: "timeout",
  429: "rate_limited",
};

const byName: ReadonlyMap<unknown, ErrorKind> = new Map([
  ["TimeoutError", "timeout"],
  ["APIConnectionTimeoutError", "timeout"],
  ["AbortError", "cancelled"],
  ["APIUserAbortError", "cancelled"],
]);

const notReached: Failure = { kind: "unavailable" };
const unreadable: Failure = { kind: "rejected", isEffectUnknown: true };
const broken: Failure = { kind: "unavailable", isEffectUnknown: true };

const byCode: ReadonlyMap<unknown, Failure> = new Map([
  ["ECONNREFUSED", notReached],
  ["ENOTFOUND", notReached],
  ["EAI_AGAIN", notReached],
  ["EADDRNOTAVAIL", notReached],
  ["EHOSTUNREACH", notReached],
  ["ENETUNREACH", notReached],
  ["UND_ERR_CONNECT_TIMEOUT", notReached],
  ["ECONNRESET", broken],
  ["EPIPE", broken],
  ["ECONNABORTED", broken],
  ["ETIMEDOUT", broken],
  ["UND_ERR_SOCKET", broken],
]);

/** Statuses of a server that has not begun with what it was asked. */
const notBegun: ReadonlySet<number> = new Set([501, 503, 505, 529]);

/**
 * Sorts an error of a tool or of a model's client by who can do something about it. A time-out, a
 * refused connection and an HTTP status are recognised through `cause`; what carries no sign of its
 * nature is "internal" when it is a programming error and "rejected" otherwise.
 */
export function classifyError(error: unknown): Failure {
  try {
    const found = causesOf(error)
      .map(failureOf)
      .find((failure) => failure !== undefined);
    return found ?? { kind: isProgrammingError(error) ? "internal" : "rejected" };
  } catch {
    // A getter of the error's, or a proxy, throws: it says nothing of its nature.
    return { kind: "internal" };
  }
}

/** The error and the causes behind it, nearest first. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && causes.length < 8;) {
    causes.push(at);
    at = isRecord(at) || at instanceof Error ? Reflect.get(at, "cause") : undefined;
  }
  return causes;
}

function failureOf(error: unknown): Failure | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if (error instanceof EffectUnknown) return { kind: error.kind, isEffectUnknown: true };
  if (error instanceof ClassifiedError) return { kind: error.kind };
  const answered = statusFailure(error) ?? streamedError(error);
  if (answered !== undefined) return answered;
  const kind = byName.get(Reflect.get(error, "name"));
  return kind === undefined ? (networkFailure(error) ?? parserFailure(error)) : { kind };
}

function statusFailure(error: object): Failure | undefined {
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const retryAfterMs = retryAfterOf(error);
  return {
    kind: exhaustedQuota(error) ? "unauthorized" : kindOfStatus(status),
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status >= 500 && !notBegun.has(status) ? { isEffectUnknown: true } : {}),
  };
}

/** An error in a stream that had begun well: OpenAI's client has its body, and no status for it. */
function streamedError(error: object): Failure | undefined {
  const body: unknown = Reflect.get(error, "error");
  const isStreamed = "requestID" in error && (isRecord(body) || typeof body === "string");
  if (!isStreamed) return undefined;
  const status = statusOfBody(body);
  return { kind: exhaustedQuota(error) ? "unauthorized" : kindOfStatus(status), status };
}

function statusOf(error: object): number | undefined {
  const response: unknown = Reflect.get(error, "response");
  const candidates: unknown[] = [
    Reflect.get(error, "status"),
    Reflect.get(error, "statusCode"),
    isRecord(response) ? response["status"] : undefined,
  ];
  return candidates.find(
    (status): status is number => typeof status === "number" && status >= 400 && status < 600,
  );
}

function kindOfStatus(status: number): ErrorKind {
  return byStatus[status] ?? (status >= 500 ? "unavailable" : "rejected");
}

function exhaustedQuota(error: object): boolean {
  const body: unknown = Reflect.get(error, "error");
  const code: unknown = Reflect.get(error, "code") ?? (isRecord(body) ? body["code"] : undefined);
  return code === "insufficient_quota";
}

function networkFailure(error: object): Failure | undefined {
  const known = byCode.get(Reflect.get(error, "code"));
  const message: unknown = Reflect.get(error, "message");
  if (known !== undefined || message === "terminated") return known ?? broken;
  if (Reflect.get(error, "name") !== "APIConnectionError" && message !== "fetch failed") {
    return undefined;
  }
  // Why it failed is told by its cause, where there is one.
  const cause: unknown = Reflect.get(error, "cause");
  const isKnown = typeof cause === "object" && cause !== null;
  return (isKnown ? networkFailure(cause) : undefined) ?? broken;
}

/** An answer came that is no HTTP, by Node's parser. */
function parserFailure(error: object): Failure | undefined {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" && code.startsWith("HPE_") ? unreadable : undefined;
}

function isProgrammingError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError;
}

/** Reads `Retry-After` (seconds or a date) and `retry-after-ms` from the error's response headers. */
function retryAfterOf(error: object): number | undefined {
  const headers = headersOf(error);
  const ms = amountIn(headers("retry-after-ms"));
  if (ms !== undefined) return ms;
  const text = headers("retry-after");
  if (text === undefined) return undefined;
  const seconds = amountIn(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** A plain number of 0 or more. */
function amountIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function headersOf(error: object): (name: string) => string | undefined {
  const response: unknown = Reflect.get(error, "response");
  const headers: unknown =
    Reflect.get(error, "headers") ?? (isRecord(response) ? response["headers"] : undefined);
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const value = isRecord(headers) ? headers[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
}
