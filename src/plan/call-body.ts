import {
  type Brackets,
  createCallScan,
  plainClose,
  round,
  scanCallChar,
  square,
} from "./call-scan.js";
import { callMark, maxMark, startsAnew } from "./marks.js";
import { charAt, lineEnd, type Reading, textOf, type TextSource } from "./text-source.js";

/** What stands between the brackets of a call. */
export type CallBody = {
  readonly end: number;
  /** Where the text after the call begins. */
  readonly next: number;
  /** The closing bracket is missing, and nothing follows that would show where it belongs. */
  readonly isOpen: boolean;
};

/**
 * Reads from behind an opening bracket to the one that closes it: nested brackets, quoted ones and line
 * breaks belong to the input. Where the next step begins first, the bracket was forgotten: then quoted
 * brackets count too, or else the input ends with its line.
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

/** Where something new begins at this place: the end of the text, a line that starts a step, an assignment. */
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
  // A line that ends with a comma or a bracket goes on in the next one.
  const line = /[^\s,，([{（［【｛]\s*\n/.exec(text);
  const end = line === null ? limit : from + line.index + 1;
  return { end, next: end, isOpen: isEnd };
}
