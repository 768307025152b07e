import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { quoteEnd, readJson } from "../json/read-json.js";
import { splitThoughts } from "./protocol/split-thoughts.js";
import type { Form } from "./wire/form-ladder.js";

/** A value that fits its form, or what does not, in words for the model. */
export type Validated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** An object that models are asked for: how servers know it, and how it is read and checked. */
export type StructuredForm<T> = JsonForm<T> | ReplyForm<T>;

/** A form that is read from a whole reply: what stands around the object matters. */
export type ReplyForm<T> = Form & {
  /** `isCut`: the reply ended at a limit. `isRepair`: an earlier reply went back. */
  readonly readReply: (
    text: string,
    isCut: boolean,
    isRepair: boolean,
  ) => Validated<T> | Promise<Validated<T>>;
};

/** A form that the first object that fits is read from. */
export type JsonForm<T> = Form & {
  /** Checks what the model wrote. */
  readonly read: (value: unknown) => Validated<T> | Promise<Validated<T>>;
  /** Reads a reply without JSON that fits: the form may have a text of its own. `isCut`: it ended at a limit. */
  readonly readText?: (text: string, isCut: boolean) => Validated<T> | Promise<Validated<T>>;
};

/** Reads a reply by its form. */
export async function fitting<T>(
  text: string,
  isCut: boolean,
  form: StructuredForm<T>,
  isRepair = false,
): Promise<Validated<T>> {
  const { rest } = splitThoughts(text);
  return "readReply" in form
    ? form.readReply(rest, isCut, isRepair)
    : fittingJson(rest, isCut, form);
}

/** The first object of a reply that fits, or what is wrong with the first that is there at all. */
export async function fittingJson<T>(
  rest: string,
  isCut: boolean,
  form: JsonForm<T>,
): Promise<Validated<T>> {
  const whole = wholeJson(rest, isCut);
  const { found, problem } = findJson(rest);
  const inText = found.filter(({ missing, place }) => place === "alone" && !(missing > 0 && isCut));
  const values = whole.ok ? [whole.value] : inText.map(({ value }) => value);
  let wrong = values.length === 0 ? (problem ?? noJson(whole)) : undefined;
  for (const value of values.flatMap((each) => [each, ...unwrapped(each, form.name)])) {
    const read = await form.read(value);
    if (read.ok) return read;
    wrong ??= read.problem;
  }
  return (
    (await fittingText(rest, isCut, form)) ?? {
      ok: false,
      problem: wrong ?? "there is no JSON in the reply",
    }
  );
}

/** What a cut object says so far in a field with a text: nothing where the text has not begun. */
export function cutValue(text: string, field: string): string {
  const found =
    new RegExp(String.raw`"${field}"\s*:\s*"((?:[^"\\]|\\.)*)`, "s").exec(text)?.[1] ?? "";
  // An escape that is cut itself says nothing.
  const whole = readJson(`"${found.replace(/\\u[\da-f]{0,3}$/i, "")}"`);
  return whole.ok && typeof whole.value === "string" ? whole.value : "";
}

/** What a form with a text of its own reads in it, if that fits. */
async function fittingText<T>(
  text: string,
  isCut: boolean,
  { readText }: JsonForm<T>,
): Promise<Validated<T> | undefined> {
  const read = await readText?.(text, isCut);
  return read?.ok === true ? read : undefined;
}

/** A text that is JSON and nothing else. Prose with commas could be repaired into a list: that is none. */
export function wholeJson(text: string, isCut = false): ReturnType<typeof readJson> {
  const read = readJson(text);
  // Of a number nobody can see that its end is missing.
  if (isCut && read.ok && typeof read.value === "number") {
    return { ok: false, problem: `the number stops early: ${quoteEnd(text)}` };
  }
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
