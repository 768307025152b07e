/** Where a reading of a call's text stands: in which brackets, and in which quotation marks. */
export type CallScan = {
  depth: number;
  /** What ends the quotation that is being read. */
  closer: string | undefined;
  isEscaped: boolean;
  /** The last character that is no blank. */
  before: string;
};

/** The brackets that count in a scan. */
export type Brackets = { readonly open: string; readonly close: string };

/** Brackets in their families: a bracket is closed by one of its own. */
export const square: Brackets = { open: "[［【", close: "]］】" };
export const round: Brackets = { open: "(（", close: ")）" };
/** All brackets that hold values together. */
const anyBrackets: Brackets = {
  open: `${square.open}${round.open}{｛`,
  close: `${square.close}${round.close}}｝`,
};

/** A scan that begins inside `depth` brackets. */
export function createCallScan(depth: number): CallScan {
  return { depth, closer: undefined, isEscaped: false, before: "(" };
}

const closers: { readonly [opener: string]: string } = {
  '"': '"',
  "'": "'",
  "“": "”",
  "‘": "’",
  "`": "`",
};

/** Quotation marks open a text only where a value may begin: elsewhere they are apostrophes. */
const beforeValue = "([{,=:;（［【｛，＝：；";

/** Reads one character of a call. */
export function scanCallChar(scan: CallScan, char: string, brackets: Brackets): void {
  if (scan.closer !== undefined) {
    scanQuoted(scan, char);
    return;
  }
  if (beforeValue.includes(scan.before)) scan.closer = closers[char];
  if (brackets.open.includes(char)) scan.depth += 1;
  if (brackets.close.includes(char)) scan.depth -= 1;
  if (char.trim() !== "") scan.before = char;
}

function scanQuoted(scan: CallScan, char: string): void {
  if (scan.isEscaped) {
    scan.isEscaped = false;
  } else if (char === "\\") {
    scan.isEscaped = true;
  } else if (char === scan.closer) {
    scan.closer = undefined;
    scan.before = char;
  }
}

/** Where the bracket closes that is open at the start of a text, whatever is quoted in it. */
export function plainClose(text: string, brackets: Brackets): number | undefined {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (brackets.open.includes(text.charAt(at))) depth += 1;
    if (brackets.close.includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** The pieces of a call between commas that stand in no brackets and no quotation marks. */
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
