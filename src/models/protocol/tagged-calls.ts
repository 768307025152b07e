import { findJson, type FoundJson } from "../../guards/find-json.js";
import { readJson } from "../../guards/read-json.js";
import type { ToolForm } from "../../prompts/argument-form.js";
import { readCall, type TextCall } from "./call-in-json.js";
import { isInSentence } from "./in-sentence.js";

/**
 * Calls whose tool is named outside the JSON of their arguments, as some chat templates have it:
 * `<function=search>{…}`, `functions.search({…})`, `[TOOL_CALLS]search{…}`, `function<｜tool▁sep｜>search {…}`,
 * a `<parameter=…>` tag for each argument, or nothing but `search(query="…")`. Only of tools that exist.
 */
export function taggedCalls(text: string, tools: readonly ToolForm[]): TextCall[] {
  const isKnown = ({ name }: TextCall) => tools.some((tool) => tool.name === name);
  const inJson = findJson(text).found.flatMap((found) => namedBefore(text, found, tools));
  const found = inJson.length > 0 ? inJson : [...parameterTags(text), ...pythonCalls(text)];
  return found.filter(isKnown);
}

const nameBefore =
  /(?:<function[=_](?<tag>[\w.-]+)>|\[TOOL_CALLS\]\s*(?<list>[\w.-]+)(?:\[ARGS\])?|to=functions\.(?<channel>[\w.-]+)[^{}\n]*|sep｜>(?<sep>[\w.-]+)\s*(?:```\w*)?|(?<![\w.-])(?:functions\.)?(?<call>[\w.-]+)\()\s*$/;

function namedBefore(text: string, found: FoundJson, tools: readonly ToolForm[]): TextCall[] {
  const before = text.slice(Math.max(0, found.start - 200), found.start);
  const match = nameBefore.exec(before);
  const groups = match?.groups ?? {};
  const name = Object.values(groups).find((each) => each !== undefined);
  if (match === null || name === undefined || Array.isArray(found.value)) return [];
  const isPlain = groups["call"] !== undefined;
  const isMentioned = isPlain && isTalkedAbout(text, found.start - match[0].length, found.end);
  return isMentioned ? [] : [readCall(name, found.value, tools)];
}

function isTalkedAbout(text: string, start: number, end: number): boolean {
  const [closing = ""] = /^\s*\)/.exec(text.slice(end, end + 50)) ?? [];
  return isInSentence(text, start, end + closing.length);
}

function parameterTags(text: string): TextCall[] {
  const calls = text.matchAll(/<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/g);
  return [...calls].map(([, name = "", body = ""]) => {
    const parameters = body.matchAll(/<parameter=([\w.-]+)>\s*([\s\S]*?)\s*<\/parameter>/g);
    const args = [...parameters].map(([, key = "", value = ""]) => [key, value]);
    return { name, args: Object.fromEntries(args) };
  });
}

const pythonArgument = String.raw`[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^,()"']+)`;
const pythonCall = new RegExp(
  String.raw`(?<![\w.-])([\w.-]+)\(((?:${pythonArgument}(?:,\s*${pythonArgument})*(?:,\s*)?)?)\)`,
  "g",
);

/** Calls in Python's form, where the text is nothing else. */
function pythonCalls(text: string): TextCall[] {
  const bare = text
    .trim()
    .replace(/^```[\w-]*/, "")
    .replace(/```$/, "")
    .replaceAll(/<\/?[\w|]+>/g, "");
  if (/[^[\],;\s]/.test(bare.replaceAll(pythonCall, ""))) return [];
  return [...bare.matchAll(pythonCall)].map(([, name = "", body = ""]) => {
    const pairs = body.matchAll(/([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^,]+)/g);
    const args = [...pairs].map(([, key = "", value = ""]) => [key, literal(value.trim())]);
    return { name: name.replace(/^functions\./, ""), args: Object.fromEntries(args) };
  });
}

function literal(text: string): unknown {
  const read = readJson(text);
  return read.ok ? read.value : text;
}
