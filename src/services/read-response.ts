import { parseExact } from "../json/exact-json.js";
import { isJsonObject, isRecord, isTooDeep, type Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import type { ErrorKind } from "../state/observation.js";
import type { Service } from "./definition.js";
import type { HttpResponse } from "./http/request.js";
import { meets, valueAt } from "./values.js";

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
  const message = messageIn(service, body) ?? service.error?.text;
  return message !== undefined && isRefusal(service, response, body)
    ? new ClassifiedError("rejected", message)
    : new StatusError(response, message ?? response.unread?.message);
}

/** Whether a service refused what it was asked, and not who asks, how often or when. */
function isRefusal({ error }: Service, { status }: ServiceResponse, body: Json): boolean {
  // A message where the definition has it is the service's own, whatever the status.
  const isDeclared = error?.path !== undefined && messageAt(body, error.path) !== undefined;
  return status >= 400 && !technical.has(status) && (status < 500 || isDeclared);
}

/** A response's body: data where it is JSON, else its text; `null` where it is empty, nothing where it says that it is JSON and is none. */
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

/** What stands for a body that should be data and is none: a page is mostly that of a gateway whose service is away. */
function noData({ headers, text, url }: HttpResponse): ClassifiedError {
  const type = headers["content-type"] ?? "no content type";
  const isPage = /html/i.test(type) || isMarkup(text);
  const came = text.trim() === "" ? "nothing" : `${type}: ${beginning(text)}`;
  const message = `expected JSON from ${new URL(url).host}, got ${came}`;
  return new ClassifiedError(isPage ? "unavailable" : "rejected", message);
}

/** Whether a text is a page, and not for a reader. */
function isMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|\?xml)/i.test(text);
}

/** The first words of a text, on one line. */
function beginning(text: string): string {
  const line = text.slice(0, 1_000).trim().replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

/** Where services that say nothing of it mostly have their message. */
const usualPlaces = [
  "message",
  "error.message",
  "error",
  "detail",
  "msg",
  "title",
  "errors[0].message",
  "errors",
];

/** The longest message of a service that a model gets, in characters. */
const maxMessageChars = 600;

/** What a service says of its refusal: where its definition has the message, or where services mostly have it, or as a text. */
function messageIn({ error }: Pick<Service, "error">, body: Json): string | undefined {
  if (typeof body === "string") return isMarkup(body) ? undefined : messageOf(body);
  if (!isRecord(body)) return undefined;
  const places = error?.path === undefined ? usualPlaces : [error.path, ...usualPlaces];
  return places.map((place) => messageAt(body, place)).find((text) => text !== undefined);
}

/** The text at a place, at most 600 characters of it; nothing where there is none. */
function messageAt(body: Json, place: string): string | undefined {
  return messageOf(valueAt(body, place) ?? "");
}

function messageOf(value: Json): string | undefined {
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  // What is no text for a reader says nothing to a model either.
  if (text === "" || /\uFFFD|(?![\t\r\n])\p{Cc}/u.test(text)) return undefined;
  return text.length > maxMessageChars ? `${text.slice(0, maxMessageChars)}…` : text;
}

/** A status that says that a service did not do what it was asked, with what it tells: sorted by it, `Retry-After` included. */
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
