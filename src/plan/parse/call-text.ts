import { quoteCloser } from "../../json/scan-json.js";
import { callMark, maxMark, startsAnew } from "./marks.js";
import {
  charAt,
  lineEnd,
  type QuoteScan,
  type Reading,
  scanQuoted,
  textOf,
  type TextSource,
} from "./text-source.js";

/** The text between the brackets of a call. */
export type CallBody = {
  readonly end: number;
  /** Where the text after the call begins. */
  readonly next: number;
  /** The closing bracket is missing, and no later text shows its place. */
  readonly isOpen: boolean;
};

/**
 * Reads to the closing bracket of a call; nested brackets, quoted ones and line breaks are part of the input. If the
 * next step begins first, the bracket is missing: then quoted brackets count too, or else the input ends with its line.
 */
export function* readCallBody(
  source: TextSource,
  from: number,
  opener: string,
  known: ReadonlySet<string>,
): Reading<CallBody> {
  const brackets = square.open.includes(opener) ? square : round;
  const scan = createCallScan(1);
  for (let at = from; ; at += 1) {
    const char = yield* charAt(source, at);
    const limit = yield* interruption(source, from, at, char, known);
    if (limit !== undefined) return unclosed(source, { from, limit, isEnd: char === "" }, brackets);
    scanCallChar(scan, char, brackets);
    if (scan.depth === 0) return { end: at, next: at + 1, isOpen: false };
  }
}

/** Where something new begins: the end of the text, a line that starts a step, an assignment. Nothing elsewhere. */
function* interruption(
  source: TextSource,
  from: number,
  at: number,
  char: string,
  known: ReadonlySet<string>,
): Reading<number | undefined> {
  if (char === "") return at;
  if (char === "\n") {
    const end = yield* lineEnd(source, at + 1, maxMark);
    const line = textOf(source, at + 1, end);
    return startsAnew(line, known) ? at : undefined;
  }
  if (!`${square.open}${round.open}`.includes(char)) return undefined;
  const mark = callMark(textOf(source, Math.max(from, at - maxMark), at + 1), false, known);
  return mark === undefined ? undefined : at + 1 - mark.length;
}

type Region = { readonly from: number; readonly limit: number; readonly isEnd: boolean };

function unclosed(
  source: TextSource,
  { from, limit, isEnd }: Region,
  brackets: Brackets,
): CallBody {
  const text = textOf(source, from, limit);
  const close = plainClose(text, brackets);
  if (close !== undefined) return { end: from + close, next: from + close + 1, isOpen: false };
  // A line that ends with a comma or a bracket continues on the next one.
  const line = /[^\s,，([{（［【｛]\s*\n/.exec(text);
  const end = line === null ? limit : from + line.index + 1;
  return { end, next: end, isOpen: isEnd };
}

/** The state in a call's text: open brackets and quotation marks. */
type CallScan = QuoteScan & { depth: number };

type Brackets = { readonly open: string; readonly close: string };

/** Brackets by family: a bracket is closed by one of its own family. */
const square: Brackets = { open: "[［【", close: "]］】" };
const round: Brackets = { open: "(（", close: ")）" };
/** All brackets that hold values together. */
const anyBrackets: Brackets = {
  open: `${square.open}${round.open}{｛`,
  close: `${square.close}${round.close}}｝`,
};

function createCallScan(depth: number): CallScan {
  return { depth, closer: undefined, isEscaped: false, before: "(" };
}

/** Quotation marks open a text only where a value may begin: elsewhere they are apostrophes. */
const beforeValue = "([{,=:;（［【｛，＝：；";

function scanCallChar(scan: CallScan, char: string, brackets: Brackets): void {
  if (scan.closer !== undefined) {
    scanQuoted(scan, char);
    return;
  }
  if (beforeValue.includes(scan.before)) scan.closer = quoteCloser[char];
  if (brackets.open.includes(char)) scan.depth += 1;
  if (brackets.close.includes(char)) scan.depth -= 1;
  if (char.trim() !== "") scan.before = char;
}

/** The position where the bracket that is open at the start of a text closes; quotation marks are ignored. */
function plainClose(text: string, brackets: Brackets): number | undefined {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (brackets.open.includes(text.charAt(at))) depth += 1;
    if (brackets.close.includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** The parts of a call between commas outside brackets and quotation marks. */
export function callPieces(text: string): string[] {
  const scan = createCallScan(0);
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    scanCallChar(scan, char, anyBrackets);
    if (scan.depth <= 0 && scan.closer === undefined && ",，".includes(char)) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, text.slice(from)].map((piece) => piece.trim()).filter((piece) => piece !== "");
}
