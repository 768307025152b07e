import { type JsonObject } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { type Credentials, withCookies } from "./credentials.js";
import type { Service } from "./definition.js";
import type { HttpRequest } from "./http/guarded-request.js";
import { placeArguments, type Placed } from "./place-arguments.js";
import { fileReader, type ReadFile } from "./sent-file.js";
import { listed } from "./values.js";
import { writeArguments, writeBody } from "./write-body.js";
import { writeText } from "./write-fields.js";

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
  const open = { ...lowerCased(fixed), ...Object.fromEntries(placed.flatMap(headerOf)) };
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
  const values = new Map(
    placed
      .filter(({ where }) => where === "path")
      .map(({ name, value, list }) => [name, writeText(value, list)]),
  );
  const filled = request.url.replaceAll(/\{([^{}]*)\}/g, (_, parameter: string) =>
    encodeURIComponent(pathValue(parameter, values.get(parameter))),
  );
  const url = new URL(filled);
  const { pathname } = new URL(request.url.replaceAll(/\{[^{}]*\}/g, "x"));
  if (url.pathname.split("/").length !== pathname.split("/").length) {
    throw unfit("the values in the address change its path.");
  }
  const fixed = Object.entries({ ...request.query, ...credentials.query });
  for (const [name, value] of fixed) url.searchParams.append(name, String(value));
  const taken = new Set(url.searchParams.keys());
  const inQuery = placed.filter(({ where }) => where === "query");
  for (const { name, text } of writeArguments(inQuery, taken)) url.searchParams.append(name, text);
  return url.href;
}

/** The text of a parameter in a path, without `..`: a proxy that decodes the address first would leave the folder. */
function pathValue(parameter: string, text = ""): string {
  if (text !== "" && text !== "." && !leavesFolder(text)) return text;
  throw unfit(
    `"${parameter}" is part of the address: expected a value without a ".." segment, got ${JSON.stringify(text)}.`,
  );
}

/** The number of decodings in the search for `..`: each server in a chain may decode it once. */
const maxDecoding = 3;

function leavesFolder(text: string, decodings = 0): boolean {
  if (text.split(/[\\/]/).some((segment) => /^\.\.(?:;.*)?$/s.test(segment))) return true;
  const plain = text.replaceAll(/%(2e|2f|5c|25|3b)/gi, (code) => decodeURIComponent(code));
  return plain !== text && decodings < maxDecoding && leavesFolder(plain, decodings + 1);
}

function headerOf({ where, name, value, list }: Placed): (readonly [string, string])[] {
  if (where !== "header") return [];
  const text = writeText(value, list);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return [[name.toLowerCase(), text]];
  throw unfit(`"${name}" is sent as a header: expected one line of plain characters.`);
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
