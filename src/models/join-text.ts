/** Joins a continuation onto an earlier text, piece by piece. */
export type TextJoin = {
  /** Takes the next piece; returns the new text so far, as far as it is certain. */
  readonly push: (piece: string) => string;
  /** Returns the rest when no more pieces come. */
  readonly end: () => string;
};

/** Shorter overlaps count only if they are words. */
const surelyRepeated = 12;

/** From this length on, a text found anywhere in the beginning of another one is a repetition. */
const restartChars = 40;

/** The longest repetition that is searched for, unless it is the whole text: every piece is compared with it. */
const maxRepeated = 10_000;

/** Introductions that models write before the repeated words. */
const leadIn = /^[\s"'“‘.…]{1,20}/;

/** A code block that is opened again. */
const reopened = /^\s{0,3}```[\w+#-]+[^\S\n]*\n/;

/** The earlier text and its continuation, without the part that repeats the end of the earlier text. */
export function joinTexts(earlier: string, next: string): string {
  const join = joinOnto(earlier);
  return earlier + join.push(next) + join.end();
}

/** Begins to join a continuation onto an earlier text. */
export function joinOnto(earlier: string): TextJoin {
  const tail = earlier.slice(-maxRepeated, -1);
  let held = "";
  let isRestart = true;
  let isDecided = false;
  return {
    push: (piece) => {
      if (isDecided) return piece;
      isRestart &&= earlier.startsWith(piece, held.length);
      held += piece;
      if (isRestart && held.length < earlier.length) return "";
      if (held.length <= maxRepeated && mayRepeatMore(tail, held)) return "";
      isDecided = true;
      return held.slice(repeatedChars(earlier, held));
    },
    end: () => {
      if (isDecided) return "";
      isDecided = true;
      const isRepeated = isRestart && held.length >= restartChars;
      return isRepeated ? "" : held.slice(repeatedChars(earlier, held));
    },
  };
}

/** Whether more of the continuation could still show a longer repetition of the text's end. */
function mayRepeatMore(tail: string, next: string): boolean {
  if (/^\s{0,3}`{1,3}[\w+#-]*[^\S\n]*$/.test(next)) return true;
  const bodies = [next, next.replace(leadIn, ""), next.replace(reopened, "")];
  return bodies.some((body) => body === "" || tail.includes(body));
}

/** The number of characters at the beginning of a continuation that repeat the end of the earlier text. */
function repeatedChars(earlier: string, next: string): number {
  const direct = overlap(earlier, next);
  if (direct > 0) return direct;
  const [led = ""] = leadIn.exec(next) ?? [];
  const behindLead = overlap(earlier, next.slice(led.length));
  if (led !== "" && behindLead > 0) return led.length + behindLead;
  const [fence = ""] = reopened.exec(next) ?? [];
  if (fence === "" || !isInCode(earlier)) return 0;
  return fence.length + overlap(earlier, next.slice(fence.length));
}

/** The longest end of a text that another one begins with, if it is not an accident. */
function overlap(earlier: string, next: string): number {
  const tail = earlier.slice(-next.length);
  const borders = bordersOf(next);
  let length = 0;
  for (const char of Array.from({ length: tail.length }, (_, at) => tail.charAt(at))) {
    while (length > 0 && (length === next.length || next.charAt(length) !== char)) {
      length = borders[length - 1] ?? 0;
    }
    if (next.charAt(length) === char) length += 1;
  }
  while (length > 0 && !isRepetition(earlier, length)) length = borders[length - 1] ?? 0;
  return length;
}

/** For each beginning of a text: the longest shorter beginning that it ends with (Knuth, Morris, Pratt). */
function bordersOf(text: string): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charAt(length) !== text.charAt(at)) length = borders[length - 1] ?? 0;
    if (text.charAt(length) === text.charAt(at)) length += 1;
    borders.push(length);
  }
  return borders;
}

/** Whether an overlap of that many characters is a repetition, not an accident. */
function isRepetition(earlier: string, length: number): boolean {
  const text = earlier.slice(-length);
  if (length >= surelyRepeated && new Set(text).size > 3) return true;
  const before = earlier.slice(0, -length);
  // A word cut in its middle continues with letters that may equal its end: "hel" and "lo".
  const isInWord = /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(text);
  const isHan = /^\p{Script=Han}/u.test(text);
  return (isHan || !isInWord) && (text.match(/\p{L}/gu) ?? []).length > 1;
}

/** Whether a text ends within a code block. */
function isInCode(text: string): boolean {
  return (text.match(/^\s{0,3}```/gm) ?? []).length % 2 === 1;
}
