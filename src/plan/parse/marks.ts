import { pathPattern } from "../step.js";

/** The text before the bracket of a call that shows that a step begins there. */
export type CallMark = {
  /** The number of the step; absent if the text has none. */
  readonly number?: number;
  readonly tool: string;
  /** How the call refers to earlier steps. */
  readonly dialect: Dialect;
  /** Written as an assignment, which is always a call; a list may also contain prose with brackets. */
  readonly isAssignment: boolean;
  /** The length of the mark in characters, from the end of the text. */
  readonly length: number;
};

// The text before a name takes all its underscores except one before a figure, and a name takes those after it: there
// is only one way to match a run of underscores, in linear time.
const marks = "[\\s>*_#`|•-]*";
const marksBeforeName = String.raw`(?:[\s>*#\u0060|•-]|_(?![\p{N}.]))*`;
const name = String.raw`(?<tool>(?:\p{L}|_(?=[\p{N}.-]))[\p{L}\p{N}_.-]*)`;
const bareName = String.raw`(?<tool>(?:\p{L}|_(?=[\p{N}.]))[\p{L}\p{N}_.-]*)`;
const bracket = "(?<bracket>[[［【(（])";
const soft = String.raw`(?:[\s*\u0060]|_(?![\p{N}.-]))*`;
const softEnd = String.raw`(?:[\s*\u0060][\s*_\u0060]*)?`;
const equals = `${soft}(?:[=＝:：]|:=)${soft}`;
const numeral = String.raw`(?:\d{1,9}|[一二三四五六七八九十]{1,3})`;
const number = String.raw`(?<number>\d{1,9})`;

const assignment = new RegExp(
  String.raw`(?<![\w#＃])[#＃]\s?E${number}${equals}${name}${softEnd}${bracket}$`,
  "u",
);
const assignmentAtStart = new RegExp(
  String.raw`^${marks}(?:\$\{?|E)${number}\}?${equals}${name}${softEnd}${bracket}$`,
  "u",
);
const listed = new RegExp(
  String.raw`^${marks}(?:(?:step|步骤|第)\s*)?${number}(?:\s*步)?[\s*_]*[.)．、:：）]+${soft}${name}${softEnd}${bracket}$`,
  "iu",
);
const bare = new RegExp(`^${marksBeforeName}${bareName}${bracket}$`, "u");

/** How many characters before a bracket are read. */
export const maxMark = 200;

/**
 * The mark of a step at the end of a text that ends with an opening bracket. A number or a bare name is a mark only at
 * the start of a line or after a step (`isStart`).
 */
