import { readCallArguments } from "./call-arguments.js";
import { type CallBody, readCallBody } from "./call-body.js";
import { type CallMark, endOfPlanLength, headerLength, maxMark } from "./marks.js";
import { addStep, countTextStep, type PlanDraft, withoutMarks } from "./plan-draft.js";
import { lineEnd, type Reading, textOf } from "./text-source.js";

/** A call whose bracket is open at `to`; `from` is where its line begins, or the step before it ended. */
export type OpenCall = CallMark & { readonly from: number; readonly to: number };

/** Takes note of a header that a line begins with: what follows it says why the next step is there. */
export function noteHeader(draft: PlanDraft, from: number, line: string): void {
  const length = headerLength(line);
  if (length > 0) draft.lead = { from, textFrom: from + length };
}

/** Reads a call to its end and takes it as a step; false where it turns out to be prose. */
export function* readTextCall(draft: PlanDraft, call: OpenCall): Reading<boolean> {
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

/** LLMCompiler's sign that the plan is complete: no step, unless there is a tool of this name. */
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
    findJson: draft.findJson,
  });
  const id = `E${call.number ?? draft.highest + 1}`;
  const before = thoughtBefore(draft, call);
  const thought = before || comment;
  // Only what a header introduces, on one line, is certainly a thought and no prose.
  const isIntroduced = draft.lead !== undefined && !before.includes("\n");
  const asides = [isIntroduced ? "" : before, comment];
  draft.asides.push(...asides.filter((aside) => /[\p{L}\p{N}]/u.test(aside)));
  countTextStep(draft);
  const said = /[\p{L}\p{N}]/u.test(thought) ? { thought } : {};
  const step = { kind: "tool", id, ...said, tool: call.tool, args } as const;
  addStep(draft, step, { from: draft.lead?.from ?? call.from, to: end }, unread);
}

/** Why the step is there: what stands behind the last header, or before an assignment on its line. */
function thoughtBefore({ source, lead }: PlanDraft, { from, to, length, isAssignment }: OpenCall) {
  if (lead !== undefined) return withoutMarks(textOf(source, lead.textFrom, to - length));
  return isAssignment ? withoutMarks(textOf(source, from, to - length)) : "";
}

type RestOfLine = { readonly isCall: boolean; readonly comment: string; readonly end: number };

/** What stands behind a call tells it from prose with brackets: "1. f(x): what f does" calls nothing. */
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
    return { isCall: true, comment: commentIn(textOf(source, next, end)), end };
  }
  const isAlone = /^[\s*_`;.,|#]*$/.test(rest) || endOfPlanLength(rest) > 0;
  const isFollowed = /^[\s;,]*\d{1,9}[.)]\s*[\w.-]+\(/.test(rest);
  const isKnown = known.has(call.tool) || call.tool === "join";
  const isDefinition = /^[\s*_`]*[:：]/.test(rest) && !/["'“=\d]/.test(text);
  return { isCall: isAlone || isFollowed || (isKnown && !isDefinition), comment: "", end: next };
}

function commentIn(rest: string): string {
  return rest.replace(/^[\s`]*(?:#|\/\/)\s*/, "").trim();
}
