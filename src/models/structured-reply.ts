import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { findJson } from "../guards/find-json.js";
import { quoteEnd, readJson } from "../guards/read-json.js";
import { errorLine } from "../observe/redact.js";
import { isRecord, type Json } from "../plan/json.js";
import { structuredPrompt, structuredRepairPrompt } from "../prompts/structured.js";
import type { LimitName } from "../state/outcome.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { callModel } from "./call-model.js";
import type { ModelRequest } from "./model-request.js";
import { splitThoughts } from "./protocol/split-thoughts.js";
import { wasCut } from "./read-reply.js";
import type { Form } from "./wire/form-ladder.js";

/** The form that structured output takes: a zod schema. */
export type ResponseFormat = z.ZodType;

/** A value that fits its form, or what does not, in words for the model. */
type Validated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** An object that models are asked for: how servers know it, and how it is checked. */
export type StructuredForm<T> = Form & {
  /** Checks what the model wrote. */
  readonly read: (value: unknown) => Validated<T> | Promise<Validated<T>>;
};

/** Structured output that fits its form, or what stood against it. Never a silent nothing. */
export type StructuredReply<T> = { readonly usage: Usage } & (
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The limit that was in the way, if that is what failed. */
      readonly limit?: LimitName;
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
 * what was wrong, twice at most.
 */
export async function structuredReply<T>(
  request: Omit<ModelRequest, "toUser" | "tools" | "options" | "form" | "postscript">,
  form: StructuredForm<T>,
  task: string,
): Promise<StructuredReply<T>> {
  const { name, schema } = form;
  const asked = new HumanMessage(structuredPrompt(schema, task));
  let postscript: BaseMessage[] = [asked];
  let usage = noUsage;
  for (let repairs = 0; ; repairs += 1) {
    const reply = await callModel({
      ...request,
      postscript,
      form: { name, schema },
      toUser: false,
    });
    usage = addUsage(usage, reply.usage);
    if (reply.kind === "limit") {
      const problem = `the limit of ${reply.limit} was reached`;
      return { ok: false, problem, limit: reply.limit, usage };
    }
    if (reply.kind === "failed") return { ok: false, problem: reply.reason, usage };
    const { text } = reply.message;
    const read = await fitting(text, wasCut(reply.message), form);
    if (read.ok) return { ...read, usage };
    const { problem } = read;
    request.run.emit({ type: "model_corrected", model: reply.model, content: { problem } });
    if (repairs === maxRepairs) {
      const told = `The answer did not fit the response format: ${problem}`;
      return { ok: false, problem: told, usage };
    }
    postscript = [asked, new HumanMessage(structuredRepairPrompt(text, problem, schema))];
  }
}

/** The first object in a text that fits; else what is wrong with the first that is there at all. */
async function fitting<T>(
  text: string,
  isCut: boolean,
  form: StructuredForm<T>,
): Promise<Validated<T>> {
  const { rest } = splitThoughts(text);
  const whole = wholeJson(rest);
  const { found, problem } = findJson(rest);
  const inText = found.filter(({ completed, isInner }) => !isInner && !(completed && isCut));
  const values = whole.ok ? [whole.value] : inText.map(({ value }) => value);
  let wrong = values.length === 0 ? (problem ?? noJson(whole)) : undefined;
  for (const value of values.flatMap((each) => [each, ...unwrapped(each, form.name)])) {
    const read = await form.read(value);
    if (read.ok) return read;
    wrong ??= read.problem;
  }
  return { ok: false, problem: wrong ?? "there is no JSON in the reply" };
}

/** A text that is JSON and nothing else. Prose with commas could be repaired into a list: that is none. */
function wholeJson(text: string): ReturnType<typeof readJson> {
  const read = readJson(text);
  const isProse = read.ok && read.repaired && !/^(?:```[\w-]*)?\s*[{["“｛【]/.test(text.trim());
  return isProse ? { ok: false, problem: `expected JSON, got ${quoteEnd(text)}` } : read;
}

function noJson(read: ReturnType<typeof readJson>): string | undefined {
  return read.ok ? undefined : read.problem;
}

/** What a model may have put around the object: a list of one, a call of the form, its name as a key. */
function unwrapped(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.length === 1 ? [value[0]] : [];
  if (!isRecord(value)) return [];
  const inner = [name, "arguments", "parameters"].map((key) => value[key]);
  return inner.filter((each) => isRecord(each) || Array.isArray(each));
}

async function validated(value: unknown, format: ResponseFormat): Promise<Validated<Json>> {
  const parsed = await format.safeParseAsync(value);
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error) };
  // State holds JSON only: a date that the schema makes of a text goes back to text.
  const json: Json = JSON.parse(JSON.stringify(parsed.data));
  return { ok: true, value: json };
}
