import { findJson, type FoundJson } from "../../json/find-json.js";
import { readJson } from "../../json/read-json.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import { type RawCall, toolNamed } from "./json-calls.js";
import type { Span } from "./text.js";

/** A call and its place in the text. */
export type PlacedCall = RawCall & Span;

/**
 * Calls of existing tools with the name outside the JSON of their arguments: `<function=search>{…}`,
 * `functions.search({…})`, `[TOOL_CALLS]search{…}`, `function<｜tool▁sep｜>search {…}`, a tag for each argument, or only
 * `search(query="…")`. In a cut reply, only the closed ones.
 */
export function taggedCalls(
  text: string,
  tools: readonly ToolForm[],
  isCut: boolean,
): PlacedCall[] {
  const isKnown = ({ name }: RawCall) => toolNamed(name, tools) !== undefined;
  const inJson = findJson(text).found.flatMap((found) => namedBefore(text, found));
  const found = inJson.length > 0 ? inJson : [...argumentTags(text), ...pythonCalls(text)];
  return found.filter((call) => isKnown(call) && !(isCut && call.missing !== undefined));
}

/** Such calls anywhere in a text, of any tool: a model may copy one as its call. */
export function taggedAnywhere(text: string): RawCall[] {
  const inJson = findJson(text).found.flatMap(({ value, start }) => {
    const name = nameAt(text, start)?.name;
    return name === undefined ? [] : [{ name, input: value }];
  });
  return [...inJson, ...argumentTags(text), ...[...text.matchAll(pythonCall)].map(pythonCallOf)];
}

