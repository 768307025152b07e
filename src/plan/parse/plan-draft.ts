import { mapFields } from "../../json/json.js";
import { withBraces } from "../figures.js";
import { highestNumber, type Step, type ToolStep } from "../step.js";
import { headerLength, maxMark } from "./marks.js";
import { textOf, type TextSource } from "./text-source.js";

/** What a plan is read with. */
export type ReadPlanOptions = {
  /** The parameters of each tool in order: bare and positional input is read by them. */
  readonly parameters?: { readonly [tool: string]: readonly string[] } | undefined;
  /** Ids of earlier plans: `#E1` and `$1` may name them, and ids that are not given go on after them. */
  readonly earlier?: readonly string[] | undefined;
};

/** A plan that is being read. */
export type PlanDraft = {
  readonly source: TextSource;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly known: ReadonlySet<string>;
  readonly steps: Step[];
  /** The ids that a step may refer to: those of earlier plans and of the steps read so far. */
  readonly ids: Set<string>;
  /** The highest number of an id so far. */
  highest: number;
  /** What belongs to a step or to the form: the rest of the text is unread. */
  readonly spans: Span[];
  /** Parts of steps that no step can hold, and where they stand. */
  readonly leftovers: Leftover[];
  /** Prose that became a thought although no header says that it is one. */
  readonly asides: string[];
  /** How many plans there are: a list in JSON is one, and so are steps in text behind one another. */
  plans: number;
  /** The last plan is steps in text, and may go on. */
  isTextPlan: boolean;
  /** A header (`Plan:`, `Thought:`) whose step has not come yet. */
  lead: Lead | undefined;
  /** The form of a plan has been seen, be it an empty one: a list in the text is no plan then. */
  hasPlan: boolean;
  /** JSON that began and was never closed. */
  brokenJson: number;
  /** From where to the end of the text values have been looked for that lack their brackets. */
  searchedFrom: number;
  isOver: boolean;
  /** The text ended at a limit: what reaches its end is not whole. */
  isCut: boolean;
};

/** Where something begins and ends in the text. */
export type Span = { readonly from: number; readonly to: number };
/** Text that is unread although it stands inside a step. */
type Leftover = { readonly at: number; readonly text: string };
/** Where a header begins, and where the text after it does. */
type Lead = { readonly from: number; readonly textFrom: number };

/** A draft of an empty text. */
export function createDraft({ parameters = {}, earlier = [] }: ReadPlanOptions): PlanDraft {
  return {
    source: { chars: [], at: 0, isEnded: false },
    parameters: new Map(Object.entries(parameters)),
    known: new Set(Object.keys(parameters)),
    steps: [],
    ids: new Set(earlier),
    highest: highestNumber(earlier),
    spans: [],
    leftovers: [],
    asides: [],
    plans: 0,
    isTextPlan: false,
    lead: undefined,
    hasPlan: false,
    brokenJson: 0,
    searchedFrom: Infinity,
    isOver: false,
    isCut: false,
  };
}

/** Takes a step into a draft, with the text that is its own and what in it no step can hold. */
export function addStep(
  draft: PlanDraft,
  step: Step,
  { from, to }: Span,
  unread: readonly string[] = [],
): void {
  draft.steps.push(step.kind === "tool" ? withReferences(step, draft) : step);
  draft.ids.add(step.id);
  draft.highest = Math.max(draft.highest, highestNumber([step.id]));
  draft.spans.push({ from, to });
  draft.leftovers.push(...unread.map((text) => ({ at: from, text })));
  draft.lead = undefined;
}

/** Counts a step that stands by itself: such steps, one behind the other, are one plan. */
export function countTextStep(draft: PlanDraft): void {
  if (!draft.isTextPlan) draft.plans += 1;
  draft.isTextPlan = true;
}

/** Counts a list of steps, which is a plan by itself. */
export function countList(draft: PlanDraft): void {
  draft.plans += 1;
  draft.isTextPlan = false;
}

/** A step whose calculations name the steps before it as references do. */
function withReferences(step: ToolStep, { ids }: PlanDraft): ToolStep {
  return { ...step, args: mapFields(step.args, (text) => withBraces(text, ids)) };
}

/** The text of a draft that belongs to no step and not to the form, in order. */
export function unreadOf({ source, spans, leftovers }: PlanDraft): string[] {
  const end = source.chars.length;
  const sorted = spans.toSorted((left, right) => left.from - right.from);
  const gaps: Leftover[] = [];
  let from = 0;
  for (const span of [...sorted, { from: end, to: end }]) {
    if (span.from > from) gaps.push({ at: from, text: textOf(source, from, span.from) });
    from = Math.max(from, span.to);
  }
  return [...gaps, ...leftovers]
    .toSorted((left, right) => left.at - right.at)
    .map(({ text }) => withoutMarks(text))
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
}

const opening =
  /^(?:\s|```[\w-]*(?=\s|$)|`|\*\*|__|[#>|,;•*-](?=[\s#>|*•-]|$)|\d{1,4}[.)．、](?=\s)|---+)+/;
const closing = /(?:[\s`|#,]|\*\*|__|\n```[\w-]{0,20}\s*)$/;
const tableHead = /^[ \t]*\|.*\|[ \t]*\n[ \t]*\|[\s:|-]+\|[ \t]*$/gm;

/** A text without the blanks, fences, list marks and headers at its edges. */
export function withoutMarks(text: string): string {
  const bare = text.replaceAll(tableHead, "").replace(opening, "");
  return withoutEnd(bare.slice(headerLength(bare.slice(0, maxMark))).replace(opening, ""));
}

function withoutEnd(text: string): string {
  let end = text.length;
  for (let size = 1; size > 0; end -= size) {
    size = closing.exec(text.slice(Math.max(0, end - 40), end))?.[0].length ?? 0;
  }
  return text.slice(0, end);
}
