import { findJson, type FoundJson } from "../../guards/find-json.js";
import { readJson } from "../../guards/read-json.js";
import type { ToolForm } from "../../prompts/argument-form.js";
import { readCall, type TextCall } from "./call-in-json.js";

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
  const { tag, list, channel, sep, call } = nameBefore.exec(before)?.groups ?? {};
  const name = tag ?? list ?? channel ?? sep ?? call;
  const isCall = name !== undefined && !Array.isArray(found.value);
  return isCall ? [readCall(name, found.value, tools)] : [];
}

function parameterTags(text: string): TextCall[] {
  const calls = text.matchAll(/<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/g);
  return [...calls].map(([, name = "", body = ""]) => {
    const parameters = body.matchAll(/<parameter=([\w.-]+)>\s*([\s\S]*?)\s*<\/parameter>/g);
    const args = [...parameters].map(([, key = "", value = ""]) => [key, value]);
    return { name, args: Object.fromEntries(args) };
  });
}

const pythonCall = /([\w.-]+)\(((?:[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^,()"']+)(?:,\s*)?)*)\)/g;

/** Calls in Python's form, where the text is nothing else. */
function pythonCalls(text: string): TextCall[] {
  const bare = text.replaceAll(/^\s*```[\w-]*\s*|\s*```\s*$|<\/?[\w|]+>/g, "");
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
