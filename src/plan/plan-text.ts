import { callMark, endOfPlanLength, maxMark } from "./marks.js";
import type { PlanDraft } from "./plan-draft.js";
import { readPlanJson } from "./plan-json.js";
import { startsJson } from "./starts-json.js";
import { noteHeader, readTextCall } from "./text-call.js";
import { charAt, type Reading, skipBlanks, textOf, type TextSource } from "./text-source.js";

/** So often JSON that is never closed is looked for: a text of brackets must not take all day. */
const maxBrokenJson = 20;
const maxTag = "<reasoning>".length;

/**
 * Reads a plan from the text of a draft as it comes: calls in the forms of ReWOO and LLMCompiler, and
 * JSON. A step is taken once nothing that may follow can change it.
 */
export function* readPlanText(draft: PlanDraft): Reading<void> {
  yield* skipThinking(draft);
  while (!draft.isOver && (yield* charAt(draft.source, draft.source.at)) !== "") {
    yield* readSegment(draft);
  }
}

/** What a model thinks before its reply, between its tags, is no plan yet. */
function* skipThinking({ source, spans }: PlanDraft): Reading<void> {
  const from = yield* skipBlanks(source, 0);
  const tag = yield* openingTag(source, from);
  if (tag === undefined) return;
  const closing = `</${tag}>`;
  for (let at = from; ; at += 1) {
    const char = yield* charAt(source, at);
    const isEnd =
      char === ">" && textOf(source, at + 1 - closing.length, at + 1).toLowerCase() === closing;
    if (char !== "" && !isEnd) continue;
    source.at = char === "" ? at : at + 1;
    spans.push({ from: 0, to: source.at });
    return;
  }
}

/** The name of the tag that thinking begins with. */
function* openingTag(source: TextSource, from: number): Reading<string | undefined> {
  let tag = "";
  while (tag.length < maxTag && !tag.endsWith(">")) {
    const char = yield* charAt(source, from + tag.length);
    if (char === "" || !/^<[a-z]*>?$/i.test(tag + char)) return undefined;
    tag += char;
  }
  return /^<(think|thinking|reasoning)>$/i.exec(tag)?.[1]?.toLowerCase();
}

/** Reads to the end of a line, or to the end of the first step in it. */
function* readSegment(draft: PlanDraft): Reading<void> {
  const { source } = draft;
  const from = source.at;
  for (let at = from; ;) {
    const char = yield* charAt(source, at);
    if (char === "" || char === "\n") {
      noteLine(draft, from, at);
      if (!draft.isOver) source.at = at + char.length;
      return;
    }
    const next = "[［【(（{｛".includes(char) ? yield* readAtBracket(draft, from, at) : at + 1;
    if (next === undefined) return;
    at = next;
  }
}

/** A line without a step: the header of the next one, the end of the plan, or prose. */
function noteLine(draft: PlanDraft, from: number, to: number): void {
  const line = textOf(draft.source, from, Math.min(to, from + maxMark));
  const ending = endOfPlanLength(line);
  if (ending > 0) {
    draft.isOver = true;
    draft.source.at = from + ending;
    draft.spans.push({ from, to: from + ending });
  } else {
    noteHeader(draft, from, line);
  }
}

/** Where the line goes on behind a bracket that begins no step; nothing once a step has been taken. */
function* readAtBracket(draft: PlanDraft, from: number, at: number): Reading<number | undefined> {
  const { source, known } = draft;
  const isShort = at - from < maxMark;
  const before = textOf(source, isShort ? from : at - maxMark, at + 1);
  const mark = callMark(before, isShort, known);
  if (mark !== undefined) {
    const isTaken = yield* readTextCall(draft, { ...mark, from, to: at + 1 });
    return isTaken ? undefined : at + 1;
  }
  const isJson = draft.brokenJson < maxBrokenJson && (yield* startsJson(source, at, before));
  if (!isJson) return at + 1;
  const count = draft.steps.length;
  const isStart = /^[\s>*_`#•-]*.$/.test(before);
  const end = yield* readPlanJson(draft, at, isStart);
  if (end === undefined) draft.brokenJson += 1;
  if (draft.steps.length === count) return end ?? at + 1;
  source.at = end ?? at + 1;
  return undefined;
}
