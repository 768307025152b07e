import { LosslessNumber, stringify } from "lossless-json";

import type { Json } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import { propertiesOf } from "../tools/argument-schema.js";
import { changeDigits } from "../tools/read-arguments.js";
import { maxMediaBytes } from "../tools/read-media.js";
import type { Service } from "./definition.js";
import type { Placed } from "./place-arguments.js";
import { type ReadFile, type SentFile, tooLarge } from "./sent-file.js";
import { type Field, writeFields, writeText } from "./write-fields.js";

/** A body and its content type. */
export type Body = {
  readonly content: string | Uint8Array;
  readonly type: string;
  /** Set if a fixed header must not replace the type: it names the boundary. */
  readonly isTypeFixed?: true;
};

/** The body of a call; undefined if it has none. Throws `invalid_arguments` for values that it cannot hold. */
export function writeBody(
  service: Service,
  placed: readonly Placed[],
  readFile: ReadFile,
): Body | undefined {
  const { bodyFormat, body: fixed } = service.request;
  const whole = placed.find(({ where }) => where === "wholeBody");
  const fields = placed.filter(({ where }) => where === "body");
  if (whole === undefined && fields.length === 0 && fixed === undefined) return undefined;
  if (bodyFormat === "json") {
    return { content: stringify(jsonOf(service, whole, fields)) ?? "", type: "application/json" };
  }
  if (bodyFormat === "text") return textBody(whole, readFile);
  if (bodyFormat === "multipart") {
    const files = filesIn(fields, readFile);
    const texts = fields.filter(({ file }) => file === undefined);
    return multipart([...formFields(fixed, whole, texts), ...files]);
  }
  return { content: formText(fixed, whole, fields), type: "application/x-www-form-urlencoded" };
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

/** The parameter that is all of the body: a text, or a file. */
function textBody(whole: Placed | undefined, readFile: ReadFile): Body {
  const text = whole === undefined ? "" : writeText(whole.value, "repeat");
  if (whole?.file === undefined) return { content: text, type: "text/plain; charset=utf-8" };
  const { bytes, type } = readFile(text, whole.file);
  return { content: bytes, type };
}

/** The files among the fields; a list is several files of one field. */
function filesIn(fields: readonly Placed[], readFile: ReadFile): FilePart[] {
  const parts = fields.flatMap(({ name, value, file }) => {
    if (file === undefined) return [];
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    return values.map((each) => ({ name, file: readFile(writeText(each, "repeat"), file) }));
  });
  const bytes = parts.reduce((sum, { file }) => sum + file.bytes.length, 0);
  if (bytes > maxMediaBytes) throw tooLarge();
  return parts;
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

/** A field of a multipart form that is a file. */
type FilePart = { readonly name: string; readonly file: SentFile };

function multipart(fields: readonly (Field | FilePart)[]): Body {
  // Random, so that no value can contain it.
  const boundary = `plangraph-${crypto.randomUUID()}`;
  const pieces = [
    ...fields.flatMap((field) => [`--${boundary}\r\n`, ...partOf(field), "\r\n"]),
    `--${boundary}--\r\n`,
  ];
  const isText = pieces.every((piece) => typeof piece === "string");
  return {
    content: isText
      ? pieces.join("")
      : Buffer.concat(
          pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "utf8") : piece)),
        ),
    type: `multipart/form-data; boundary=${boundary}`,
    isTypeFixed: true,
  };
}

/** The headers and the content of one part. */
function partOf(field: Field | FilePart): readonly (string | Uint8Array)[] {
  const start = `content-disposition: form-data; name="${quoted(field.name)}"`;
  if ("file" in field) {
    const { name, type, bytes } = field.file;
    return [`${start}; filename="${quoted(name)}"\r\ncontent-type: ${type}\r\n\r\n`, bytes];
  }
  const type = field.isJson === true ? "\r\ncontent-type: application/json" : "";
  return [`${start}${type}\r\n\r\n${field.text}`];
}

/** A name as browsers write it: it can end neither the quotes nor the line. */
function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null;
}
