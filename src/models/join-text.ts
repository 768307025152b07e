/** Joins what a model writes on to what it had written, piece by piece. */
export type TextJoin = {
  /** Takes the next piece; gives what is new of all pieces so far, as far as that is certain. */
  readonly push: (piece: string) => string;
  /** Gives the rest, where nothing more comes. */
  readonly end: () => string;
};

/** Shorter overlaps count only where they are words. */
const surelyRepeated = 12;

/** A text that is all in the beginning of another one is a repetition from this length on. */
const restartChars = 40;

/** The longest repetition that is looked for, unless it is of the whole text: each piece is compared with as much. */
const maxRepeated = 10_000;

/** What models put before the words that they repeat. */
const leadIn = /^[\s"'“‘.…]{1,20}/;

/** A code block that is opened again. */
const reopened = /^\s{0,3}```[\w+#-]+[^\S\n]*\n/;

/** The earlier text and its continuation, of which what it repeats of the earlier text's end is left out. */
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

/** Whether a continuation that begins so may turn out to repeat more of a text's end than what is there of it. */
function mayRepeatMore(tail: string, next: string): boolean {
  if (/^\s{0,3}`{1,3}[\w+#-]*[^\S\n]*$/.test(next)) return true;
  const bodies = [next, next.replace(leadIn, ""), next.replace(reopened, "")];
  return bodies.some((body) => body === "" || tail.includes(body));
}

/** How many characters at the beginning of a continuation stand at the end of the earlier text. */
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

/** The longest end of a text that another one begins with, and that is no accident. */
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

/** For each beginning of a text, the longest shorter one that it ends with (Knuth, Morris, Pratt). */
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

/** Whether so many characters at the end of a text stand in the next one too because they were repeated. */
function isRepetition(earlier: string, length: number): boolean {
  const text = earlier.slice(-length);
  if (length >= surelyRepeated && new Set(text).size > 3) return true;
  const before = earlier.slice(0, -length);
  // A word that was cut in its middle goes on with letters that may be those of its end: "hel" and "lo".
  const isInWord = /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(text);
  const isHan = /^\p{Script=Han}/u.test(text);
  return (isHan || !isInWord) && (text.match(/\p{L}/gu) ?? []).length > 1;
}

/** Whether a text ends within a code block. */
function isInCode(text: string): boolean {
  return (text.match(/^\s{0,3}```/gm) ?? []).length % 2 === 1;
}
