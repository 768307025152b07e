/** An object or list that is open where a scan stands. */
export type Frame = {
  readonly kind: "{" | "[";
  readonly from: number;
  /** Where the key began whose value is being read, for an object. */
  keyFrom: number;
  /** The list of steps. */
  isList: boolean;
  /** It is a list of calls: a text in it is no task. */
  isCalls: boolean;
  /** A step has been read in it. */
  hasSteps: boolean;
  /** It is around the list of steps: its brackets are form, not text. */
  isAround: boolean;
};

/** Where a reading of JSON stands that may still be being written. */
export type JsonScan = {
  readonly frames: Frame[];
  /** What ends the string that is being read, and where it began. */
  closer: string | undefined;
  stringFrom: number;
  isEscaped: boolean;
  /** The last character that is no blank. */
  before: string;
  /** Where the member began that is being read: behind a bracket or a comma. */
  memberFrom: number;
};

/** What a character did. */
export type JsonEvent =
  | { readonly kind: "none" | "comma" }
  | { readonly kind: "string"; readonly from: number }
  | { readonly kind: "open"; readonly frame: Frame }
  /** From the inside out: all but the last lacked brackets of their own. */
  | { readonly kind: "close"; readonly closed: readonly Frame[] }
  /** A bracket that closes nothing. */
  | { readonly kind: "broken" };

const nothing: JsonEvent = { kind: "none" };
const closers: { readonly [opener: string]: string } = { '"': '"', "“": "”", "'": "'", "‘": "’" };
const kinds: { readonly [bracket: string]: "{" | "[" } = {
  "{": "{",
  "｛": "{",
  "[": "[",
  "【": "[",
  "}": "{",
  "｝": "{",
  "]": "[",
  "】": "[",
};

/** A scan that has read nothing. */
export function createJsonScan(): JsonScan {
  return {
    frames: [],
    closer: undefined,
    stringFrom: 0,
    isEscaped: false,
    before: "",
    memberFrom: 0,
  };
}

/** Reads one character of JSON, as tolerantly as models write it. */
export function scanJsonChar(scan: JsonScan, char: string, at: number): JsonEvent {
  if (scan.closer !== undefined) return inString(scan, char);
  if (opensString(char, scan.before)) {
    scan.closer = closers[char];
    scan.stringFrom = at;
    return nothing;
  }
  if (char.trim() !== "") scan.before = char;
  if ("{[,｛【，".includes(char)) scan.memberFrom = at + 1;
  if (",，".includes(char)) return { kind: "comma" };
  const top = scan.frames.at(-1);
  if (":：".includes(char) && top !== undefined) top.keyFrom = scan.memberFrom;
  return bracket(scan, char, at);
}

/** Single quotes open a string only where one may begin: elsewhere they are apostrophes. */
function opensString(char: string, before: string): boolean {
  return char === '"' || char === "“" || ("'‘".includes(char) && "{[,:｛【，：".includes(before));
}

function inString(scan: JsonScan, char: string): JsonEvent {
  if (scan.isEscaped || char === "\\") {
    scan.isEscaped = !scan.isEscaped;
    return nothing;
  }
  if (char !== scan.closer) return nothing;
  scan.closer = undefined;
  scan.before = '"';
  return { kind: "string", from: scan.stringFrom };
}

function bracket(scan: JsonScan, char: string, at: number): JsonEvent {
  const kind = kinds[char];
  if (kind === undefined) return nothing;
  if ("{[｛【".includes(char)) {
    const frame: Frame = {
      kind,
      from: at,
      keyFrom: at,
      isList: false,
      isCalls: false,
      hasSteps: false,
      isAround: false,
    };
    scan.frames.push(frame);
    return { kind: "open", frame };
  }
  const opened = scan.frames.findLastIndex((frame) => frame.kind === kind);
  if (opened < 0) return { kind: "broken" };
  return { kind: "close", closed: scan.frames.splice(opened).toReversed() };
}
