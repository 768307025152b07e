import { type Edge, fitsDateFormat, isDateFormat, isEpoch } from "../dates/date-format.js";
import { branchesOf, type JsonSchema, mapLeaves, type Place, typesOf } from "./argument-schema.js";
import { type LinearPattern, linearPattern } from "./linear-pattern.js";

/** A value in a call's arguments that should be a date and is not one yet. */
export type DateField = {
  readonly path: Place["path"];
  readonly text: string;
  /** A format of JSON Schema, or the parameter's `x-date-format`. */
  readonly format: string;
  /** Whether only plangraph knows the format. */
  readonly isOwnFormat: boolean;
  /** The side of a span. */
  readonly edge: Edge;
  readonly isNumber: boolean;
  /** Whether the parameter's own pattern matches a text. */
  readonly accepts: (text: string) => boolean;
};

/** The values that do not fit the date format of their schema. */
export function dateFields(args: unknown, schema: JsonSchema): DateField[] {
  const fields: DateField[] = [];
  mapLeaves(args, schema, (leaf, leafSchema, place) => {
    const field = dateField(leaf, leafSchema, place);
    if (field !== undefined) fields.push(field);
    return leaf;
  });
  return fields;
}

/** The text as a date to resolve, if it is one. */
export function dateField(
  text: unknown,
  schema: JsonSchema,
  { path, parameter }: Place,
): DateField | undefined {
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const wanted = [schema, ...branchesOf(schema)].find((each) => formatOf(each) !== undefined);
  const format = wanted && formatOf(wanted);
  if (wanted === undefined || format === undefined) return undefined;
  const pattern = patternOf(wanted);
  const isNumber = !typesOf(wanted).includes("string");
  const accepts = (each: string) => pattern?.test(each) ?? true;
  const fits = pattern === undefined ? fitsDateFormat(text, format) : accepts(text);
  if (fits && !isNumber) return undefined;
  const isOwnFormat = wanted["x-date-format"] !== undefined;
  const edge = parameter === undefined ? "start" : edgeOf(parameter.name, parameter.schema);
  return { path, text, format, isOwnFormat, edge, isNumber, accepts };
}

const standard: ReadonlySet<unknown> = new Set(["date", "date-time", "time"]);

/** The date format of a schema for a text, or for a number of seconds. */
function formatOf(schema: JsonSchema): string | undefined {
  const own = schema["x-date-format"];
  const format = own ?? schema["format"];
  if (typeof format !== "string" || !isDateFormat(format)) return undefined;
  if (own === undefined && !standard.has(format)) return undefined;
  const types = typesOf(schema);
  const isWritten =
    types.includes("string") || (isEpoch(format) && /integer|number/.test(types.join()));
  return isWritten && schema["enum"] === undefined ? format : undefined;
}

function patternOf({ pattern }: JsonSchema): LinearPattern | undefined {
  return typeof pattern === "string" ? linearPattern(pattern) : undefined;
}

const starts = /^(?:start|starts|from|since|after|begin|begins|beginning|first)$/;
const ends = /^(?:end|ends|ending|until|till|to|through|finish|last)$/;

/** A parameter takes the end of a span if its name says so, or its description where the name names no side. */
function edgeOf(name: string, { description }: JsonSchema): Edge {
  const named = sideOf(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  if (named !== undefined || typeof description !== "string") return named ?? "start";
  return sideOf(description) ?? "start";
}

/** The side that a text names, if it names only one. */
function sideOf(text: string): Edge | undefined {
  const words = text.toLowerCase().split(/[^\p{L}]+/u);
  const isStart = words.some((word) => starts.test(word)) || /开始|起始|[自从]/.test(text);
  const isEnd = words.some((word) => ends.test(word)) || /结束|截止|终止|为止/.test(text);
  if (isStart === isEnd) return undefined;
  return isStart ? "start" : "end";
}
