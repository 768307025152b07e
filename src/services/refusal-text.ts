import { isJsonObject, isRecord, type Json, type JsonObject } from "../json/json.js";
import { valueAt } from "./values.js";

/** The usual places of a service's message when the definition names none. */
const usualPlaces = [
  "message",
  "error.message",
  "error",
  "detail.message",
  "detail",
  "msg",
  "title",
];

/** The usual places of the fields that a service refuses. */
const fieldPlaces = [
  "errors",
  "error.errors",
  "error.details",
  "message",
  "detail",
  "details",
  "invalid-params",
  "invalid_params",
  "violations",
  "issues",
  "errorMessages",
  "response_metadata.messages",
];

/** The longest text about a refusal that a model gets, in characters, and the part of it for the message before fields. */
const maxChars = 600;
const maxMessageChars = 300;

/** The number of fields that are told, and how deep they are looked for. */
const maxFields = 20;
const maxDepth = 5;

/**
 * The reason why a service refused a request: its message, from the given or a usual place, and the fields that it
 * found wrong. Undefined if the body says nothing that helps.
 */
export function refusalText(body: Json, place?: string): string | undefined {
  if (typeof body === "string") return isMarkup(body) ? undefined : shortened(readable(body));
  if (!isRecord(body)) return undefined;
  const places = place === undefined ? usualPlaces : [place, ...usualPlaces];
  const message = places.map((each) => textAt(body, each)).find((text) => text !== undefined);
  const fields = fieldsIn(body, place).filter((field) => message?.includes(field) !== true);
  if (fields.length > 0) return shortened(joined(message, fields));
  return shortened(message ?? dataAt(body, [...places, "errors"]));
}

/** Whether a body has a message at a place. */
export function hasMessageAt(body: Json, place: string): boolean {
  return dataAt(body, [place]) !== undefined;
}

/** Whether a text is a web page or XML. */
export function isMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|\?xml)/i.test(text);
}

function joined(message: string | undefined, fields: readonly string[]): string {
  const told = fields.slice(0, maxFields).join("; ");
  return message === undefined ? told : `${shortened(message, maxMessageChars)} (${told})`;
}

function shortened(text: string, max?: number): string;
function shortened(text: string | undefined, max?: number): string | undefined;
function shortened(text: string | undefined, max = maxChars): string | undefined {
  return text === undefined || text.length <= max ? text : `${text.slice(0, max)}…`;
}

function textAt(body: Json, place: string): string | undefined {
  const value = valueAt(body, place);
  return typeof value === "string" ? readable(value) : undefined;
}

/** A form that is not known is told as it is. */
function dataAt(body: Json, places: readonly string[]): string | undefined {
  return places
    .map((place) => valueAt(body, place) ?? "")
    .map((value) => readable(typeof value === "string" ? value : JSON.stringify(value)))
    .find((text) => text !== undefined);
}

/** Text that is not readable does not help a model. */
function readable(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" || /\uFFFD|(?![\t\r\n])\p{Cc}/u.test(trimmed) ? undefined : trimmed;
}

/** The wrong fields of a body, each as "field: reason", in the first place that has some. */
function fieldsIn(body: JsonObject, given: string | undefined): string[] {
  const places = given === undefined ? fieldPlaces : [given, ...fieldPlaces];
  const listed = places
    .map((place) => entriesOf(valueAt(body, place)))
    .find((found) => found.length > 0);
  const own = [ownField(body["error"], true), ownField(body, false)].flat();
  return [...new Set(listed ?? (own.length > 0 ? own : entriesOfLists(body)))];
}

/** The field that an error names beside its message, and its code. */
function ownField(error: Json | undefined, withCode: boolean): string[] {
  if (!isJsonObject(error)) return [];
  const field = nameIn(error, errorNames);
  const code = textIn(error, ["code"]);
  if (field === undefined) return withCode && code !== undefined ? [code] : [];
  return [code === undefined ? field : `${field}: ${code}`];
}

/** A body that consists of nothing but lists of reasons by field. */
function entriesOfLists(body: JsonObject): string[] {
  const values = Object.values(body);
  return values.length > 0 && values.every(isReasons) ? entriesOf(body) : [];
}

function isReasons(value: Json): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
  );
}

/** The reasons in a list of errors, or in an object of errors by field. */
function entriesOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => itemOf(each, "", 0));
  return isJsonObject(value) ? byField(value, "", 0) : [];
}

/** Keys that hold further errors, and are no fields themselves. */
const containers: ReadonlySet<string> = new Set(["errors", "fieldViolations", "non_field_errors"]);

function byField(fields: JsonObject, parent: string, depth: number): string[] {
  const entries = Object.entries(fields).filter(([name]) => !name.startsWith("@"));
  return entries.flatMap(([name, value]) => {
    const path = [parent, name].filter((part) => part !== "").join(".");
    return isReason(value) ? itemOf(value, containers.has(name) ? parent : path, depth + 1) : [];
  });
}

/** A number or a date beside the errors is no reason. */
function isReason(value: Json): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

/** One error: a text, a list of them, or an object with a reason and a field. */
function itemOf(item: Json, field: string, depth: number): string[] {
  if (depth > maxDepth) return [];
  if (typeof item === "string") return labelled(field, readable(item));
  if (Array.isArray(item)) return item.flatMap((each: Json) => itemOf(each, field, depth + 1));
  if (!isJsonObject(item)) return [];
  const reason = textIn(item, reasons);
  if (reason === undefined) return byField(item, field, depth);
  return labelled(nameIn(item, names) ?? field, reason);
}

function labelled(field: string, reason: string | undefined): string[] {
  if (reason === undefined) return [];
  return [field === "" || reason.startsWith(`${field}:`) ? reason : `${field}: ${reason}`];
}

/** Where an error has its reason, the most helpful first. The value that was sent is not told: the model knows it. */
const reasons = [
  "message",
  "msg",
  "defaultMessage",
  "detail",
  "description",
  "reason",
  "title",
  "code",
];

/** Where an error names its field. */
const errorNames = ["field", "param", "parameter", "target", "pointer"];
const names = [
  ...errorNames,
  "property",
  "propertyPath",
  "path",
  "loc",
  "instancePath",
  "name",
  "in",
  "location",
];

function textIn(fields: JsonObject, keys: readonly string[]): string | undefined {
  return keys
    .map((key) => fields[key])
    .flatMap((value) => (typeof value === "string" ? [readable(value)] : []))
    .find((text) => text !== undefined);
}

function nameIn(fields: JsonObject, keys: readonly string[]): string | undefined {
  const { source } = fields;
  const inSource = isJsonObject(source) ? nameIn(source, errorNames) : undefined;
  return inSource ?? keys.map((key) => nameOf(fields[key])).find((name) => name !== undefined);
}

/** A name, or a path of names and positions. */
function nameOf(value: Json | undefined): string | undefined {
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return value.join(".");
  return typeof value === "string" && value !== "" ? readable(value) : undefined;
}

function isPart(value: Json): boolean {
  return typeof value === "string" || typeof value === "number";
}
