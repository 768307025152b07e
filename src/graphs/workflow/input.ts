import { HumanMessage, isBaseMessage, isHumanMessage } from "@langchain/core/messages";

import { PlangraphError } from "../../errors.js";
import type { ReadInput } from "../../nodes/runner.js";
import { isJsonObject, isRecord, type Json, type JsonObject, parsedJson } from "../../json/json.js";
import { hintAt, preview, shown } from "../../run/check-names.js";
import { placeOf, schemaProblems } from "../../tools/schema-problems.js";
import type { FieldForm } from "./form.js";
import { defaultsOf, isRequired, objectSchema, fieldSchema, typeWord } from "./types.js";
import { literalIssues } from "./values.js";

/** The fields of an input, by name. */
export type InputForm = { readonly [name: string]: FieldForm };

/**
 * Reads the input of a workflow from a question: a JSON object, or, where one input is required and it is a text, the
 * question as it is. An input that nothing requires may be left out.
 */
export function inputFrom(question: string, form: InputForm): ReadInput {
  const written = parsedJson(question);
  if (typeof written === "object" && written !== null && !Array.isArray(written)) {
    const given: Json = JSON.parse(question);
    return isJsonObject(given) ? checkedInput(given, form) : unfit(form, question);
  }
  const required = Object.entries(form).filter(([, field]) => isRequired(field));
  const [first, ...others] = required.length === 0 ? Object.entries(form) : required;
  if (first === undefined) return { ok: true, input: {} };
  const [name, field] = first;
  const isText = typeWord(fieldSchema(field)) === "text";
  if (others.length > 0 || !isText) return unfit(form, question);
  return checkedInput({ [name]: question }, form);
}

/** Checks the values of an input, and adds the defaults of those that are left out. */
function checkedInput(given: JsonObject, form: InputForm): ReadInput {
  const text = JSON.stringify(given);
  const names = Object.keys(form);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return unfit(form, text, ` There is no input ${unknown}.${hintAt(unknown, names)}`);
  }
  const [problem] = literalIssues(given, objectSchema(form), []);
  if (problem !== undefined)
    return unfit(form, text, ` ${placeOf(problem.path)}: ${problem.message}.`);
  return { ok: true, input: withDefaults(given, form) };
}

/** The values with those that are left out, also inside of objects and lists. */
function withDefaults(given: JsonObject, form: InputForm): JsonObject {
  const all = Object.entries({ ...defaultsOf(form), ...given });
  return Object.fromEntries(
    all.map(([name, value]) => [name, valueWithDefaults(value, form[name])]),
  );
}

function valueWithDefaults(value: Json, field: FieldForm | undefined): Json {
  if (field === undefined || typeof field === "string") return value;
  const { of, fields } = field;
  if (Array.isArray(value)) return value.map((each: Json) => valueWithDefaults(each, of));
  return isJsonObject(value) && fields !== undefined ? withDefaults(value, fields) : value;
}

/** The problem of a value that does not fit a schema, in a sentence; nothing for one that fits. */
export function isUnfit(value: Json, schema: JsonObject): string | undefined {
  const [problem] = schemaProblems(schema, value);
  if (problem === undefined) return undefined;
  const place = placeOf(problem.path);
  const where = place === "" ? "The output" : `The output's ${place}`;
  return `${where} does not fit \`returns\`: ${problem.message} Got ${preview(value, maxShown)}.`;
}

/** Longest input in a message, in characters. */
const maxShown = 200;

function unfit(form: InputForm, given: string, why = ""): ReadInput {
  const fields = Object.entries(form).map(([name, field]) => {
    const may = isRequired(field) ? "" : ", may be left out";
    return `${name} (${typeWord(fieldSchema(field))}${may})`;
  });
  const expected = fields.length === 0 ? "no input" : `an input with ${fields.join(", ")}`;
  return { ok: false, problem: `Expected ${expected}, got ${shownInput(given)}.${why}` };
}

function shownInput(given: string): string {
  const text = given.trim() === "" ? "nothing" : given;
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Makes a question of an input that a caller gave beside the messages. */
export function questionOf({ input }: Readonly<Record<string, unknown>>): HumanMessage[] {
  if (input === undefined || input === null) return [];
  if (!isRecord(input) || Array.isArray(input)) {
    throw invalidInput(`input: expected an object with the values by name, got ${shown(input)}`);
  }
  return [new HumanMessage({ id: crypto.randomUUID(), content: JSON.stringify(input) })];
}

/** The same for a workflow itself. A run without anything new would do everything again: it is refused. */
export function newQuestion(state: Readonly<Record<string, unknown>>): HumanMessage[] {
  const { input, messages } = state;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const isAsked = isBaseMessage(last) && isHumanMessage(last);
  if (isAsked || (input !== undefined && input !== null)) return questionOf(state);
  throw invalidInput(
    "expected { input }, or { messages } with the input as the last message of the user, got neither",
  );
}

function invalidInput(problem: string): PlangraphError {
  return new PlangraphError("invalid_input", `The workflow cannot begin: ${problem}.`);
}
