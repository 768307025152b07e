import { GraphBubbleUp, isGraphBubbleUp } from "@langchain/langgraph";
import type { z } from "zod";

import { defined, isRecord } from "../json/json.js";
import { closeName, nearestFirst } from "../plan/nearest.js";
import type { ErrorKind } from "../state/observation.js";

/** What failed, from an error and its causes. */
export type Failure = {
  readonly kind: ErrorKind;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;
  /** The effect is unknown: a connection broke, a server or gateway failed on the way, or the response was not HTTP. */
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

/** Statuses of a server that has not started the work. */
const notBegun: ReadonlySet<number> = new Set([501, 503, 505, 529]);

/**
 * Classifies an error of a tool or a model's client by who can repair it. A time-out, a refused connection and an HTTP
 * status are also found in `cause`; without such a sign it is "internal" for a programming error, else "rejected".
 */
export function classifyError(error: unknown): Failure {
  try {
    const found = causesOf(error)
      .map(failureOf)
      .find((failure) => failure !== undefined);
    return found ?? { kind: isProgrammingError(error) ? "internal" : "rejected" };
  } catch {
    // A getter or a proxy throws.
    return { kind: "internal" };
  }
}

/** The error and its causes, nearest first. */
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
    ...defined({ retryAfterMs }),
    ...(status >= 500 && !notBegun.has(status) ? { isEffectUnknown: true } : {}),
  };
}

/** An error in a stream that began well: OpenAI's client has its body, but no status. */
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
  // The cause says why, if there is one.
  const cause: unknown = Reflect.get(error, "cause");
  const isKnown = typeof cause === "object" && cause !== null;
  return (isKnown ? networkFailure(cause) : undefined) ?? broken;
}

/** Node's parser reports a response that is not HTTP. */
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

/** An error that knows its kind. */
export class ClassifiedError extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
  }
}

/** An error of a call that would fail again. */
export function rejected(message: string): ClassifiedError {
  return new ClassifiedError("rejected", message);
}

/** An error after a call began to act: it may have taken effect. */
export class EffectUnknown extends ClassifiedError {}

/** LangGraph's control flow by name: a tool may use another copy of LangGraph than ours. */
const controlFlowNames: ReadonlySet<unknown> = new Set([
  "GraphInterrupt",
  "NodeInterrupt",
  "GraphDrained",
  "ParentCommand",
]);

/**
 * Whether LangGraph threw this to pause or to continue elsewhere. Its own check accepts anything with a field
 * `is_bubble_up`, and fails on a thrown `null`; a run would end without an outcome.
 */
export function isControlFlow(error: unknown): boolean {
  try {
    if (error instanceof GraphBubbleUp) return true;
    return error instanceof Error && isGraphBubbleUp(error) && controlFlowNames.has(error.name);
  } catch {
    // A proxy, or a getter that throws.
    return false;
  }
}

/** HTTP statuses by the names that servers give their errors, specific names first. */
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

/** Words of errors without a name that no second attempt helps. */
const tooLong = /context.{0,20}(length|size|window)|maximum context|too many tokens/i;

/**
 * The HTTP status of an error that came without one, inside a response with status 200 or in its stream: from its own
 * code, its name, or its words; else 500, because the server took the request and then failed.
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

/**
 * The issues of a zod schema, a line per field with its path from `root`; with `names`, suggestions for unknown fields.
 */
export function issueLines(
  issues: readonly z.core.$ZodIssue[],
  root?: string,
  names: readonly string[] = [],
): string[] {
  return issues.flatMap((issue) => {
    const path = [...(root === undefined ? [] : [root]), ...issue.path].map(String);
    // For unknown fields zod only describes the object around them.
    return issue.code === "unrecognized_keys"
      ? issue.keys.map(
          (key) => `${[...path, key].join(".")}: there is no such field${hintAt(key, names)}`,
        )
      : [[path.join("."), issue.message].filter((part) => part !== "").join(": ")];
  });
}

function hintAt(key: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  if (names.includes(key)) return " here; it belongs to another object";
  const meant = closeName(key, names);
  const known = nearestFirst(key, names).join(", ");
  return meant === undefined ? `, only ${known}` : ` (did you mean ${meant}?)`;
}