export function callMark(
  text: string,
  isStart: boolean,
  known: ReadonlySet<string>,
): CallMark | undefined {
  if (!/[\p{L}\p{N}_.*`\s-].$/su.test(text.slice(-2))) return undefined;
  const assigned = assignment.exec(text) ?? (isStart ? assignmentAtStart.exec(text) : null);
  if (assigned !== null) return asMark(assigned, text, true, known);
  return isStart ? unassigned(text, known) : undefined;
}

/** A call after a number, or one of a known tool. */
function unassigned(text: string, known: ReadonlySet<string>): CallMark | undefined {
  const match = listed.exec(text) ?? bare.exec(text);
  if (match === null) return undefined;
  const mark = asMark(match, text, false, known);
  // "1. 查询（北京）天气" is a sentence, and so is any name with a bracket but without a mark before it.
  const isPlain = mark.number !== undefined && /^[\w.-]+$/.test(mark.tool);
  return isPlain || known.has(mark.tool) || mark.tool === "join" ? mark : undefined;
}

function asMark(
  match: RegExpExecArray,
  text: string,
  isAssignment: boolean,
  known: ReadonlySet<string>,
): CallMark {
  const { number: digits, tool = "", bracket: opener = "" } = match.groups ?? {};
  // Without #E1 or $1, square brackets are ReWOO's and round ones LLMCompiler's.
  const isRewoo = isAssignment ? !match[0].includes("$") : "[［【".includes(opener);
  return {
    ...(digits === undefined ? {} : { number: Number(digits) }),
    tool: toolNamed(tool, known) ?? tool,
    dialect: isRewoo ? "rewoo" : "compiler",
    isAssignment,
    length: text.length - match.index,
  };
}

const header = new RegExp(
  String.raw`^${marks}(?:(?:plan|thought|step|计划|方案|思考|想法|步骤)(?:\s*#)?(?:\s*${numeral})?|第\s*${numeral}\s*步)[\s*_]*(?:[:：.．][\s*_]*|$)`,
  "iu",
);

/** The length of a header at the start of a line (`Plan 1:`, `Thought:`, `### Step 2:`); 0 for none. */
export function headerLength(line: string): number {
  return header.exec(line)?.[0].length ?? 0;
}

const endOfPlan = /^[\s*_`]*<\/?END_OF_PLAN>/i;

/** The length of the end-of-plan sign at the start of a line; 0 for none. */
export function endOfPlanLength(line: string): number {
  return endOfPlan.exec(line)?.[0].length ?? 0;
}

/** Whether a line begins something new, so that an open bracket before it is a mistake. */
export function startsAnew(line: string, known: ReadonlySet<string>): boolean {
  if (headerLength(line) > 0 || endOfPlanLength(line) > 0) return true;
  const open = line.search(/[[［【(（]/);
  return open >= 0 && callMark(line.slice(0, open + 1), true, known) !== undefined;
}

/** How the papers' text forms write references: `#E1` (ReWOO), `$1` or `${1}` (LLMCompiler). */
export type Dialect = "rewoo" | "compiler";

// The next characters separate a reference from a tag (#E1ton), a longer number and a price with cents ($1.50).
const forms: { readonly [form in Dialect]: RegExp } = {
  rewoo: new RegExp(String.raw`(?<![\w#＃])[#＃]\s?E(\d{1,9})(?![\w#])(${pathPattern})`, "gu"),
  compiler: new RegExp(
    String.raw`(?<![\w$\\])\$(?:\{(\d{1,9})\}|(\d{1,9})(?![\w$]|\.\d))(${pathPattern})`,
    "gu",
  ),
};

/**
 * The text with the dialect's references in the canonical form, `{{E1}}` or `{{E1[0]}}`. Only an id in `earlier` is a
 * reference: "$1" is a price before there is a step 1, and "$100" is one without a step 100.
 */
export function canonicalReferences(
  text: string,
  dialect: Dialect,
  earlier: ReadonlySet<string>,
): string {
  return text.replaceAll(forms[dialect], (whole: string, ...groups: (string | undefined)[]) => {
    const [braced, plain] = dialect === "rewoo" ? [groups[0]] : groups;
    const path = dialect === "rewoo" ? groups[1] : groups[2];
    const id = `E${Number(braced ?? plain)}`;
    return earlier.has(id) ? `{{${id}${path ?? ""}}}` : whole;
  });
}

/** The same in JSON-like text: a reference outside quotation marks becomes a separate string. */
export function quotedReferences(
  text: string,
  dialect: Dialect,
  earlier: ReadonlySet<string>,
): string {
  return text.replaceAll(quotedOrNot, (part) => {
    const normal = canonicalReferences(part, dialect, earlier);
    const isQuoted = `"'`.includes(part.charAt(0));
    return isQuoted ? normal : normal.replaceAll(/\{\{[^{}]*\}\}/g, (found) => `"${found}"`);
  });
}

/** A part of a text in quotation marks, closed or not, or one outside them. */
const quotedOrNot = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\]|\\[^])*(?:'|\\?$)|[^"']+/g;

/** The tool with this name, or the only one that differs just in capitals. */
export function toolNamed(written: string, tools: ReadonlySet<string>): string | undefined {
  if (tools.has(written)) return written;
  const lower = written.toLowerCase();
  const [alike, ...others] = [...tools].filter((each) => each.toLowerCase() === lower);
  return others.length === 0 ? alike : undefined;
}
