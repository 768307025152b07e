import { isRecord } from "../json/json.js";

/** A tool as prompts tell of it: its name, its purpose and the JSON schema of its arguments. */
export type ToolForm = {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
};

/**
 * The arguments of a JSON schema in one line, types in place of values: `{"query": string, "k"?:
 * number (how many)}`. What has no short form is given as its schema.
 */
export function argumentForm(schema: unknown): string {
  return formOf(schema, 3);
}

function formOf(schema: unknown, depth: number): string {
  if (!isRecord(schema)) return "any";
  const { description } = schema;
  const note = typeof description === "string" && depth < 3 ? ` (${description})` : "";
  return `${choices(schema) ?? typeForm(schema, depth)}${note}`;
}

const words: { readonly [type: string]: string } = {
  string: "string",
  boolean: "boolean",
  number: "number",
  integer: "whole number",
};

function typeForm(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const { type, items, $ref: reference } = schema;
  const word = typeof type === "string" ? words[type] : undefined;
  if (word !== undefined) return word;
  if (depth > 0 && type === "array") return `[${formOf(items, depth - 1)}, …]`;
  if (depth > 0 && type === "object" && reference === undefined) return objectForm(schema, depth);
  return Object.keys(schema).length === 0 ? "any" : JSON.stringify(schema);
}

function choices(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { enum: values, const: value } = schema;
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(" | ");
  return value === undefined ? undefined : JSON.stringify(value);
}

function objectForm(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const { properties, required } = schema;
  if (!isRecord(properties)) return "{}";
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const fields = Object.entries(properties).map(
    ([name, each]) =>
      `${JSON.stringify(name)}${isRequired(name) ? "" : "?"}: ${formOf(each, depth - 1)}`,
  );
  return `{${fields.join(", ")}}`;
}
