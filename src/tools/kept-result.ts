import { defined, type Json } from "../json/json.js";
import { insideFence } from "../prompts/fence.js";
import type { Observation } from "../state/observation.js";

/** The longest result that is kept in the state, in characters: every checkpoint holds it. */
export const maxKeptChars = 1_000_000;

/** What of an observation keeps the result itself, where `content` is not all of it. */
export type KeptResult = Pick<Observation, "value" | "text" | "cut" | "notKept">;

type Whole = { readonly text: string; readonly value?: Json | undefined };

/** How `content` shows it: only a part of it, or with something around it. */
type Shown = { readonly isCut: boolean; readonly isBare: boolean };

/** Decides what is kept beside `content`: only what says more than it, and nothing that is larger than a checkpoint should hold. */
export function keepResult({ text, value }: Whole, { isCut, isBare }: Shown): KeptResult {
  const fits = text.length <= maxKeptChars;
  const cut = isCut && fits ? { cut: text.length } : {};
  if (value !== undefined) return { ...keepValue(value, text, isCut && fits), ...cut };
  if (isBare && !isCut) return {};
  return fits ? { value: text, ...cut } : { notKept: text.length };
}

/** A structured result, with its text where that is needed and the value does not say it. */
function keepValue(value: Json, text: string, needsText: boolean): KeptResult {
  const written = JSON.stringify(value);
  const isKept = written.length <= maxKeptChars;
  return {
    ...(isKept ? { value } : { notKept: written.length }),
    ...(needsText && !(isKept && written === text) ? { text } : {}),
  };
}

/** The whole result as a reference reads it; nothing of one that is too large to keep. */
export function wholeValue({ value, content, notKept }: Observation): Json | undefined {
  return notKept === undefined ? (value ?? content) : undefined;
}

/** The whole text of a result, without cut and fence; of one that is too large to keep what `content` has of it. */
export function wholeText({ value, text, content, cut }: Observation): string {
  if (text !== undefined) return text;
  if (typeof value === "string") return value;
  return cut !== undefined && value !== undefined
    ? JSON.stringify(value)
    : insideFence(content).text;
}

/** What keeps the result of an observation whose content gets words of ours: what refers to it reads none of them. */
export function keptOf({ ok, value, text, cut, notKept, content }: Observation): KeptResult {
  const bare = value ?? (ok && notKept === undefined ? content : undefined);
  return defined({ value: bare, text, cut, notKept });
}
