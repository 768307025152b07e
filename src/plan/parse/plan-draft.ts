import { mapFields } from "../../json/json.js";
import { withBraces } from "../figures.js";
import { highestNumber, type Step, type ToolStep } from "../step.js";
import { headerLength, maxMark } from "./marks.js";
import { textOf, type TextSource } from "./text-source.js";

/** Options for reading a plan. */
export type ReadPlanOptions = {
  /** The parameters of each tool in order, for bare and positional input. */
  readonly parameters?: { readonly [tool: string]: readonly string[] } | undefined;
  /** Ids of earlier plans: `#E1` and `$1` may refer to them, and missing ids continue after them. */
  readonly earlier?: readonly string[] | undefined;
};

/** The state of a plan while it is read. */
export type PlanDraft = {
  readonly source: TextSource;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly known: ReadonlySet<string>;
  readonly steps: Step[];
  /** The ids that a step may refer to: those of earlier plans and of the steps read so far. */
  readonly ids: Set<string>;
  /** The highest id number so far. */
  highest: number;
  /** Text that is part of a step or of the form: all other text is unread. */
  readonly spans: Span[];
  /** Parts of steps that do not fit into a step, with their positions. */
  readonly leftovers: Leftover[];
  /** Prose that became a thought without a header. */
  readonly asides: string[];
  /** The number of plans: a list in JSON is one, and so are consecutive steps in text. */
  plans: number;
  /** The last plan consists of steps in text, and may continue. */
  isTextPlan: boolean;
  /** A header (`Plan:`, `Thought:`) whose step is not read yet. */
  lead: Lead | undefined;
  /** A plan's form was seen, even an empty one: then a list in the text is not a plan. */
  hasPlan: boolean;
  /** The number of JSON values that were never closed. */
  brokenJson: number;
  /** From this position to the end, the text was searched for values without closing brackets. */
  searchedFrom: number;
  isOver: boolean;
  /** The text ended at a limit: its last part may be incomplete. */
  isCut: boolean;
};

/** Start and end of a part of the text. */
export type Span = { readonly from: number; readonly to: number };
/** Unread text inside a step. */
type Leftover = { readonly at: number; readonly text: string };
/** Where a header begins, and where the text after it begins. */
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

/** Adds a step to a draft, with its position in the text and the parts that do not fit into a step. */
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

/** Counts a step in text: consecutive ones are one plan. */
export function countTextStep(draft: PlanDraft): void {
  if (!draft.isTextPlan) draft.plans += 1;
  draft.isTextPlan = true;
}

/** Counts a list of steps, which is a separate plan. */
export function countList(draft: PlanDraft): void {
  draft.plans += 1;
  draft.isTextPlan = false;
}

/** A step with the step ids in its calculations written as references, and paths behind their braces inside them. */
function withReferences(step: ToolStep, { ids }: PlanDraft): ToolStep {
  return { ...step, args: mapFields(step.args, (text) => withBraces(withPaths(text), ids)) };
}

const outsidePath = /(\{\{\s*E[1-9]\d{0,3})\s*\}\}((?:\["[^"\\\n]{1,60}"\]|\['[^'\n]{1,60}'\])+)/g;

/** A path as in Python: `{{E1}}["head"]` is `{{E1["head"]}}`. */
function withPaths(text: string): string {
  return text.replaceAll(outsidePath, "$1$2}}");
}

/** The text of a draft that is not part of a step or of the form, in order. */
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

/** A text without blanks, fences, list marks and headers at its edges. */
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
