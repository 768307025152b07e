import { findJson } from "../../json/find-json.js";
import { canonicalJson } from "../../json/json.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import { callsInJson, readCall, type TextCall } from "./json-calls.js";
import { classicCalls } from "./react-lines.js";
import { taggedAnywhere } from "./tagged-calls.js";

/** Whether a tool result contains a call. Outside text must not act because a model repeats it. */
export function quotedIn(
  results: readonly string[],
  tools: readonly ToolForm[],
): (call: TextCall) => boolean {
  const quoted = new Set(results.flatMap((text) => callsIn(text, tools)).map(keyOf));
  return (call) => quoted.has(keyOf(call));
}

/** How deep texts nest in JSON. */
const maxDepth = 3;

function callsIn(fenced: string, tools: readonly ToolForm[], depth = 0): TextCall[] {
  // A fence disarms some brackets; a model may write the original ones.
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

/** A text without escapes of its quotation marks: a model may copy it so. */
function unescaped(text: string): string[] {
  const plain = text.replaceAll(/(?<!\\)\\+"|&quot;|&#34;/g, '"');
  return plain === text ? [] : [plain];
}

/** An object or list, and all objects and lists in it. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap((each: unknown) => objectsIn(each))];
}

/** Texts in a value that may contain JSON. */
function textsIn(value: object): string[] {
  return objectsIn(value)
    .flatMap((each) => Object.values(each))
    .filter((each: unknown): each is string => typeof each === "string" && /[{[<:]/.test(each));
}

function keyOf({ name, args }: TextCall): string {
  return `${name} ${canonicalJson(args)}`;
}
