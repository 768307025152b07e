import { findJson } from "../../json/find-json.js";
import { isRecord, type Json, maxDepth } from "../../json/json.js";
import { quoteCloser } from "../../json/scan-json.js";
import type { CallForm } from "./call-arguments.js";
import { type StepForm, stepInJson } from "./json-step.js";
import { addStep, countList, countTextStep, type PlanDraft, type Span } from "./plan-draft.js";
import {
  asJson,
  charAt,
  lineEnd,
  type QuoteScan,
  type Reading,
  readWholeJson,
  scanQuoted,
  textOf,
} from "./text-source.js";

/** A JSON value that is read from a draft's text, which may be incomplete. */
type JsonReading = QuoteScan & {
  readonly draft: PlanDraft;
  readonly from: number;
  /** It begins a line: there, a list of plain texts may be a plan. */
  readonly isStart: boolean;
  /** The open objects and lists, innermost last. */
  readonly frames: Frame[];
  /** Where the current string began. */
  stringFrom: number;
  /** Where the current member began: after a bracket or a comma. */
  memberFrom: number;
  /** Whether it contains a step or a list of steps. */
  isPlan: boolean;
  /** The comments before it was known to be a plan. */
  readonly comments: Span[];
  /** Where the last element ended: the text after it may contain more. */
  elementsTo: number;
};

/** An open object or list. */
type Frame = {
  readonly kind: "{" | "[";
  readonly from: number;
  /** Where the key of the current value began, for an object. */
  keyFrom: number;
  /** A list of steps or of calls (a text in it is not a task), or around such a list: its brackets are form, not text. */
  role: "steps" | "calls" | "around" | undefined;
  /** Whether a step was read in it. */
  hasSteps: boolean;
};

/**
 * Reads the object or list that begins at `from`. Takes each element of a list of steps when it is complete, and an
 * object that is a step when it closes. Returns where the text continues; nothing if this is not complete JSON.
 */
export function* readPlanJson(
  draft: PlanDraft,
  from: number,
  isStart: boolean,
): Reading<number | undefined> {
  const reading: JsonReading = {
    draft,
    from,
    isStart,
    frames: [],
    closer: undefined,
    isEscaped: false,
    before: "",
    stringFrom: from,
    memberFrom: from,
    isPlan: false,
    comments: [],
    elementsTo: from,
  };
  for (let at = from; ; at += 1) {
    const char = yield* charAt(draft.source, at);
    if (char === "") return unfinished(reading, at);
    if (yield* isComment(reading, at, char)) {
      const end = yield* lineEnd(draft.source, at);
      const comment = { from: at, to: end };
      draft.asides.push(textOf(draft.source, at, end));
      (reading.isPlan ? draft.spans : reading.comments).push(comment);
      at = end - 1;
    } else {
      if (!readChar(reading, char, at)) return reading.isPlan ? at : undefined;
      if (reading.frames.length === 0) return at + 1;
    }
  }
}

function* isComment({ draft, closer }: JsonReading, at: number, char: string): Reading<boolean> {
  if (char !== "/" || closer !== undefined) return false;
  return (yield* charAt(draft.source, at + 1)) === "/";
}

/** Reads a character of lenient JSON; false for a bracket that closes nothing or nests too deep. */
function readChar(reading: JsonReading, char: string, at: number): boolean {
  const top = reading.frames.at(-1);
  if (reading.closer !== undefined) {
    const isEnd = scanQuoted(reading, char);
    if (isEnd && top !== undefined && isList(top)) {
      element(reading, { from: reading.stringFrom, to: at + 1 }, top);
    }
    return true;
  }
  if (opensString(char, reading.before)) {
    reading.closer = quoteCloser[char];
    reading.stringFrom = at;
    return true;
  }
  return readSign(reading, char, at);
}

/** Single quotes open a string only where one may begin: elsewhere they are apostrophes. */
function opensString(char: string, before: string): boolean {
  return char === '"' || char === "“" || ("'‘".includes(char) && "{[,:｛【，：".includes(before));
}

const kinds: { readonly [bracket: string]: "{" | "[" } = {
  "{": "{",
  "｛": "{",
  "[": "[",
  "【": "[",
  "}": "{",
  "｝": "{",
  "]": "[",
  "】": "[",
};

function readSign(reading: JsonReading, char: string, at: number): boolean {
  const { draft, frames } = reading;
  const top = frames.at(-1);
  const kind = kinds[char];
  if (char.trim() !== "") reading.before = char;
  if ("{[,｛【，".includes(char)) reading.memberFrom = at + 1;
  if (",，".includes(char) && top !== undefined && isForm(top, reading)) {
    draft.spans.push({ from: at, to: at + 1 });
  }
  if (":：".includes(char) && top !== undefined) top.keyFrom = reading.memberFrom;
  if (kind === undefined) return true;
  return "{[｛【".includes(char) ? open(reading, kind, at) : close(reading, kind, at);
}

function isList({ role }: Frame): boolean {
  return role === "steps" || role === "calls";
}

