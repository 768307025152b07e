import { findJson } from "../../json/find-json.js";
import { canonicalJson } from "../../json/json.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import { callsInJson, readCall, type TextCall } from "./json-calls.js";
import { classicCalls } from "./react-lines.js";
import { taggedAnywhere } from "./tagged-calls.js";

/** Whether a call stands in a tool's result. Text from outside must not act because a model repeats it. */
export function quotedIn(
  results: readonly string[],
  tools: readonly ToolForm[],
): (call: TextCall) => boolean {
  const quoted = new Set(results.flatMap((text) => callsIn(text, tools)).map(keyOf));
  return (call) => quoted.has(keyOf(call));
}

/** How deep a text may stand in JSON in a text. */
const maxDepth = 3;

function callsIn(fenced: string, tools: readonly ToolForm[], depth = 0): TextCall[] {
  // A fence disarms some brackets; a model may write them as they were.
  const text = fenced.replaceAll("‹", "<").replaceAll("⟦", "[");
  const values = findJson(text).found.map(({ value }) => value);
  const inJson = values
    .flatMap((value) => objectsIn(value))
    .flatMap((each) => callsInJson(each, tools));
  const raw = [...inJson, ...classicCalls(text), ...taggedAnywhere(text)];
  const inner = [...values.flatMap((value) => textsIn(value)), ...unescaped(text)];
  const deeper = depth < maxDepth ? inner.flatMap((each) => callsIn(each, tools, depth + 1)) : [];
  return [...raw.map(({ name, input }) => readCall(name, input, tools)), ...deeper];
}

/** A text as a model may copy it, where its quotation marks are escaped. */
function unescaped(text: string): string[] {
  const plain = text.replaceAll(/(?<!\\)\\+"|&quot;|&#34;/g, '"');
  return plain === text ? [] : [plain];
}

/** An object or list, and all that stand in it. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap((each: unknown) => objectsIn(each))];
}

/** The texts in a value that may hold JSON themselves. */
function textsIn(value: object): string[] {
  return objectsIn(value)
    .flatMap((each) => Object.values(each))
    .filter((each: unknown): each is string => typeof each === "string" && /[{[<:]/.test(each));
}

function keyOf({ name, args }: TextCall): string {
  return `${name} ${canonicalJson(args)}`;
}
