import { meets } from "../json/condition.js";
import { parseExact } from "../json/exact-json.js";
import { isJsonObject, isTooDeep, type Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import type { ErrorKind } from "../state/observation.js";
import { binaryName } from "./binary-content.js";
import type { Service } from "./definition.js";
import type { HttpResponse } from "./http/guarded-request.js";
import { pickFields } from "./pick-fields.js";
import { hasMessageAt, isMarkup, refusalText } from "./refusal-text.js";
import { valueAt } from "./values.js";

/** Statuses about the caller, the rate or the time, whatever the body says. */
const technical: ReadonlySet<number> = new Set([401, 402, 403, 408, 429, 502, 503, 504]);

/** The response of a service; if the body could not be read, the reason instead of the text. */
export type ServiceResponse = HttpResponse & { readonly unread?: ClassifiedError };

/** A service replied with a success status, but the data that the definition selects cannot be read. */
export class UnreadableAnswer extends ClassifiedError {
  /** Whether the service did what the request asks; false if nothing confirms its success either. */
  readonly isDone: boolean;

  constructor(problem: string, kind: ErrorKind = "rejected", isDone = true) {
    super(kind, problem);
    this.isDone = isDone;
  }
}

/**
 * Reads the data of a response. Throws `rejected` with the service's own message when it refused the request, a
 * `StatusError` when the service could not be used, and an `UnreadableAnswer` when the status is a success but the data
 * cannot be found.
 */
export function readResponse(service: Service, response: ServiceResponse): Json {
  const body = response.unread === undefined ? readBody(response) : undefined;
  if (response.status < 200 || response.status > 299)
    throw refusal(service, response, body ?? null);
  if (body === undefined || (needsData(service) && !isComposed(body)))
    throw unreadable(service, response);
  const refused = refusedIn(service, body);
  if (refused !== undefined) throw new ClassifiedError("rejected", refused);
  return selectedIn(service, body);
}

/** The part of a response that a definition selects. */
function selectedIn(service: Service, body: Json): Json {
  const { data, fields } = service;
  const part = data === undefined ? body : partOf(body, data, service);
  return fields === undefined ? part : fieldsOf(part, fields);
}

/** Whether a definition can select from it. */
function isComposed(body: Json): boolean {
  return typeof body === "object" && body !== null;
}

/** A success that cannot be checked counts as none; so does a gateway's page or a truncated response. */
function unreadable({ success }: Service, response: ServiceResponse): UnreadableAnswer {
  const { kind, message } = response.unread ?? noData(response);
  return new UnreadableAnswer(message, kind, success === undefined && kind !== "unavailable");
}

/** The refusal in a 2xx response that is not a success. */
function refusedIn(service: Service, body: Json): string | undefined {
  const { success, error } = service;
  if (success === undefined || meets(valueAt(body, success.path), success)) return undefined;
  return refusalText(body, error?.path) ?? error?.text ?? unmet(success.path, body);
}

/** Whether a definition selects from the response. */
function needsData({ success, data, fields, result }: Service): boolean {
  const isShown = typeof result === "object" && result.to === "render";
  return [success, data, fields].some((each) => each !== undefined) || isShown;
}

function partOf(body: Json, path: string, { success }: Service): Json {
  const data = valueAt(body, path);
  if (data !== undefined) return data;
  if (success !== undefined && isVoid(body, path)) return null;
  const came = beginning(JSON.stringify(body));
  throw new UnreadableAnswer(`the response has nothing at "${path}": ${came}`);
}

function fieldsOf(part: Json, fields: readonly string[]): Json {
  const picked = pickFields(part, fields);
  if (picked !== undefined) return picked;
  const came = beginning(JSON.stringify(part));
  throw new UnreadableAnswer(`the response has none of the fields ${fields.join(", ")}: ${came}`);
}

/** Whether a response has no data at all: only a code and the like, with the place of the data missing or `null`. */
function isVoid(body: Json, path: string): boolean {
  const [root = ""] = path.split(/[.[]/, 1);
  if (!isJsonObject(body) || (root in body && body[root] !== null)) return false;
  return Object.values(body).every((value) => typeof value !== "object" || value === null);
}

function unmet(path: string, body: Json): string {
  const value = valueAt(body, path);
  const came = value === undefined ? "nothing" : beginning(JSON.stringify(value));
  return `the service refused: its response has ${came} at "${path}".`;
}

function refusal(service: Service, response: ServiceResponse, body: Json): Error {
  const message = refusalText(body, service.error?.path) ?? service.error?.text;
  return message !== undefined && isRefusal(service, response, body)
    ? new ClassifiedError("rejected", message)
    : new StatusError(response, message ?? response.unread?.message);
}

/** Whether a service refused the request itself, and not the caller, the rate or the time. */
function isRefusal({ error }: Service, { status }: ServiceResponse, body: Json): boolean {
  // A message at the definition's place is the service's own, with any status.
  const isDeclared = error?.path !== undefined && hasMessageAt(body, error.path);
  return status >= 400 && !technical.has(status) && (status < 500 || isDeclared);
}

/** A response's body: JSON, otherwise text; `null` if empty, undefined if it is declared as JSON and is not. */
function readBody({ text, headers }: HttpResponse): Json | undefined {
  if (text.trim() === "") return null;
  const isSaid = /\bjson\b/i.test(headers["content-type"] ?? "");
  const value = isSaid || /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return value === undefined && !isSaid ? text : value;
}

function parsed(text: string): Json | undefined {
  try {
    const value = parseExact(text.replace(/^\uFEFF/, ""));
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The error for a body that is not the expected data: a page usually comes from a gateway whose service is down. */
function noData({ headers, text, bytes, url }: HttpResponse): ClassifiedError {
  const host = new URL(url).host;
  if (bytes !== undefined) {
    const came = binaryName({ headers, bytes });
    return new ClassifiedError("rejected", `expected JSON from ${host}, got ${came}`);
  }
  const type = headers["content-type"] ?? "no content type";
  const isPage = /html/i.test(type) || isMarkup(text);
  const came = text.trim() === "" ? "nothing" : `${type}: ${beginning(text)}`;
  const message = `expected JSON from ${host}, got ${came}`;
  return new ClassifiedError(isPage ? "unavailable" : "rejected", message);
}

/** The first words of a text, on one line. */
function beginning(text: string): string {
  const line = text.slice(0, 1_000).trim().replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

/** The error for a failure status, with the service's message, classified by the status, `Retry-After` included. */
class StatusError extends Error {
  readonly status: number;
  readonly headers: HttpResponse["headers"];

  constructor({ status, headers }: HttpResponse, message: string | undefined) {
    super(
      `the service answered with status ${status}${message === undefined ? "." : `: ${message}`}`,
    );
    this.name = "StatusError";
    this.status = status;
    this.headers = headers;
  }
}
