import { isJsonObject, type Json, type JsonObject } from "../../json/json.js";

/** A field of a form for arguments. */
export type Field = {
  readonly name: string;
  readonly kind: "text" | "number" | "flag" | "choice" | "json";
  /** What stands in it at first. */
  readonly text: string;
  readonly choices: readonly string[];
  readonly isNeeded: boolean;
  readonly description: string;
  /** What it holds at first, whatever its type; nothing where it is new. */
  readonly value: Json | undefined;
  /** What each choice stands for. */
  readonly chosen: readonly Json[];
};

/** The fields for arguments: those of a schema, else those that there are, each as what it holds. */
export function fieldsOf(args: JsonObject, schema: JsonObject | undefined): readonly Field[] {
  const properties: JsonObject = recordAt(schema, "properties");
  const names = [...new Set([...Object.keys(properties), ...Object.keys(args)])];
  const needed = listAt(schema, "required");
  return names.map((name) => {
    const rule = recordAt(properties, name);
    const value = args[name] ?? rule["default"];
    const chosen = choicesOf(rule);
    const choices = chosen.map((choice) => textOf(choice));
    return {
      name,
      kind: kindOf(value, rule, choices),
      text: value === undefined || value === null ? "" : textOf(value),
      choices,
      isNeeded: needed.includes(name) && !("default" in rule),
      description: typeof rule["description"] === "string" ? rule["description"] : "",
      value: args[name],
      chosen,
    };
  });
}

/** The values that a rule leaves to choose from, in its own words or those of its alternatives; null leaves a field out. */
function choicesOf(rule: JsonObject): readonly Json[] {
  const own = "const" in rule ? [rule["const"] ?? null] : listAt(rule, "enum");
  if (own.length > 0) return own.filter((choice) => choice !== null);
  const ofBranches = alternativesIn(rule, "anyOf", "oneOf").map(choicesOf);
  return ofBranches.every((choices) => choices.length > 0) ? ofBranches.flat() : [];
}

/** The alternative of a rule, where there is one besides null. */
function withoutNull(rule: JsonObject): JsonObject {
  const [only, ...others] = alternativesIn(rule, "anyOf");
  return only !== undefined && others.length === 0 ? only : rule;
}

function alternativesIn(rule: JsonObject, ...words: readonly string[]): readonly JsonObject[] {
  const all = words.flatMap((word) => listAt(rule, word));
  return all.filter(isJsonObject).filter(({ type }) => type !== "null");
}

function kindOf(
  value: Json | undefined,
  rule: JsonObject,
  choices: readonly string[],
): Field["kind"] {
  if (choices.length > 0) return "choice";
  const given = withoutNull(rule)["type"] ?? typeof value;
  const type = Array.isArray(given) ? given.find((each) => each !== "null") : given;
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "flag";
  return type === "object" || type === "array" ? "json" : "text";
}

/** What is wrong with a field. */
export type FieldProblem = "needed" | "notJson" | "notNumber";

/** The arguments that fields hold, or what is wrong with which. */
export type ReadForm =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, FieldProblem> };

/** Reads the texts of fields as what they hold. What was not touched stays what it was, or is left out; so is what stays empty. */
export function readForm(fields: readonly Field[], texts: ReadonlyMap<string, string>): ReadForm {
  const args: Record<string, Json> = {};
  const problems = new Map<string, FieldProblem>();
  for (const field of fields) {
    const text = texts.get(field.name) ?? field.text;
    const isTouched = text !== field.text;
    if (!isTouched && field.value !== undefined) args[field.name] = field.value;
    else if (!isTouched && !field.isNeeded) continue;
    else if (isLeft(field, text)) leave(field, args, problems);
    else readField(field, text, args, problems);
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, args };
}

/** Whether nothing is written in a field. A text may be blanks, and a flag that nobody set is not set. */
function isLeft({ kind }: Field, text: string): boolean {
  if (kind === "flag") return false;
  return (kind === "text" ? text : text.trim()) === "";
}

function leave(
  { name, kind, isNeeded, value }: Field,
  args: Record<string, Json>,
  problems: Map<string, FieldProblem>,
): void {
  const isEmptied = value !== undefined;
  if (isNeeded || (isEmptied && kind !== "text")) problems.set(name, "needed");
  else if (isEmptied) args[name] = "";
}

function readField(
  { name, kind, choices, chosen }: Field,
  text: string,
  args: Record<string, Json>,
  problems: Map<string, FieldProblem>,
): void {
  if (kind === "number") {
    const number = Number(text);
    if (Number.isFinite(number)) args[name] = number;
    else problems.set(name, "notNumber");
  } else if (kind === "flag") args[name] = text === "true";
  else if (kind === "json") {
    try {
      args[name] = JSON.parse(text);
    } catch {
      problems.set(name, "notJson");
    }
  } else args[name] = chosen[choices.indexOf(text)] ?? text;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function recordAt(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return isJsonObject(value) ? value : {};
}

function listAt(object: JsonObject | undefined, name: string): readonly Json[] {
  const value = object?.[name];
  return Array.isArray(value) ? value : [];
}