const nameBefore =
  /(?:<function[=_](?<tag>[\w.-]+)>|<invoke name="(?<invoke>[\w.-]+)">|<tool_call>\s*(?<first>[\w.-]+)|\[TOOL_CALLS\]\s*(?<list>[\w.-]+)(?:\[ARGS\])?|to=functions\.(?<channel>[\w.-]+)(?![\w.-])[^{}\n]*|sep｜>(?<sep>[\w.-]+)\s*(?:```\w*)?|(?<![\w.-])(?:functions\.)?(?<call>[\w.-]+)\()$/;

/** The name of a call before its arguments. */
function nameAt(text: string, start: number) {
  const from = Math.max(0, start - 200);
  const match = nameBefore.exec(text.slice(from, start).trimEnd());
  const groups = match?.groups ?? {};
  const name = Object.values(groups).find((each) => each !== undefined);
  if (match === null || name === undefined) return undefined;
  return { name, from: from + match.index };
}

const inputLabel =
  /(?:action input|行动输入|动作输入)(?:[ \t]*\d+)?\**[ \t]*[:：][\s*]*(?:```[\w-]*)?$/i;

const opening =
  /<(?:function[=_]|invoke |arg_key)|[\w-]\(\s{0,9}(?:[\w-]{1,60}\s{0,9}=\s{0,9})?["'“]/;

/** Whether a call in tags or brackets begins before a place: the place may be part of it. */
export function isBehindCall(text: string, at: number): boolean {
  return opening.test(text.slice(0, at));
}

/** The text before the value of one argument: its tag, or its name and opening quotation mark. */
const argumentBefore = /(?:<parameter[^<>]{0,80}>|<arg_value>|[\w-]\s{0,9}=\s{0,9}["'“]?)$/;

/** Whether JSON at a place is the arguments of a name before it: then it is not a call itself. */
export function isInputAt(text: string, start: number, tools: readonly ToolForm[]): boolean {
  // Braces may be doubled.
  const before = text
    .slice(Math.max(0, start - 200), start)
    .replace(/(?<![{[｛【\s])[{[｛【\s]+$/, "");
  const named = nameAt(before, before.length);
  return (
    (named !== undefined && toolNamed(named.name, tools) !== undefined) ||
    inputLabel.test(before) ||
    argumentBefore.test(before)
  );
}

function namedBefore(text: string, found: FoundJson): PlacedCall[] {
  const { value, start, end, missing, place } = found;
  const named = nameAt(text, start);
  if (named === undefined || Array.isArray(value) || place !== "alone") return [];
  const call = { name: named.name, input: value, start: named.from, end };
  return [{ ...call, ...(missing > 0 ? { missing } : {}) }];
}

/** The begin and end of calls with a tag for each argument, and their arguments. */
const tagForms = [
  {
    call: /<function=([\w.-]+)>([^]*?)(<\/function>|$)/g,
    argument: /^\s*<parameter=([\w.-]+)>([^]*)$/,
    argumentEnd: "</parameter>",
  },
  {
    call: /<invoke name="([\w.-]+)">([^]*?)(<\/invoke>|$)/g,
    argument: /^\s*<parameter name="([\w.-]+)">([^]*)$/,
    argumentEnd: "</parameter>",
  },
  {
    call: /<tool_call>\s*([\w.-]+)\s*(<arg_key>[^]*?)(<\/tool_call>|$)/g,
    argument: /^\s*<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>([^]*)$/,
    argumentEnd: "</arg_value>",
  },
];

function argumentTags(text: string): PlacedCall[] {
  return tagForms.flatMap(({ call, argument, argumentEnd }) =>
    [...text.matchAll(call)].flatMap((match) => {
      const [whole, name = "", body = "", end = ""] = match;
      const pieces = body.split(argumentEnd);
      const rest = pieces.pop() ?? "";
      const args = pieces.flatMap((piece) => {
        const [, key, value = ""] = argument.exec(piece) ?? [];
        return key === undefined ? [] : [[key, value.trim()]];
      });
      // The rest of an argument was never closed.
      if (args.length < pieces.length || rest.trim() !== "") return [];
      const place = { start: match.index, end: match.index + whole.length };
      const input = Object.fromEntries(args);
      return [{ name, input, ...place, ...(end === "" ? { missing: 1 } : {}) }];
    }),
  );
}

const pythonValue = String.raw`(?:\s*(?:"[^"\\]*"|'[^'\\]*'|“[^“”\\]*”)|[^,()"'“”\\\u0060]+)`;
const pythonArgument = String.raw`[\w-]+\s*=${pythonValue}`;
/** A value without its name: words alone may be anything. */
const pythonLiteral = String.raw`(?:"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?|[Tt]rue|[Ff]alse)`;
const listOf = (item: string) => String.raw`${item}(?:,\s*${item})*(?:,\s*)?`;
const pythonCall = new RegExp(
  String.raw`(?<![\w.-])([\w.-]+)\((?:(${listOf(pythonArgument)})|(${listOf(pythonLiteral)}))?\)`,
  "g",
);
const keywordArgument = /(?<![\w-])([\w-]+)\s*=\s*("[^"]*"|'[^']*'|“[^”]*”|[^,]+)/g;

/** Calls in Python's form, if the text holds nothing else. */
function pythonCalls(text: string): PlacedCall[] {
  const bare = text
    .trim()
    .replace(/^```[\w-]*/, "")
    .replace(/```$/, "");
  const beside = bare.replaceAll(pythonCall, "").replaceAll(/<\/?[\w|]+>/g, "");
  if (/[^[\],;\s\u{feff}]/u.test(beside)) return [];
  return [...text.matchAll(pythonCall)].map((match) => {
    const place = { start: match.index, end: match.index + match[0].length };
    return { ...pythonCallOf(match), ...place };
  });
}

function pythonCallOf([, name = "", named = "", values = ""]: RegExpExecArray): RawCall {
  return {
    name: name.replace(/^functions\./, ""),
    input: values === "" ? keywordArguments(named) : literals(values),
  };
}

function keywordArguments(text: string): Record<string, unknown> {
  const pairs = [...text.matchAll(keywordArgument)];
  return Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, literal(value.trim())]));
}

function literals(text: string): unknown[] {
  return [...text.matchAll(new RegExp(pythonLiteral, "g"))].map(([value]) => literal(value));
}

function literal(text: string): unknown {
  const read = readJson(text);
  return read.ok ? read.value : text;
}
