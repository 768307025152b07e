import type { JsonObject } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { type Credentials, withCookies } from "./credentials.js";
import { isToken, type Service } from "./definition.js";
import type { HttpRequest } from "./http/guarded-request.js";
import { placeArguments, type Placed } from "./place-arguments.js";
import { fileReader, type ReadFile } from "./sent-file.js";
import { listed } from "./values.js";
import { writeArguments, writeBody } from "./write-body.js";
import { writeText } from "./write-fields.js";
import { leavesFolder, writePath } from "./write-path.js";

/** Builds a call's request with its credentials; `readFile` reads its files. Throws `invalid_arguments` for values that their place cannot hold. */
export function buildRequest(
  service: Service,
  args: JsonObject,
  credentials: Credentials,
  readFile: ReadFile = fileReader(),
): HttpRequest {
  const { method, headers: fixed = {} } = service.request;
  checkNames(service, args);
  const placed = placeArguments(service, args);
  const body = writeBody(service, placed, readFile);
  const named = { ...lowerCased(fixed), ...Object.fromEntries(placed.flatMap(headerOf)) };
  const open = withCookies(named, cookiesOf(placed, named, credentials));
  return {
    method,
    url: urlOf(service, placed, credentials),
    headers: {
      accept: "application/json, text/*;q=0.9, */*;q=0.5",
      ...(body === undefined ? {} : { "content-type": body.type }),
      ...withCookies(open, credentials.headers),
      ...(body?.isTypeFixed === true ? { "content-type": body.type } : {}),
    },
    ...(body === undefined ? {} : { body: body.content }),
  };
}

/** An argument that the definition does not list is not sent: it could replace a fixed value. */
function checkNames({ parameters }: Service, args: JsonObject): void {
  if (takesMore(parameters)) return;
  const known = Object.keys(propertiesOf(parameters));
  const unknown = Object.keys(args).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw unfit(`there is no parameter ${unknown.join(", ")}; the parameters are: ${listed(known)}.`);
}

function urlOf({ request }: Service, placed: readonly Placed[], credentials: Credentials): string {
  const inPath = new Map(
    placed.flatMap((each) => (each.where === "path" ? [[each.parameter, each] as const] : [])),
  );
  const filled = request.url.replaceAll(/\{([^{}]*)\}/g, (_, parameter: string) =>
    writePath(inPath.get(parameter), parameter),
  );
  const url = new URL(filled);
  const { pathname } = new URL(request.url.replaceAll(/\{[^{}]*\}/g, "x"));
  const isLonger = url.pathname.split("/").length !== pathname.split("/").length;
  // Harmless values may leave the folder together, or with a dot before them.
  if (isLonger || leavesFolder(url.pathname)) {
    throw unfit("the values in the address change its path.");
  }
  const fixed = Object.entries({ ...request.query, ...credentials.query });
  for (const [name, value] of fixed) url.searchParams.append(name, String(value));
  const taken = new Set(url.searchParams.keys());
  const inQuery = placed.filter(({ where }) => where === "query");
  for (const { name, text } of writeArguments(inQuery, taken)) url.searchParams.append(name, text);
  return url.href;
}

function headerOf({ where, name, value, list }: Placed): (readonly [string, string])[] {
  if (where !== "header") return [];
  const text = writeText(value, list);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return [[name.toLowerCase(), text]];
  throw unfit(`"${name}" is sent as a header: expected one line of plain characters.`);
}

/** The cookies among the arguments, as a header. Values are encoded: none ends its cookie, or begins another one. */
function cookiesOf(
  placed: readonly Placed[],
  { cookie: fixed = "" }: Readonly<Record<string, string>>,
  { headers: { cookie: secret = "" } }: Credentials,
): Record<string, string> {
  const inCookies = placed.filter(({ where }) => where === "cookie");
  const taken = new Set(
    `${fixed};${secret}`.split(";").map((each) => (each.split("=", 1)[0] ?? "").trim()),
  );
  const cookies = writeArguments(inCookies, taken).map(({ name, text }) => {
    if (isToken(name)) return `${name}=${encodeURIComponent(text)}`;
    throw unfit(`"${name}" is sent as a cookie: expected a name of letters, digits, "-" and "_".`);
  });
  return cookies.length === 0 ? {} : { cookie: cookies.join("; ") };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function unfit(message: string): ClassifiedError {
  return new ClassifiedError("invalid_arguments", message);
}

/** Keywords with which a schema allows more than its listed properties. */
const more = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"];

/** Whether unlisted parameter names are allowed; only explicit keywords count. */
export function takesMore(parameters: Service["parameters"]): boolean {
  const { additionalProperties = false } = parameters;
  return additionalProperties !== false || more.some((keyword) => keyword in parameters);
}
