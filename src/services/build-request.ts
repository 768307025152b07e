import { LosslessNumber, stringify } from "lossless-json";

import { defined, type Json, type JsonObject } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { changeDigits } from "../tools/read-arguments.js";
import { type Credentials, withCookies } from "./credentials.js";
import { parametersInUrl, type Service } from "./definition.js";
import type { HttpRequest } from "./http/guarded-request.js";
import { listed } from "./values.js";

const separators = { comma: ",", space: " ", pipe: "|" } as const;

/** Builds a call's request with its credentials. Throws `invalid_arguments` for values that their place cannot hold. */
export function buildRequest(
  service: Service,
  args: JsonObject,
  credentials: Credentials,
): HttpRequest {
  const { method, headers: fixed = {} } = service.request;
  checkNames(service, args);
  const placed = placeParameters(service, args);
  const body = bodyOf(service, placed);
  const open = { ...lowerCased(fixed), ...Object.fromEntries(placed.flatMap(headerOf)) };
  return {
    method,
    url: urlOf(service, placed, credentials),
    headers: {
      accept: "application/json, text/*;q=0.9, */*;q=0.5",
      ...(body === undefined ? {} : { "content-type": contentTypes[service.request.bodyFormat] }),
      ...withCookies(open, credentials.headers),
    },
    ...defined({ body }),
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

const contentTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
} as const;

function urlOf({ request }: Service, placed: readonly Placed[], credentials: Credentials): string {
  const values = new Map(
    placed.filter(({ where }) => where === "path").map(({ name, value }) => [name, value]),
  );
  const filled = request.url.replaceAll(/\{([^{}]*)\}/g, (_, parameter: string) =>
    encodeURIComponent(pathValue(parameter, values.get(parameter))),
  );
  const url = new URL(filled);
  const { pathname } = new URL(request.url.replaceAll(/\{[^{}]*\}/g, "x"));
  if (url.pathname.split("/").length !== pathname.split("/").length) {
    throw unfit("the values in the address change its path.");
  }
  for (const [name, value] of Object.entries({ ...request.query, ...credentials.query })) {
    url.searchParams.append(name, String(value));
  }
  for (const each of placed.filter(({ where }) => where === "query")) {
    for (const text of textsOf(listValue(each))) url.searchParams.append(each.name, text);
  }
  return url.href;
}

/** The text of a parameter in a path, without `..`: a proxy that decodes the address first would leave the folder. */
function pathValue(parameter: string, value: Json | undefined): string {
  const text = value === undefined ? "" : textOf(value);
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

function headerOf({ where, name, value }: Placed): (readonly [string, string])[] {
  if (where !== "header") return [];
  const text = textOf(value);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return [[name.toLowerCase(), text]];
  throw unfit(`"${name}" is sent as a header: expected one line of plain characters.`);
}

function bodyOf(service: Service, placed: readonly Placed[]): string | undefined {
  const { request } = service;
  const whole = placed.find(({ where }) => where === "wholeBody");
  const asForm = request.bodyFormat === "form";
  if (whole !== undefined) {
    return asForm ? formOf(whole.value) : stringify(jsonValue(whole, service));
  }
  const fields = placed.filter(({ where }) => where === "body");
  if (fields.length === 0 && request.body === undefined) return undefined;
  if (asForm) {
    const named = fields.map((each) => [each.name, listValue(each)]);
    return formOf({ ...request.body, ...Object.fromEntries(named) });
  }
  const named = fields.map((each) => [each.name, jsonValue(each, service)]);
  return stringify({ ...request.body, ...Object.fromEntries(named) });
}

/** A value for JSON: digits that JavaScript would change are written unquoted if the schema wants a number. */
function jsonValue({ parameter, value }: Placed, { parameters }: Service): unknown {
  const schema = propertiesOf(parameters)[parameter] ?? {};
  return changeDigits(value, schema, (digits) => new LosslessNumber(digits));
}

/** A list in one field of a query or a form; other lists repeat the field. */
function listValue({ value, list }: Placed): Json {
  return Array.isArray(value) && list !== "repeat" ? textsOf(value).join(separators[list]) : value;
}

/** The text of each item of a list, or of a single value. */
function textsOf(value: Json): string[] {
  return [value].flat().map((item: Json) => textOf(item));
}

function formOf(value: Json): string {
  if (typeof value !== "object" || value === null) return textOf(value);
  const fields = Object.entries(value).flatMap(([name, field]: [string, Json]) =>
    textsOf(field).map((text): [string, string] => [name, text]),
  );
  return new URLSearchParams(fields).toString();
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function unfit(message: string): ClassifiedError {
  return new ClassifiedError("invalid_arguments", message);
}

/** The place of an argument, and its name there. */
type Place = {
  readonly where: "path" | "query" | "header" | "body" | "wholeBody";
  readonly name: string;
  readonly list: "repeat" | "comma" | "space" | "pipe";
};

/** An argument and its place. */
type Placed = Place & {
  /** The name in the definition and for the model. */
  readonly parameter: string;
  readonly value: Json;
};

/** The default place of arguments: in the query if the method has no body. */
export function usualPlace(method: string): "query" | "body" {
  return ["GET", "HEAD", "DELETE"].includes(method) ? "query" : "body";
}

/** The place of a parameter: from the definition, or from the address and the method. */
export function placeOf(
  request: Pick<Service["request"], "method" | "url" | "in">,
  parameter: string,
): Place {
  const isInPath = parametersInUrl(request.url).includes(parameter);
  const usual = isInPath ? "path" : usualPlace(request.method);
  const given = request.in?.[parameter] ?? usual;
  const {
    in: where,
    name = parameter,
    list = "repeat",
  } = typeof given === "object" ? given : { in: given };
  return { where, name: where === "path" ? parameter : name, list };
}

/** Finds the place of each argument, in the order of the call. */
function placeParameters({ request }: Pick<Service, "request">, args: JsonObject): Placed[] {
  return Object.entries(args).flatMap(([parameter, value]) => {
    const place = placeOf(request, parameter);
    // A body can contain `null`; elsewhere `null` would be sent as a word.
    const isNothing = value === null && !["body", "wholeBody"].includes(place.where);
    return isNothing ? [] : [{ ...place, parameter, value }];
  });
}

/** Keywords with which a schema allows more than its listed properties. */
const more = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"];

/** Whether unlisted parameter names are allowed; only explicit keywords count. */
export function takesMore(parameters: Service["parameters"]): boolean {
  const { additionalProperties = false } = parameters;
  return additionalProperties !== false || more.some((keyword) => keyword in parameters);
}
