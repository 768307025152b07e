import { defined, type Json, type JsonObject } from "../../json/json.js";
import { type JsonSchema, typesOf } from "../../tools/argument-schema.js";
import type { FieldForm, fieldTypes } from "./form.js";

type FieldType = (typeof fieldTypes)[number];

const jsonTypes: { readonly [Name in FieldType]: string } = {
  text: "string",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  list: "array",
  object: "object",
};

/** A field in words, as files name types. */
export function typeWord(schema: JsonSchema): string {
  const { type } = schema;
  const word = Object.entries(jsonTypes).find(([, name]) => name === type)?.[0];
  return word ?? "another value";
}

/** The JSON schema of a field. */
export function fieldSchema(field: FieldForm): JsonObject {
  if (typeof field === "string") return { type: jsonTypes[field] };
  const { type, description, choices, of, fields } = field;
  const inner = fields === undefined ? {} : objectSchema(fields);
  return {
    ...inner,
    type: jsonTypes[type],
    ...defined({ description, default: field.default }),
    ...(choices === undefined ? {} : { enum: [...choices] }),
    ...(of === undefined ? {} : { items: fieldSchema(of) }),
  };
}

/** The JSON schema of an object with these fields and no others. */
export function objectSchema(fields: { readonly [name: string]: FieldForm }): JsonObject {
  const required = Object.entries(fields).filter(([, field]) => isRequired(field));
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]),
    ),
    required: required.map(([name]) => name),
    additionalProperties: false,
  };
}

/** Whether a value must be given. */
export function isRequired(field: FieldForm): boolean {
  return typeof field === "string" || (field.optional !== true && field.default === undefined);
}

/** The values that stand for what is left out; a field without a default is null. */
export function defaultsOf(fields: { readonly [name: string]: FieldForm }): {
  readonly [name: string]: Json;
} {
  const missing = Object.entries(fields).filter(([, field]) => !isRequired(field));
  return Object.fromEntries(
    missing.map(([name, field]) => [
      name,
      typeof field === "string" ? null : (field.default ?? null),
    ]),
  );
}

/** A type with its article: "a text". */
export function articled(schema: JsonSchema): string {
  const word = typeWord(schema);
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}

/** All types of a schema in words: "text or number". */
export function typeWords(schema: JsonSchema): string {
  return typesOf(schema)
    .map((type) => typeWord({ type }))
    .join(" or ");
}

/** Whether a value of one type may be given where another is expected: a call reads numbers and texts as each other. */
export function isFitting(given: JsonSchema, expected: JsonSchema): boolean {
  const wanted = typesOf(expected);
  const types = typesOf(given);
  if (wanted.length === 0 || types.some((type) => wanted.includes(type))) return true;
  const isNumber = types.some((type) => type === "integer" || type === "number");
  return isNumber && wanted.some((type) => ["number", "integer", "string"].includes(type));
}
