import {
  defined,
  isRecord,
  type Json,
  jsonCopy,
  type JsonObject,
  parsedJson,
} from "../../json/json.js";
import type { AllowedDecision, Decision } from "../../state/person-requests.js";
import { propertiesOf, requiredOf, typesOf } from "../../tools/argument-schema.js";
import { checkArguments } from "../../tools/check-arguments.js";
import { coerceArguments } from "../../tools/read-arguments.js";

/** A question of a server to a person: its words, and a JSON Schema of the answer. */
export type Question = { readonly message: string; readonly requestedSchema: JsonObject };

/** A value that a server may be sent. */
type Field = string | number | boolean | string[];

/** The answer that a server gets. */
export type Answer = {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, Field>;
};

/** The decisions on a question: a question without fields is a yes or no, any other takes words or a form. */
export function allowedFor({ requestedSchema }: Question): readonly AllowedDecision[] {
  const isForm = Object.keys(propertiesOf(requestedSchema)).length > 0;
  return isForm ? ["respond", "edit", "reject"] : ["approve", "reject"];
}

/** The form as it is before a person fills it in: defaults, or empty texts. */
export function emptyForm({ requestedSchema }: Question): JsonObject {
  const fields = Object.entries(propertiesOf(requestedSchema));
  return Object.fromEntries(fields.map(([name, field]) => [name, defaultOf(field) ?? ""]));
}

function defaultOf(field: object): Json | undefined {
  return jsonCopy(Reflect.get(field, "default"));
}

/** The fields in words, for front ends that show no form; nothing where the question says enough. */
export function fieldsInWords({ requestedSchema }: Question): string {
  const fields = Object.entries(propertiesOf(requestedSchema));
  const [only] = fields;
  if (fields.length === 0) return "";
  if (fields.length === 1 && only !== undefined && kindOf(only[1]) === "text") return "";
  const required = new Set(requiredOf(requestedSchema));
  const told = fields.map(([name, field]) => {
    const { title, description } = defined(field);
    const label = [title, description].filter((each) => typeof each === "string").join(", ");
    const optional = required.has(name) ? "" : ", optional";
    return `${name} (${label === "" ? "" : `${label}: `}${kindOf(field)}${optional})`;
  });
  return `Expected: ${told.join("; ")}.`;
}

/** What a field takes. */
function kindOf(field: object): string {
  const values = choicesOf(field);
  const [type = "text"] = typesOf({ ...field });
  if (values.length === 0) return kinds.get(type) ?? type;
  const names = values.map(({ value, title }) =>
    title === undefined ? value : `${value} = ${title}`,
  );
  return `${type === "array" ? "any" : "one"} of ${names.join(", ")}`;
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["boolean", "yes or no"],
  ["integer", "whole number"],
]);

type Choice = { readonly value: string; readonly title: string | undefined };

/** The values of a field with choices, in any of the protocol's forms. */
function choicesOf(field: object): Choice[] {
  const { items } = defined({ items: Reflect.get(field, "items") });
  const of: object = isRecord(items) ? items : field;
  const { enum: values, enumNames: titles, oneOf, anyOf } = Object.fromEntries(Object.entries(of));
  if (Array.isArray(values)) {
    return values.map((value: unknown, at) =>
      choice(value, Array.isArray(titles) ? titles[at] : 0),
    );
  }
  const listed: readonly unknown[] = [oneOf, anyOf].find(Array.isArray) ?? [];
  return listed.flatMap((each) => (isRecord(each) ? [choice(each["const"], each["title"])] : []));
}

function choice(value: unknown, title: unknown): Choice {
  return { value: String(value), title: typeof title === "string" ? title : undefined };
}

/** The answer in a person's decision, checked against the server's form; or why it cannot be used. */
export async function answerFrom(
  decision: Decision,
  question: Question,
): Promise<Answer | { readonly problem: string }> {
  if (decision.type === "reject") return { action: "decline" };
  const { requestedSchema: schema } = question;
  const given = givenIn(decision, question);
  if (typeof given === "string") return { problem: given };
  const content = coerceArguments(filled(given, schema), schema);
  const problem = await checkArguments({ name: "the form", schema }, content);
  if (problem !== undefined) return { problem: withoutSchema(problem) };
  const fields = Object.entries(isRecord(content) ? content : {});
  return {
    action: "accept",
    content: Object.fromEntries(
      fields.flatMap(([name, value]) => (isField(value) ? [[name, value] as const] : [])),
    ),
  };
}

/** The lines about single fields. */
function withoutSchema(problem: string): string {
  const lines = problem.split("\n").filter((line) => line.startsWith("- "));
  return lines.map((line) => line.slice(2)).join(" ");
}

/** What the person wrote, by field; or why it is no answer. */
function givenIn(
  decision: Decision,
  { requestedSchema }: Question,
): Record<string, unknown> | string {
  if (decision.type === "edit") return decision.edited_action.args;
  if (decision.type !== "respond") return {};
  const written = parsedJson(decision.message);
  if (isRecord(written)) return written;
  const names = Object.keys(propertiesOf(requestedSchema));
  const required = requiredOf(requestedSchema);
  const [field, ...others] = required.length === 1 ? required : names;
  if (field !== undefined && others.length === 0) return { [field]: decision.message };
  return `expected a JSON object with ${names.join(", ")}.`;
}

/** The known fields with defaults for those that were left out, and choices and yes or no as the server knows them. */
function filled(given: Record<string, unknown>, schema: JsonObject): Record<string, unknown> {
  const required = new Set(requiredOf(schema));
  const fields = Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const value = given[name];
    const isLeft = value === undefined || (value === "" && !required.has(name));
    const taken = isLeft ? defaultOf(field) : valueFor(value, field);
    return taken === undefined ? [] : [[name, taken] as const];
  });
  return Object.fromEntries(fields);
}

function valueFor(value: unknown, field: object): unknown {
  if (typeof value !== "string") return value;
  const [type] = typesOf({ ...field });
  const known = choicesOf(field);
  if (type === "array" && parsedJson(value) === undefined) {
    return value.split(",").map((each) => chosen(each.trim(), known));
  }
  if (type !== "boolean") return chosen(value, known);
  if (/^\s*(?:y|yes|true)\s*$/i.test(value)) return true;
  return /^\s*(?:n|no|false)\s*$/i.test(value) ? false : value;
}

/** The value of a choice that is named by its value or its title. */
function chosen(text: string, known: readonly Choice[]): string {
  const said = text.trim().toLowerCase();
  const found = known.find(({ value, title = value }) =>
    [value, title].some((each) => each.toLowerCase() === said),
  );
  return found?.value ?? text;
}

function isField(value: unknown): value is Field {
  if (Array.isArray(value)) return value.every((each) => typeof each === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}
