import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { findJson } from "../json/find-json.js";
import { canonicalJson, defined, isRecord } from "../json/json.js";
import { quoteEnd, readJson } from "../json/read-json.js";
import {
  formPrompt,
  type ReplyFault,
  structuredPrompt,
  structuredRepairPrompt,
} from "../prompts/structured.js";
import type { ReachedLimit } from "../state/limits.js";
import type { OutcomeCause } from "../state/outcome.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { endsInLoop } from "./call/endless.js";
import { callModel } from "./call-model.js";
import type { ModelRequest } from "./model-request.js";
import { splitThoughts } from "./protocol/text.js";
import type { NamedSchema } from "./provider/output-mode.js";
import { wasCut } from "./reply.js";

/** Structured output that fits its schema, or the reason why there is none. */
export type StructuredReply<T> = { readonly usage: Usage } & (
  | {
      readonly ok: true;
      readonly value: T;
      /** The name of the model that replied. */
      readonly model: string;
    }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The limit that was reached, if one was. */
      readonly limit?: ReachedLimit;
      /** The cause, if a person can take over. */
      readonly cause?: OutcomeCause;
      /** Replies came, and none fitted. */
      readonly isUnfit?: true;
      /** The last reply, if its only problem is that it was cut. */
      readonly cut?: string;
    }
);

/** How often an invalid reply goes back to the model. */
const maxRepairs = 2;

/**
 * Asks for an object; `task` describes it. The request uses the most reliable mode that the model supports: a JSON
 * schema, a forced tool call, JSON mode, or the prompt alone. The reply is read tolerantly and always validated; an
 * invalid one goes back with the problem, at most `mayRepair` times. A value that was only doubted stands where no better
 * one comes.
 */
export async function structuredReply<T>(
  request: StructuredRequest,
  output: OutputSchema<T>,
  task: string,
  mayRepair = maxRepairs,
): Promise<StructuredReply<T>> {
  const reply = await repairedReply(request, output, task, mayRepair);
  const value = standingIn(output);
  if (reply.ok || value === undefined) return reply;
  return { ok: true, value, usage: reply.usage, model: request.models[0]?.name ?? "" };
}

type StructuredRequest = Omit<
  ModelRequest,
  "streamToUser" | "tools" | "options" | "output" | "trailingMessages"
>;

function standingIn<T>(output: OutputSchema<T>): T | undefined {
  return "standing" in output ? output.standing?.() : undefined;
}

