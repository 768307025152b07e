import { LosslessNumber, stringify } from "lossless-json";

import type { Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { changeDigits } from "../tools/read-arguments.js";
import type { Service } from "./definition.js";
import type { Placed } from "./place-arguments.js";
import { type Field, writeFields, writeText } from "./write-fields.js";

/** A body and its content type. */
export type Body = {
  readonly text: string;
  readonly type: string;
  /** Set if a fixed header must not replace the type: it names the boundary. */
  readonly isTypeFixed?: true;
};

/** The body of a call; undefined if it has none. */
export function writeBody(service: Service, placed: readonly Placed[]): Body | undefined {
  const { bodyFormat, body: fixed } = service.request;
  const whole = placed.find(({ where }) => where === "wholeBody");
  const fields = placed.filter(({ where }) => where === "body");
  if (whole === undefined && fields.length === 0 && fixed === undefined) return undefined;
  if (bodyFormat === "json") {
    return { text: stringify(jsonOf(service, whole, fields)) ?? "", type: "application/json" };
  }
  if (bodyFormat === "text") {
    return { text: textOf(whole), type: "text/plain; charset=utf-8" };
  }
  if (bodyFormat === "multipart") return multipart(formFields(fixed, whole, fields));
  return { text: formText(fixed, whole, fields), type: "application/x-www-form-urlencoded" };
}

function formText(
  fixed: Service["request"]["body"],
  whole: Placed | undefined,
  placed: readonly Placed[],
): string {
  if (whole !== undefined && !isObject(whole.value)) return writeText(whole.value, "repeat");
  const fields = formFields(fixed, whole, placed);
  return new URLSearchParams(
    fields.map(({ name, text }): [string, string] => [name, text]),
  ).toString();
}

/** The text of a parameter that is all of the body. */
function textOf(whole: Placed | undefined): string {
  return whole === undefined ? "" : writeText(whole.value, "repeat");
}

function jsonOf(service: Service, whole: Placed | undefined, fields: readonly Placed[]): unknown {
  if (whole !== undefined) return jsonValue(whole, service);
  const named = fields.map((each) => [each.name, jsonValue(each, service)]);
  return { ...service.request.body, ...Object.fromEntries(named) };
}

/** A value for JSON: digits that JavaScript would change are written unquoted if the schema wants a number. */
function jsonValue({ parameter, value }: Placed, { parameters }: Service): unknown {
  const schema = propertiesOf(parameters)[parameter] ?? {};
  return changeDigits(value, schema, (digits) => new LosslessNumber(digits));
}

/** The fields of a form: fixed ones that no argument replaces, then the arguments. */
function formFields(
  fixed: Service["request"]["body"] = {},
  whole: Placed | undefined,
  placed: readonly Placed[],
): Field[] {
  if (whole !== undefined) {
    const value = isObject(whole.value) ? Object.entries(whole.value) : [];
    return value.flatMap(([name, each]: [string, Json]) => writeFields(name, each, whole.list));
  }
  const names = new Set(placed.map(({ name }) => name));
  const open = Object.entries(fixed).filter(([name]) => !names.has(name));
  return [
    ...open.flatMap(([name, value]: [string, Json]) => writeFields(name, value, "repeat")),
    ...writeArguments(placed, new Set(Object.keys(fixed))),
  ];
}

/** The fields of arguments. Throws `invalid_arguments` if a value inside one has the name of another field. */
export function writeArguments(placed: readonly Placed[], fixed: ReadonlySet<string>): Field[] {
  const names = new Set([...fixed, ...placed.map(({ name }) => name)]);
  return placed.flatMap((each) => {
    const fields = writeFields(each.name, each.value, each.list);
    const taken = fields.find(({ name }) => name !== each.name && names.has(name));
    if (taken === undefined) return fields;
    throw new ClassifiedError(
      "invalid_arguments",
      `"${each.parameter}" may not have the field "${taken.name}": the request has it already.`,
    );
  });
}

function multipart(fields: readonly Field[]): Body {
  // Random, so that no value can contain it.
  const boundary = `plangraph-${crypto.randomUUID()}`;
  const parts = fields.map(({ name, text, isJson }) => {
    const type = isJson === true ? "\r\ncontent-type: application/json" : "";
    return `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${type}\r\n\r\n${text}\r\n`;
  });
  return {
    text: `${parts.join("")}--${boundary}--\r\n`,
    type: `multipart/form-data; boundary=${boundary}`,
    isTypeFixed: true,
  };
}

/** A name as browsers write it: it can end neither the quotes nor the line. */
function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null;
}
