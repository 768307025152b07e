import { defined, type Json } from "../json/json.js";
import { insideFence } from "../prompts/fence.js";
import type { Observation } from "../state/observation.js";

/** Maximum length of a result in the state, in characters: every checkpoint holds it. */
export const maxKeptChars = 1_000_000;

/** The fields of an observation that keep the result, where `content` is not all of it. */
export type KeptResult = Pick<Observation, "value" | "text" | "cut" | "notKept">;

type Whole = { readonly text: string; readonly value?: Json | undefined };

/** How `content` shows the result: cut, or with text around it. */
type Shown = { readonly isCut: boolean; readonly isBare: boolean };

/** Decides what is kept beside `content`: only values with more than it, and nothing too large for a checkpoint. */
export function keepResult({ text, value }: Whole, { isCut, isBare }: Shown): KeptResult {
  const fits = text.length <= maxKeptChars;
  const cut = isCut && fits ? { cut: text.length } : {};
  if (value !== undefined) return { ...keepValue(value, text, isCut && fits), ...cut };
  if (isBare && !isCut) return {};
  return fits ? { value: text, ...cut } : { notKept: text.length };
}

/** The artifact, if it is not too large for a checkpoint. */
export function keepArtifact(artifact: Json | undefined): Json | undefined {
  return artifact === undefined || JSON.stringify(artifact).length > maxKeptChars
    ? undefined
    : artifact;
}

/** A structured result, with its text where that is needed and differs from the value. */
function keepValue(value: Json, text: string, needsText: boolean): KeptResult {
  const written = JSON.stringify(value);
  const isKept = written.length <= maxKeptChars;
  return {
    ...(isKept ? { value } : { notKept: written.length }),
    ...(needsText && !(isKept && written === text) ? { text } : {}),
  };
}

/** The whole result for references; nothing if it is too large to keep. */
export function wholeValue({ value, content, notKept }: Observation): Json | undefined {
  if (notKept !== undefined) return undefined;
  return value === undefined ? content : value;
}

/** The whole text of a result, without cut and fence; the text in `content` if it is too large to keep. */
export function wholeText({ value, text, content, cut }: Observation): string {
  if (text !== undefined) return text;
  if (typeof value === "string") return value;
  return cut !== undefined && value !== undefined
    ? JSON.stringify(value)
    : insideFence(content).text;
}

/** Keeps the result of an observation to whose content plangraph adds words, so that references do not read them. */
export function keptOf({ ok, value, text, cut, notKept, content }: Observation): KeptResult {
  const bare = value ?? (ok && notKept === undefined ? content : undefined);
  return defined({ value: bare, text, cut, notKept });
}
