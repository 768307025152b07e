import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isDigits, isWhole } from "../json/exact-json.js";
import { isRecord, type Json } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { shown } from "../run/check-names.js";
import type { Validated } from "./structured-output.js";

/** What LangChain's `toolStrategy` and `providerStrategy` return: a JSON schema, and how to ask for it. */
type Strategy = { readonly schema: { readonly [name: string]: unknown } };

/**
 * The form of structured output: a zod schema, a JSON schema, LangChain's `toolStrategy` or `providerStrategy` of one, or
 * a list of alternatives. How a model is asked for it always follows from what the model supports.
 */
export type ResponseFormat =
  | z.ZodType
  | Strategy
  | { readonly [name: string]: unknown }
  | readonly (z.ZodType | Strategy | { readonly [name: string]: unknown })[];

/** The output schema of a response format. Throws `invalid_option` for any other value, or one without a JSON schema. */
export function zodOutput(name: string, format: ResponseFormat) {
  try {
    const wanted = zodOf(format);
    const schema: unknown = jsonSchema(wanted);
    if (!isRecord(schema)) throw new TypeError("it is no object");
    const { $schema: _dialect, ...rest } = schema;
    return { name, schema: rest, read: (value: unknown) => validated(value, wanted) };
  } catch (error) {
    const message = `responseFormat cannot be told to a model: ${errorLine(error)}. Use a zod schema of JSON values, without transforms and dates, or a JSON schema.`;
    throw new PlangraphError("invalid_option", message, { cause: error });
  }
}

function zodOf(format: unknown): z.ZodType {
  if (isZod(format)) return format;
  if (Array.isArray(format)) {
    const [first, ...others] = format.map((each: unknown) => zodOf(each));
    if (first !== undefined) return others.length === 0 ? first : z.union([first, ...others]);
  }
  const given = isRecord(format) && isRecord(format["schema"]) ? format["schema"] : format;
  const isJsonSchema =
    isRecord(given) && ["type", "properties", "anyOf", "oneOf"].some((key) => key in given);
  if (isJsonSchema) return z.fromJSONSchema(given);
  throw new TypeError(`it is neither a zod schema nor a JSON schema but ${shown(format)}`);
}

function isZod(format: unknown): format is z.ZodType {
  return isInteropZodSchema(format);
}

function jsonSchema(format: z.ZodType): unknown {
  try {
    return toJsonSchema(format);
  } catch (error) {
    // LangChain closes nested objects one by one: it never ends with a recursive schema.
    if (error instanceof RangeError) return z.toJSONSchema(format);
    throw error;
  }
}

async function validated(value: unknown, format: z.ZodType): Promise<Validated<Json>> {
  const exact = await format.safeParseAsync(value);
  // A fraction with more decimals than a number keeps means the nearest number.
  const parsed = exact.success ? exact : await format.safeParseAsync(withFractions(value));
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error) };
  // State holds JSON only: a date that the schema makes from a text becomes text again.
  const json: Json = JSON.parse(JSON.stringify(parsed.data));
  return { ok: true, value: json };
}

function withFractions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withFractions(each));
  if (isRecord(value)) {
    const fields = Object.entries(value).map(([name, each]) => [name, withFractions(each)]);
    return Object.fromEntries(fields);
  }
  return isDigits(value) && !isWhole(value) ? Number(value) : value;
}