async function repairedReply<T>(
  request: StructuredRequest,
  output: OutputSchema<T>,
  task: string,
  mayRepair: number,
): Promise<StructuredReply<T>> {
  const asked = new HumanMessage(structuredPrompt(task));
  const messages = withForm(request.messages, output);
  let trailingMessages: BaseMessage[] = [asked];
  let usage = noUsage;
  let before: string | undefined;
  for (let repairs = 0; ; repairs += 1) {
    const reply = await callModel({
      ...request,
      messages,
      trailingMessages,
      output,
      streamToUser: false,
      isRepair: repairs > 0,
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
    const read = await fitting(text, isCut, output, repairs > 0);
    if (read.ok) return { ...read, usage, model: reply.model };
    const { problem } = read;
    const { run, role } = request;
    const { model, modelCallId } = reply;
    const of = { model, role, ...defined({ modelCallId, for: request.for }) };
    run.emit({ type: "model_corrected", ...of, content: { problem } });
    const hasStanding = repairs > 0 && standingIn(output) !== undefined;
    if (repairs === mayRepair || hasStanding) {
      const told = `The model's ${output.name} did not fit: ${problem}`;
      return { ok: false, problem: told, isUnfit: true, usage, ...(isCut ? { cut: text } : {}) };
    }
    const again = structuredRepairPrompt(text, problem, faultOf(text, before, isCut));
    trailingMessages = [asked, new HumanMessage(again)];
    before = text;
  }
}

/** Why a model does not read its reply again. */
function faultOf(text: string, before: string | undefined, isCut: boolean): ReplyFault | undefined {
  if (text === before) return "again";
  return isCut && endsInLoop(text) ? "loop" : undefined;
}

/** The messages with the form of the reply at the end of their system message. */
function withForm(messages: readonly BaseMessage[], output: NamedSchema): BaseMessage[] {
  const [first, ...rest] = messages;
  const form = formPrompt(output.schema, output.form);
  if (first?.type !== "system") return [new SystemMessage(form), ...messages];
  return [new SystemMessage(`${first.text}\n\n${form}`), ...rest];
}

/**
 * The value of an answer that is a whole object of the schema, and says nothing that the schema leaves out. `undefined`
 * for any other answer, such as prose with an object in it.
 */
export async function writtenInForm<T>(
  answer: string,
  output: JsonOutputSchema<T>,
): Promise<T | undefined> {
  const parsed = readJson(answer);
  if (!parsed.ok || parsed.repaired || !isRecord(parsed.value)) return undefined;
  const read = await output.read(parsed.value);
  return read.ok && canonicalJson(read.value) === canonicalJson(parsed.value)
    ? read.value
    : undefined;
}

/** A valid value, or the problem in words for the model. */
export type Validated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** An object that models are asked for: its name and schema for servers, and how it is read and validated. */
export type OutputSchema<T> = JsonOutputSchema<T> | ReplyOutputSchema<T>;

/** An output that is read from the whole reply: the text around the object matters. */
export type ReplyOutputSchema<T> = NamedSchema & {
  /** `isCut`: the reply ended at a limit. `isRepair`: an earlier reply went back. */
  readonly readReply: (
    text: string,
    isCut: boolean,
    isRepair: boolean,
  ) => Validated<T> | Promise<Validated<T>>;
  /** What an earlier reply gave that was only doubted: it stands where no better one comes. */
  readonly standing?: () => T | undefined;
};

/** An output that is read from the first valid object. */
export type JsonOutputSchema<T> = NamedSchema & {
  /** Validates the model's object. */
  readonly read: (value: unknown) => Validated<T> | Promise<Validated<T>>;
  /** Reads a reply without valid JSON, for an output with a text form. `isCut`: it ended at a limit. */
  readonly readText?: (text: string, isCut: boolean) => Validated<T> | Promise<Validated<T>>;
};

/** Reads a reply by its output schema. */
export async function fitting<T>(
  text: string,
  isCut: boolean,
  output: OutputSchema<T>,
  isRepair = false,
): Promise<Validated<T>> {
  const { rest } = splitThoughts(text);
  return readRest(rest, isCut, output, isRepair);
}

function readRest<T>(
  rest: string,
  isCut: boolean,
  output: OutputSchema<T>,
  isRepair: boolean,
): Validated<T> | Promise<Validated<T>> {
  return "readReply" in output
    ? output.readReply(rest, isCut, isRepair)
    : fittingJson(rest, isCut, output);
}

/**
 * The output for one request, of which a first value that is doubted goes back with the doubt, and stands where no better
 * one comes.
 */
export function doubtedOnce<T>(
  output: OutputSchema<T>,
  doubtOf: (value: T) => string | undefined,
): ReplyOutputSchema<T> {
  let doubted: T | undefined;
  return {
    ...output,
    readReply: async (text, isCut, isRepair) => {
      const read = await readRest(text, isCut, output, isRepair);
      const problem = read.ok && !isRepair ? doubtOf(read.value) : undefined;
      if (!read.ok || problem === undefined) return read;
      doubted = read.value;
      return { ok: false, problem };
    },
    standing: () => doubted,
  };
}

/** The first valid object of a reply, else its text form; or the problem of its first object. */
export async function fittingJson<T>(
  rest: string,
  isCut: boolean,
  output: JsonOutputSchema<T>,
): Promise<Validated<T>> {
  const whole = wholeJson(rest, isCut);
  const { found, problem } = findJson(rest);
  const inText = found.filter(({ missing, place }) => place === "alone" && !(missing > 0 && isCut));
  const values = whole.ok ? [whole.value] : inText.map(({ value }) => value);
  const unread = whole.ok ? "there is no JSON in the reply" : (problem ?? whole.problem);
  const wrong: string[] = [];
  for (const value of values.flatMap((each) => [each, ...unwrapped(each, output.name)])) {
    const read = await output.read(value);
    if (read.ok) return read;
    wrong.push(read.problem);
  }
  const inWords = await output.readText?.(rest, isCut);
  return inWords?.ok === true ? inWords : { ok: false, problem: wrong[0] ?? unread };
}

/** The text so far of a field in a cut object; empty before the text begins. */
export function cutValue(text: string, field: string): string {
  const found =
    new RegExp(String.raw`"${field}"\s*:\s*"((?:[^"\\]|\\.)*)`, "s").exec(text)?.[1] ?? "";
  // Drops an escape that is cut itself.
  const whole = readJson(`"${found.replace(/\\u[\da-f]{0,3}$/i, "")}"`);
  return whole.ok && typeof whole.value === "string" ? whole.value : "";
}

/** A text that is JSON and nothing else. Prose with commas could be repaired into a list, so it does not count. */
export function wholeJson(text: string, isCut = false): ReturnType<typeof readJson> {
  const read = readJson(text);
  // A cut number looks complete.
  if (isCut && read.ok && typeof read.value === "number") {
    return { ok: false, problem: `the number stops early: ${quoteEnd(text)}` };
  }
  const isProse = read.ok && read.repaired && !/^(?:```[\w-]*)?\s*[{["“｛【]/.test(text.trim());
  return isProse ? { ok: false, problem: `expected JSON, got ${quoteEnd(text)}` } : read;
}

/** Wrappers that models put around the object: a list of one, a call of the output tool, its name as a key. */
function unwrapped(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.length === 1 ? [value[0]] : [];
  if (!isRecord(value)) return [];
  const inner = [name, "arguments", "parameters"].map((key) => value[key]);
  return inner.filter((each) => isRecord(each) || Array.isArray(each));
}

/** A value as text: models give figures and lists where a text was asked for. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}
