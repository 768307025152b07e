import { isJsonObject, type Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import type { ErrorKind } from "../state/observation.js";
import type { Service } from "./definition.js";
import type { HttpResponse } from "./http/http-request.js";
import { meets } from "./meets.js";
import { beginning, noData, readBody } from "./read-body.js";
import { messageAt, messageIn } from "./service-message.js";
import { StatusError } from "./status-error.js";
import { valueAt } from "./value-at.js";

/** Statuses that are of who calls, how often and when, whatever the service says beside them. */
const technical: ReadonlySet<number> = new Set([401, 402, 403, 408, 429, 502, 503, 504]);

/** What a service answered; without its text where the body could not be read, and why. */
export type ServiceResponse = HttpResponse & { readonly unread?: ClassifiedError };

/** A service answered with a status of success, and what the definition takes from its answer cannot be read. */
export class UnreadableAnswer extends ClassifiedError {
  /** Whether the service did what it was asked: nothing says so where its success cannot be checked either. */
  readonly isDone: boolean;

  constructor(problem: string, kind: ErrorKind = "rejected", isDone = true) {
    super(kind, problem);
    this.isDone = isDone;
  }
}

/**
 * What a service answered: its data. Throws what stands for a refusal: `rejected` with the service's own message
 * where it refused what was asked, a `StatusError` where it could not be reached as it should; and an
 * `UnreadableAnswer` where its status is one of success, and its data cannot be found.
 */
export function readResponse(service: Service, response: ServiceResponse): Json {
  const body = response.unread === undefined ? readBody(response) : undefined;
  if (response.status < 200 || response.status > 299)
    throw refusal(service, response, body ?? null);
  if (body === undefined || (needsData(service) && !isComposed(body)))
    throw unreadable(service, response);
  const refused = refusedIn(service, body);
  if (refused !== undefined) throw new ClassifiedError("rejected", refused);
  return service.data === undefined ? body : partOf(body, service.data, service);
}

/** Whether a definition can look into it. */
function isComposed(body: Json): boolean {
  return typeof body === "object" && body !== null;
}

/** A success that nobody can check is none, and neither is a page that a gateway shows or an answer that broke off. */
function unreadable({ success }: Service, response: ServiceResponse): UnreadableAnswer {
  const { kind, message } = response.unread ?? noData(response);
  return new UnreadableAnswer(message, kind, success === undefined && kind !== "unavailable");
}

/** What a response of status 2xx refuses with, where it is none of success. */
function refusedIn(service: Service, body: Json): string | undefined {
  const { success, error } = service;
  if (success === undefined || meets(valueAt(body, success.path), success)) return undefined;
  return messageIn(service, body) ?? error?.text ?? unmet(success.path, body);
}

/** Whether a definition looks into the response. */
function needsData({ success, data, result }: Service): boolean {
  const isShown = typeof result === "object" && result.to === "render";
  return success !== undefined || data !== undefined || isShown;
}

function partOf(body: Json, path: string, { success }: Service): Json {
  const data = valueAt(body, path);
  if (data !== undefined) return data;
  if (success !== undefined && isVoid(body, path)) return null;
  const came = beginning(JSON.stringify(body));
  throw new UnreadableAnswer(`the response has nothing at "${path}": ${came}`);
}

/** Whether a response has no data at all: nothing but a code and the like, and where the data would be nothing or `null`. */
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
  const told = messageIn(service, body) ?? service.error?.text;
  return told !== undefined && isRefusal(service, response, body)
    ? new ClassifiedError("rejected", told)
    : new StatusError(response, told ?? response.unread?.message);
}

/** Whether a service refused what it was asked, and not who asks, how often or when. */
function isRefusal({ error }: Service, { status }: ServiceResponse, body: Json): boolean {
  // A message where the definition has it is the service's own, whatever the status.
  const isDeclared = error?.path !== undefined && messageAt(body, error.path) !== undefined;
  return status >= 400 && !technical.has(status) && (status < 500 || isDeclared);
}
