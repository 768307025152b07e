import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isDigits, isWhole } from "../json/exact-json.js";
import { isRecord, type Json } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { structuredPrompt, structuredRepairPrompt } from "../prompts/structured.js";
import type { OutcomeCause, ReachedLimit } from "../state/outcome.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { callModel } from "./call-model.js";
import { fitting, type StructuredForm, type Validated } from "./fitting.js";
import type { ModelRequest } from "./model-request.js";
import { wasCut } from "./read-reply.js";

/** The form that structured output takes: a zod schema. */
export type ResponseFormat = z.ZodType;

/** Structured output that fits its form, or what stood against it. Never a silent nothing. */
export type StructuredReply<T> = { readonly usage: Usage } & (
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The limit that was in the way, if that is what failed. */
      readonly limit?: ReachedLimit;
      /** What a person may take over for, where it is no failure of any kind. */
      readonly cause?: OutcomeCause;
      /** The last reply, where what did not fit about it is that it was cut. */
      readonly cut?: string;
    }
);

/** The form that a zod schema describes. Throws `invalid_option` for what is none, or what JSON Schema cannot express. */
export function zodForm(name: string, format: ResponseFormat): StructuredForm<Json> {
  try {
    if (!isInteropZodSchema(format)) throw new TypeError("it is no zod schema");
    const schema: unknown = jsonSchema(format);
    if (!isRecord(schema)) throw new TypeError("it is no object");
    const { $schema: _dialect, ...rest } = schema;
    return { name, schema: rest, read: (value) => validated(value, format) };
  } catch (error) {
    const message = `responseFormat cannot be told to a model: ${errorLine(error)}. Use a zod schema of JSON values, without transforms and dates.`;
    throw new PlangraphError("invalid_option", message, { cause: error });
  }
}

function jsonSchema(format: ResponseFormat): unknown {
  try {
    return toJsonSchema(format);
  } catch (error) {
    // LangChain closes the objects in an object one by one: in one that holds itself it finds no end.
    if (error instanceof RangeError) return z.toJSONSchema(format);
    throw error;
  }
}

/** How often a reply that does not fit goes back to the model. */
const maxRepairs = 2;

/**
 * Asks for an object of a form; `task` says what it is to hold. It is asked for in the surest way
 * that the model takes: constrained by a JSON schema, as the arguments of a forced tool call, in JSON
 * mode, or by prompt. Read tolerantly and always validated; a reply that does not fit goes back with
 * what was wrong, `mayRepair` times at most.
 */
export async function structuredReply<T>(
  request: Omit<ModelRequest, "toUser" | "tools" | "options" | "form" | "postscript">,
  form: StructuredForm<T>,
  task: string,
  mayRepair = maxRepairs,
): Promise<StructuredReply<T>> {
  const { schema } = form;
  const asked = new HumanMessage(structuredPrompt(schema, task));
  let postscript: BaseMessage[] = [asked];
  let usage = noUsage;
  for (let repairs = 0; ; repairs += 1) {
    const reply = await callModel({
      ...request,
      postscript,
      form,
      toUser: false,
    });
    usage = addUsage(usage, reply.usage);
    if (reply.kind === "limit") {
      const problem = `the limit of ${reply.limit} was reached`;
      return { ok: false, problem, limit: reply.limit, usage };
    }
    if (reply.kind === "failed") {
      const { reason: problem, cause } = reply;
      return { ok: false, problem, ...(cause === undefined ? {} : { cause }), usage };
    }
    const { text } = reply.message;
    const isCut = wasCut(reply.message);
    const read = await fitting(text, isCut, form, repairs > 0);
    if (read.ok) return { ...read, usage };
    const { problem } = read;
    const { run, role } = request;
    run.emit({ type: "model_corrected", model: reply.model, role, content: { problem } });
    if (repairs === mayRepair) {
      const told = `The model's ${form.name} did not fit: ${problem}`;
      return { ok: false, problem: told, usage, ...(isCut ? { cut: text } : {}) };
    }
    postscript = [asked, new HumanMessage(structuredRepairPrompt(text, problem, schema))];
  }
}

async function validated(value: unknown, format: ResponseFormat): Promise<Validated<Json>> {
  const exact = await format.safeParseAsync(value);
  // A fraction with more decimals than a number keeps is meant as the number that comes nearest.
  const parsed = exact.success ? exact : await format.safeParseAsync(withFractions(value));
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error) };
  // State holds JSON only: a date that the schema makes of a text goes back to text.
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
