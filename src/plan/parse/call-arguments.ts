import { isJsonObject, type Json, type JsonObject } from "../../json/json.js";
import { callPieces } from "./call-text.js";
import { canonicalReferences, type Dialect, quotedReferences } from "./marks.js";
import { readWholeJson } from "./text-source.js";

/** Options for reading the arguments of a call. */
export type CallForm = {
  /** The tool's parameters in order, if known. */
  readonly names: readonly string[] | undefined;
  /** The names of all tools: an argument cannot contain a call of one. */
  readonly known: ReadonlySet<string>;
  readonly dialect: Dialect;
  readonly earlier: ReadonlySet<string>;
};

/** Arguments, and the parts of the call that could not become one. */
export type CallArguments = { readonly args: JsonObject; readonly unread: readonly string[] };

/** The name for the whole text of a call with unknown parameters. */
const inputKey = "input";

/**
 * Reads the text between the brackets of a call: a JSON object; `key=value` pairs by name; other parts by position; the
 * whole text for a single parameter, or as `input` for unknown ones. A part that only repeats a name has no value.
 */
export function readCallArguments(body: string, form: CallForm): CallArguments {
  const text = body.trim();
  if (text === "") return { args: {}, unread: [] };
  const object = /^[{｛]/.test(text) ? jsonValue(text, form) : undefined;
  if (isJsonObject(object)) return { args: object, unread: [] };
  const pieces = callPieces(text);
  const { names } = form;
  const pairs = pieces.map((piece) => keyword(piece, names));
  if (names === undefined) return withoutNames(text, pairs, form);
  if (pairs.every((pair) => pair === undefined) && isOneInput(names, pieces)) {
    return oneInput(names[0] ?? inputKey, text, form);
  }
  return byNameAndPlace(names, pieces, form);
}

function isOneInput(names: readonly string[], pieces: readonly string[]): boolean {
  return names.length === 1 && (pieces.length === 1 || unquote(pieces[0] ?? "") === undefined);
}

function oneInput(name: string, text: string, form: CallForm): CallArguments {
  if (text === name) return { args: {}, unread: [] };
  if (holdsCall(text, form)) return { args: {}, unread: [text] };
  return { args: { [name]: textValue(text, form) }, unread: [] };
}

type Pair = { readonly name: string; readonly value: string };

function withoutNames(
  text: string,
  pairs: readonly (Pair | undefined)[],
  form: CallForm,
): CallArguments {
  if (!pairs.every((pair): pair is Pair => pair !== undefined)) {
    return oneInput(inputKey, text, form);
  }
  const unread = pairs.filter(({ value }) => holdsCall(value, form)).map(({ value }) => value);
  const given = pairs.filter(({ value }) => !unread.includes(value));
  return {
    args: Object.fromEntries(given.map((pair) => [pair.name, valueOf(pair.value, form)])),
    unread,
  };
}

function byNameAndPlace(
  names: readonly string[],
  pieces: readonly string[],
  form: CallForm,
): CallArguments {
  const { given, surplus } = distribute(names, pieces);
  const calls = [...given.values()].filter((value) => holdsCall(value, form));
  const values = [...given].filter(([name, value]) => value !== name && !calls.includes(value));
  const args = Object.fromEntries(values.map(([name, value]) => [name, valueOf(value, form)]));
  return { args, unread: [...calls, ...surplus] };
}

/** The parts by parameter. If no parameter is left, a part continues the unquoted value before it. */
function distribute(names: readonly string[], pieces: readonly string[]) {
  const given = new Map<string, string>();
  const surplus: string[] = [];
  let open: string | undefined;
  for (const piece of pieces) {
    const pair = keyword(piece, names) ?? placed(piece, names, given);
    if (pair !== undefined) {
      given.set(pair.name, pair.value);
      open = pair.value === piece || /^["'“‘]/.test(pair.value) ? undefined : pair.name;
    } else if (open === undefined) {
      surplus.push(piece);
    } else {
      given.set(open, `${given.get(open) ?? ""}, ${piece}`);
    }
  }
  return { given, surplus };
}

function placed(piece: string, names: readonly string[], given: ReadonlyMap<string, string>) {
  const name = names.find((each) => !given.has(each));
  return name === undefined ? undefined : { name, value: piece };
}

/** A part of the form `key=value`; with a colon only if a parameter has that name. */
function keyword(piece: string, names: readonly string[] | undefined): Pair | undefined {
  const match = /^["'`]?([\p{L}_][\p{L}\p{N}_-]*)["'`]?\s*([=＝:：])(?![=＝])([\s\S]*)$/u.exec(
    piece,
  );
  if (match === null) return undefined;
  const [, name = "", sign = "", behind = ""] = match;
  const value = behind.trimStart();
  const isNamed = names?.includes(name) ?? "=＝".includes(sign);
  return isNamed || ("=＝".includes(sign) && /^["'“‘]/.test(value)) ? { name, value } : undefined;
}

const callStart = /(?<![\p{L}\p{N}_.-])([\p{L}_][\p{L}\p{N}_.-]*)[([（［【]/gu;

/** Whether it contains a call of a tool, which no argument can express. In quotation marks, it is text. */
function holdsCall(text: string, { known }: CallForm): boolean {
  const bare = text.replaceAll(/"[^"]*"|'[^']*'|“[^“”]*”/g, "");
  const called = [...bare.matchAll(callStart)];
  return called.some(([, name = ""]) => known.has(name));
}

/** A quoted or bare text, a number, a constant, a list or an object. */
function valueOf(text: string, form: CallForm): Json {
  const trimmed = text.trim();
  if (/^[[{［【｛]/.test(trimmed)) return jsonValue(trimmed, form) ?? textValue(trimmed, form);
  if (Object.hasOwn(constants, trimmed)) return constants[trimmed] ?? null;
  return asNumber(trimmed) ?? textValue(trimmed, form);
}

const constants: { readonly [name: string]: boolean | null } = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};

/** A number, unless it has more digits than a number keeps. */
function asNumber(text: string): number | undefined {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(text);
  const digits = text.replaceAll(/\D/g, "").length;
  return isNumber && digits <= 15 ? Number(text) : undefined;
}

function jsonValue(text: string, { dialect, earlier }: CallForm): Json | undefined {
  return readWholeJson(quotedReferences(text, dialect, earlier));
}

function textValue(text: string, { dialect, earlier }: CallForm): string {
  return canonicalReferences(unquote(text) ?? text, dialect, earlier);
}

/** The text between quotation marks that enclose the whole text, or nothing. */
function unquote(text: string): string | undefined {
  const [, inner] =
    /^(?:"""([\s\S]*)"""|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|“([^”]*)”|‘([^’]*)’|`([^`]*)`)$/
      .exec(text.trim())
      ?.filter((part) => part !== undefined) ?? [];
  return inner?.replaceAll(/\\(["'\\nt])/g, (_, char: string) => escapes[char] ?? char);
}

const escapes: { readonly [char: string]: string } = { n: "\n", t: "\t" };
