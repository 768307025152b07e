import { isRecord } from "../json/json.js";
import { cut, type Language, languageOf, onOneLine, words } from "./words.js";

/** A template: parts that end with a comma, a full stop or the text. */
export type Template = {
  readonly parts: readonly Part[];
  readonly language: Language;
  /** The paths of its placeholders, as written. */
  readonly placeholders: readonly string[];
};

type Part = { readonly items: readonly Item[]; readonly end: string };
type Item = string | { readonly path: readonly string[] } | Group;
/** Parts in brackets. */
type Group = { readonly open: string; readonly close: string; readonly parts: readonly Part[] };

/** The longest value of a placeholder, in characters. */
const maxValue = 300;

const closers: { readonly [open: string]: string } = { "（": "）", "(": ")", "【": "】", "[": "]" };

/** Placeholders, brackets, what may end a part, and the text between them. */
const token =
  /\{\{[^{}]*\}\}|[（）()【】[\]，、；。！？\n,;.!?]|[^{（）()【】[\]，、；。！？\n,;.!?]+|\{/gu;

const endsSentence = /[。！？.!?\n]/;
const endsPart = /^[，、；。！？\n,;.!?]$/;

/** Reads a template; a `{{` or `}}` that belongs to no placeholder stays in its text. */
export function readTemplate(text: string): Template {
  const tokens = text.match(token) ?? [];
  const placeholders = tokens.filter(isPlaceholder).map((each) => each.slice(2, -2).trim());
  const parts = partsOf(tokens, bracketsOf(tokens), 0, tokens.length);
  return { parts, language: languageOf(text), placeholders };
}

function isPlaceholder(text: string): boolean {
  return text.startsWith("{{") && text.endsWith("}}");
}

/** Where each opening bracket closes. Others are text. */
function bracketsOf(tokens: readonly string[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [at, text] of tokens.entries()) {
    if (Object.hasOwn(closers, text)) open.push(at);
    const last = open.at(-1);
    if (last === undefined || closers[tokens[last] ?? ""] !== text) continue;
    pairs.set(last, at);
    open.pop();
  }
  return pairs;
}

function partsOf(
  tokens: readonly string[],
  brackets: ReadonlyMap<number, number>,
  from: number,
  to: number,
): readonly Part[] {
  const parts: Part[] = [];
  let items: Item[] = [];
  for (let at = from; at < to; at += 1) {
    const text = tokens[at] ?? "";
    const close = brackets.get(at);
    if (close !== undefined) {
      const inside = partsOf(tokens, brackets, at + 1, close);
      items.push({ open: text, close: tokens[close] ?? "", parts: inside });
      at = close;
    } else if (endsHere(text, at + 1 < to ? tokens[at + 1] : undefined)) {
      parts.push({ items, end: text });
      items = [];
    } else items.push(isPlaceholder(text) ? { path: pathOf(text.slice(2, -2)) } : text);
  }
  return [...parts, { items, end: "" }];
}

/** The segments of a placeholder. */
export function pathOf(placeholder: string): readonly string[] {
  return placeholder.trim().split(".");
}

/** Whether a token ends its part. A full stop within a word or number does not. */
function endsHere(text: string, next: string | undefined): boolean {
  return endsPart.test(text) && (!/[,;.!?]/.test(text) || next === undefined || /^\s/.test(next));
}

/**
 * The text with the values in place of the placeholders. A part without any of its values is left out with its comma or
 * brackets; where no part would be left, only the placeholders are.
 */
export function fillTemplate({ parts, language }: Template, values: unknown): string {
  const fill: Fill = { values, language, dropsParts: true };
  const filled = fillParts(parts, fill);
  const { text } = filled.isDropped ? fillParts(parts, { ...fill, dropsParts: false }) : filled;
  return filled.missing === 0 ? text.trim() : tidied(text);
}

/** Without the gaps that missing values leave. */
function tidied(text: string): string {
  return text
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/(?<=[([]) | (?=[,.!?;:)\]])/g, "")
    .trim();
}

type Fill = {
  readonly values: unknown;
  readonly language: Language;
  /** Whether parts without values are left out. */
  readonly dropsParts: boolean;
};

/** `present` and `missing` count values. */
type Filled = { readonly text: string; readonly present: number; readonly missing: number };

function fillParts(parts: readonly Part[], fill: Fill): Filled & { readonly isDropped: boolean } {
  const filled = parts.map(({ items, end }) => ({ ...fillItems(items, fill), end }));
  const kept: Ended[] = [];
  for (const { text, end, present, missing } of filled) {
    if (!fill.dropsParts || missing === 0 || present > 0) kept.push({ text, end });
    else dropPart(kept.at(-1), end);
  }
  const text = kept.map((each) => each.text + each.end).join("");
  const missing = sum(filled.map((each) => each.missing));
  return {
    text,
    present: sum(filled.map((each) => each.present)),
    missing,
    isDropped: missing > 0 && !/[\p{L}\p{N}]/u.test(text),
  };
}

type Ended = { readonly text: string; end: string };

/** The end of a sentence takes the place of the comma before. */
function dropPart(before: Ended | undefined, end: string): void {
  if (before === undefined || endsSentence.test(before.end)) return;
  if (end === "" || endsSentence.test(end)) before.end = end;
}

function fillItems(items: readonly Item[], fill: Fill): Filled {
  const filled = items.map((item) => fillItem(item, fill));
  return {
    text: filled.map(({ text }) => text).join(""),
    present: sum(filled.map(({ present }) => present)),
    missing: sum(filled.map(({ missing }) => missing)),
  };
}

function fillItem(item: Item, fill: Fill): Filled {
  if (typeof item === "string") return { text: item, present: 0, missing: 0 };
  if ("path" in item) {
    const text = textOf(valuesAt(fill.values, item.path), fill.language);
    const isPresent = text !== "";
    return { text, present: isPresent ? 1 : 0, missing: isPresent ? 0 : 1 };
  }
  const inside = fillParts(item.parts, fill);
  const isEmpty = inside.missing > 0 && inside.present === 0;
  return { ...inside, text: isEmpty ? "" : `${item.open}${inside.text}${item.close}` };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The values at a path; lists on the way give one for each item. */
function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => valuesAt(each, path));
  const [key, ...rest] = path;
  if (key === undefined) return [value];
  return isRecord(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [];
}

/** Values as words; what has no words is left out. */
function textOf(values: readonly unknown[], language: Language): string {
  const texts = values.map((value) => wordsOf(value, language)).filter((text) => text !== "");
  return cut(texts.join(words[language].listComma), maxValue);
}

function wordsOf(value: unknown, language: Language): string {
  if (typeof value === "string") return cut(onOneLine(value.slice(0, 10 * maxValue)), maxValue);
  if (typeof value === "boolean") return words[language][value ? "yes" : "no"];
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return dateText(value);
  return "";
}

/** A day, with its time unless that is midnight. */
function dateText(date: Date): string {
  return date.toISOString().replace("T00:00:00.000Z", "").replace(".000Z", "Z");
}
