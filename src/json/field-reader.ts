/** Where a text for the user stands in a JSON object that a model writes. */
export type AnswerField = {
  /** The field with the text. */
  readonly field: string;
  /** The text counts once another field of the object has this value: a text in lower case, or `[]`. */
  readonly when: { readonly field: string; readonly is: string };
};

/**
 * Reads one field of a JSON object while it is written: returns what each piece adds to its text, decoded and without
 * half characters. Returns nothing for a reply that is not this object, and nothing more where the object is malformed.
 */
export function fieldReader(wanted: AnswerField): (piece: string) => string {
  const text = { held: "", isOpen: false };
  const object = fieldOf(wanted, text);
  object.next();
  return (piece) => {
    for (const char of piece) object.next(char);
    if (!text.isOpen) return "";
    const read = text.held.replace(/[\uD800-\uDBFF]$/, "");
    text.held = text.held.slice(read.length);
    return read;
  };
}

/** Reads a reply character by character: each `yield` waits for the next one. */
type Reading<T> = Generator<void, T, string>;

type Text = { held: string; isOpen: boolean };

function* fieldOf({ field, when }: AnswerField, text: Text): Reading<void> {
  if (!(yield* beginsObject())) return;
  const seen = new Set<string>();
  for (let next = ","; next === ",";) {
    if ((yield* afterBlanks()) !== '"') return;
    const key = yield* stringOf();
    // A second text would take the place of the first.
    if (key === undefined || seen.has(key) || (yield* afterBlanks()) !== ":") return;
    seen.add(key);
    const first = yield* afterBlanks();
    const hear = (piece: string) => {
      if (key === field) text.held += piece;
    };
    const value = first === '"' ? yield* stringValue(hear) : yield* otherValue(first);
    if (value === undefined) return;
    if (key === when.field) text.isOpen = value.text.trim().toLowerCase() === when.is;
    ({ next } = value);
  }
}

const closingTag = /<\/(?:think|thinking|reasoning)>$/i;

/** Reads up to the object's bracket, behind a thought and into a fence; `false` for any other reply. */
function* beginsObject(): Reading<boolean> {
  let first = yield* afterBlanks();
  if (first === "<") {
    for (let end = first; !closingTag.test(end);) end = (end + (yield)).slice(-12);
    first = yield* afterBlanks();
  }
  if (first !== "`") return first === "{";
  let fence = first;
  while (!/[\n{]$/.test(fence)) fence += yield;
  if (!/^```\w*\s*$/.test(fence.slice(0, -1))) return false;
  return fence.endsWith("{") || (yield* afterBlanks()) === "{";
}

function* afterBlanks(): Reading<string> {
  for (;;) {
    const char = yield;
    if (!/[\s\ufeff]/.test(char)) return char;
  }
}

const escapes = new Map(Object.entries({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }));

/** A string after its quotation mark; `undefined` for a broken escape. */
function* stringOf(hear: (piece: string) => void = () => {}): Reading<string | undefined> {
  let text = "";
  for (;;) {
    const char = yield;
    if (char === '"') return text;
    const read = char === "\\" ? yield* escaped() : char;
    if (read === undefined) return undefined;
    text += read;
    hear(read);
  }
}

function* escaped(): Reading<string | undefined> {
  const char = yield;
  if (char !== "u") return escapes.get(char) ?? (/["\\/]/.test(char) ? char : undefined);
  let code = "";
  while (code.length < 4) code += yield;
  return /^[\da-f]{4}$/i.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : undefined;
}

/** A value, and the character behind it. */
type Value = { readonly text: string; readonly next: string };

function* stringValue(hear: (piece: string) => void): Reading<Value | undefined> {
  const text = yield* stringOf(hear);
  return text === undefined ? undefined : { text, next: yield* afterBlanks() };
}

/** A value that is no string; of a long one, its beginning. */
function* otherValue(first: string): Reading<Value | undefined> {
  let text = "";
  let depth = 0;
  for (let char = first; ; char = yield) {
    if (depth === 0 && /[,}]/.test(char)) return { text, next: char };
    if (/[{[]/.test(char)) depth += 1;
    if (/[}\]]/.test(char)) depth -= 1;
    if (char === '"' && (yield* stringOf()) === undefined) return undefined;
    if (text.length < 10 && !/\s/.test(char)) text += char;
  }
}