/** The key of a list of calls, in which only calls are steps. */
const callsKey = /["'“]tools["'”]\s*[:：]\s*$/i;
const listKeys = /(?:^|[^\p{L}\p{N}_])(?:steps|plan|tasks)["'”’]?\s*[:：]\s*$/iu;

function open(reading: JsonReading, kind: Frame["kind"], at: number): boolean {
  if (reading.frames.length >= maxDepth) return false;
  const frame: Frame = { kind, from: at, keyFrom: at, role: undefined, hasSteps: false };
  reading.frames.push(frame);
  if (kind === "[") nameList(reading, frame);
  return true;
}

/** Finds by its key whether a list is the list of steps. */
function nameList(reading: JsonReading, frame: Frame): void {
  const { draft, frames } = reading;
  const around = frames.slice(0, -1);
  const parent = around.at(-1);
  if (parent === undefined) frame.role = "steps";
  if (parent === undefined || around.some(({ kind }) => kind === "[")) return;
  const key = textOf(draft.source, Math.max(parent.keyFrom, frame.from - 40), frame.from);
  if (callsKey.test(key)) frame.role = "calls";
  if (!listKeys.test(key)) return;
  frame.role = "steps";
  for (const [at, outer] of around.entries()) {
    const inner = frames[at + 1]?.from ?? frame.from;
    draft.spans.push({ from: outer.keyFrom, to: inner + 1 });
    outer.role = "around";
  }
  markPlan(reading);
}

/** Marks the value as a plan: its first bracket and its comments are form. */
function markPlan(reading: JsonReading): void {
  const { draft, from, comments } = reading;
  reading.isPlan = true;
  draft.hasPlan = true;
  draft.lead = undefined;
  draft.spans.push({ from, to: from + 1 }, ...comments.splice(0));
}

function close(reading: JsonReading, kind: Frame["kind"], at: number): boolean {
  const { draft, frames } = reading;
  const opened = frames.findLastIndex((frame) => frame.kind === kind);
  if (opened < 0) return false;
  // From the inside out: all but the last have no closing bracket.
  const closed = frames.splice(opened).toReversed();
  const last = closed.at(-1);
  for (const [index, frame] of closed.entries()) {
    const parent = closed[index + 1] ?? frames.at(-1);
    const span = { from: frame.from, to: frame === last ? at + 1 : at };
    if (parent === undefined) single(reading, span);
    else if (isList(parent)) element(reading, span, parent);
  }
  if (last !== undefined && isForm(last, reading)) draft.spans.push({ from: at, to: at + 1 });
  return true;
}

/** Whether the brackets and commas of an object or list are part of the form of a plan. */
function isForm(frame: Frame, { isPlan }: JsonReading): boolean {
  return frame.role === "around" || (isList(frame) && isPlan);
}

/** Whether an element of a list is a step: under a key for steps all are, in a list of calls no text is. */
function isTaken({ from, isStart }: JsonReading, list: Frame, isText: boolean, isSure: boolean) {
  if (list.role === "calls") return !isText && isSure;
  return list.from !== from || (isText ? isStart : isSure);
}

/** An element of a list of steps. In a list without such a key, only a certain step counts. */
function element(reading: JsonReading, { from, to }: Span, list: Frame): void {
  const { draft } = reading;
  const text = textOf(draft.source, from, to);
  const isText = /^["'“‘]/.test(text);
  const value = isText ? plainText(text) : readWholeJson(text);
  if (value === undefined) return;
  const read = stepInJson(value, stepForm(draft));
  if (read === undefined || !isTaken(reading, list, isText, read.isSure)) return;
  markPlan(reading);
  if (!list.hasSteps) countList(draft);
  list.hasSteps = true;
  reading.elementsTo = to;
  addStep(draft, read.step, { from, to }, read.unread);
}

function plainText(text: string): Json | undefined {
  const list = readWholeJson(`[${text}]`);
  const [only]: readonly Json[] = Array.isArray(list) ? list : [];
  return typeof only === "string" ? only : undefined;
}

function single(reading: JsonReading, { from, to }: Span): void {
  const { draft } = reading;
  if (reading.isPlan) return;
  const value = readWholeJson(textOf(draft.source, from, to));
  takeSure(reading, value, { from, to });
}

function takeSure(reading: JsonReading, value: Json | undefined, span: Span): void {
  const read = isRecord(value) ? stepInJson(value, stepForm(reading.draft)) : undefined;
  if (read?.isSure !== true) return;
  markPlan(reading);
  countTextStep(reading.draft);
  addStep(reading.draft, read.step, span, read.unread);
}

/** At the end of the text: reads JSON that lacks only its closing brackets, unless the text was cut. */
function unfinished(reading: JsonReading, end: number): number | undefined {
  const { draft, frames, from } = reading;
  const inner = frames.findIndex((frame) => isList(frame)) + 1;
  const tail = frames[inner]?.from ?? Math.max(from, reading.elementsTo);
  if (!draft.isCut && tail < draft.searchedFrom) {
    // Later starts lie within this searched text: unclosed brackets do not cause one search each.
    draft.searchedFrom = tail;
    for (const found of findJson(textOf(draft.source, tail, end).trimEnd()).found) {
      takeSure(reading, asJson(found.value), { from: tail + found.start, to: tail + found.end });
    }
  }
  return reading.isPlan ? end : undefined;
}

function stepForm(draft: PlanDraft): StepForm {
  const { highest, steps, parameters, known } = draft;
  const formOf = (tool: string): CallForm => ({
    names: parameters.get(tool),
    known,
    // The papers' references are read only in the papers' text forms.
    dialect: "rewoo",
    earlier: new Set(),
  });
  return { highest, before: steps.at(-1)?.id, formOf };
}
