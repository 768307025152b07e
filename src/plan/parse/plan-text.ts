import { readCallArguments } from "./call-arguments.js";
import { type CallBody, readCallBody } from "./call-text.js";
import { callMark, type CallMark, endOfPlanLength, headerLength, maxMark } from "./marks.js";
import { addStep, countTextStep, type PlanDraft, withoutMarks } from "./plan-draft.js";
import { readPlanJson } from "./plan-json.js";
import {
  charAt,
  lineEnd,
  type Reading,
  skipBlanks,
  startsJson,
  textOf,
  type TextSource,
} from "./text-source.js";

/** How often unclosed JSON is searched: a text full of brackets must not take too long. */
const maxBrokenJson = 20;
const maxTag = "<reasoning>".length;

/** Reads calls of ReWOO and LLMCompiler, and JSON, as text arrives. A step is taken once later text cannot change it. */
export function* readPlanText(draft: PlanDraft): Reading<void> {
  yield* skipThinking(draft);
  while (!draft.isOver && (yield* charAt(draft.source, draft.source.at)) !== "") {
    yield* readSegment(draft);
  }
}

/** Skips the model's tagged thinking before its reply. */
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

/** The name of the tag with which thinking begins. */
function* openingTag(source: TextSource, from: number): Reading<string | undefined> {
  let tag = "";
  while (tag.length < maxTag && !tag.endsWith(">")) {
    const char = yield* charAt(source, from + tag.length);
    if (char === "" || !/^<[a-z]*>?$/i.test(tag + char)) return undefined;
    tag += char;
  }
  return /^<(think|thinking|reasoning)>$/i.exec(tag)?.[1]?.toLowerCase();
}

/** Reads to the end of a line, or of the first step in it. */
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

/** Where the line continues after a bracket that begins no step; nothing after a step was taken. */
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

/** A call whose bracket opens at `to`; `from` is the start of its line, or the end of the previous step. */
type OpenCall = CallMark & { readonly from: number; readonly to: number };

/** Records a header at the start of a line: the text after it is the reason for the next step. */
function noteHeader(draft: PlanDraft, from: number, line: string): void {
  const length = headerLength(line);
  if (length > 0) draft.lead = { from, textFrom: from + length };
}

/** Reads a call to its end and takes it as a step; false if it is prose. */
function* readTextCall(draft: PlanDraft, call: OpenCall): Reading<boolean> {
  const { source, known } = draft;
  const { from, to } = call;
  const body = yield* readCallBody(source, to, textOf(source, to - 1, to), known);
  if (body.isOpen && draft.isCut) return false;
  const text = textOf(source, to, body.end);
  const rest = yield* restOfLine(draft, call, text, body);
  if (!rest.isCall) return false;
  noteHeader(draft, from, textOf(source, from, Math.min(to - call.length, from + maxMark)));
  source.at = rest.end;
  if (isJoin(call, known)) endWithJoin(draft, call, rest.end);
  else takeCall(draft, call, text, rest);
  return true;
}

/** LLMCompiler's sign that the plan is complete: not a step, unless there is a tool with this name. */
function isJoin({ tool }: CallMark, known: ReadonlySet<string>): boolean {
  return tool === "join" && !known.has(tool);
}

function endWithJoin(draft: PlanDraft, { from }: OpenCall, to: number): void {
  draft.spans.push({ from: draft.lead?.from ?? from, to });
  draft.lead = undefined;
  draft.hasPlan = true;
  draft.isTextPlan = false;
}

function takeCall(
  draft: PlanDraft,
  call: OpenCall,
  text: string,
  { comment, end }: RestOfLine,
): void {
  const { args, unread } = readCallArguments(text, {
    names: draft.parameters.get(call.tool),
    known: draft.known,
    dialect: call.dialect,
    earlier: draft.ids,
  });
  const id = `E${call.number ?? draft.highest + 1}`;
  const before = thoughtBefore(draft, call);
  const thought = before || comment;
  // Only text after a header, on one line, is certainly a thought and not prose.
  const isIntroduced = draft.lead !== undefined && !before.includes("\n");
  const asides = [isIntroduced ? "" : before, comment];
  draft.asides.push(...asides.filter((aside) => /[\p{L}\p{N}]/u.test(aside)));
  countTextStep(draft);
  const said = /[\p{L}\p{N}]/u.test(thought) ? { thought } : {};
  const step = { kind: "tool", id, ...said, tool: call.tool, args } as const;
  addStep(draft, step, { from: draft.lead?.from ?? call.from, to: end }, unread);
}

/** The reason for the step: the text after the last header, or before an assignment on its line. */
function thoughtBefore({ source, lead }: PlanDraft, { from, to, length, isAssignment }: OpenCall) {
  if (lead !== undefined) return withoutMarks(textOf(source, lead.textFrom, to - length));
  return isAssignment ? withoutMarks(textOf(source, from, to - length)) : "";
}

type RestOfLine = { readonly isCall: boolean; readonly comment: string; readonly end: number };

/** The text after the bracket separates a call from prose: "1. f(x): what f does" is not a call. */
function* restOfLine(
  draft: PlanDraft,
  call: OpenCall,
  text: string,
  { next }: CallBody,
): Reading<RestOfLine> {
  const { source, known } = draft;
  if (call.isAssignment) return { isCall: true, comment: "", end: next };
  const headTo = yield* lineEnd(source, next, maxMark);
  const rest = textOf(source, next, headTo);
  if (/^[\s`]*(?:#|\/\/)\s*[^\s#]/.test(rest)) {
    const end = yield* lineEnd(source, next);
    const comment = textOf(source, next, end).replace(/^[\s`]*(?:#|\/\/)\s*/, "");
    return { isCall: true, comment: comment.trim(), end };
  }
  const isAlone = /^[\s*_`;.,|#]*$/.test(rest) || endOfPlanLength(rest) > 0;
  const isFollowed = /^[\s;,]*\d{1,9}[.)]\s*[\w.-]+\(/.test(rest);
  const isKnown = known.has(call.tool) || call.tool === "join";
  const isDefinition = /^[\s*_`]*[:：]/.test(rest) && !/["'“=\d]/.test(text);
  return { isCall: isAlone || isFollowed || (isKnown && !isDefinition), comment: "", end: next };
}
