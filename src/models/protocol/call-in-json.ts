import { readJson } from "../../guards/read-json.js";
import { isRecord } from "../../plan/json.js";
import type { ToolForm } from "../../prompts/argument-form.js";
import { bareInput, positional } from "./bare-input.js";

/** A tool call that a model wrote as text. */
export type TextCall = { readonly name: string; readonly args: Record<string, unknown> };

/** A call as it stands in JSON: its arguments may still be anything. */
export type RawTextCall = {
  readonly name: string;
  readonly input: unknown;
  /** Whether the object had a place for arguments, or nothing but the name. */
  readonly isWhole: boolean;
  readonly thought: string;
};

const nameKeys = ["action", "name", "tool", "tool_name", "function"];
const inputKeys = [
  "action_input",
  "arguments",
  "parameters",
  "args",
  "input",
  "tool_input",
  "actionInput",
];

/** The calls in a JSON value: one, a list of them, or a list under `tool_calls`. */
export function callsInJson(value: unknown): RawTextCall[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => callsInJson(each));
  if (!isRecord(value)) return [];
  if (Array.isArray(value["tool_calls"])) return callsInJson(value["tool_calls"]);
  const inner = value["function"];
  if (isRecord(inner)) return callsInJson(inner);
  const name = nameKeys.map((key) => value[key]).find((each) => typeof each === "string");
  if (typeof name !== "string") return [];
  const inputKey = inputKeys.find((key) => value[key] !== undefined);
  const input = inputKey === undefined ? undefined : value[inputKey];
  if (isToolSchema(input)) return [];
  const thought = typeof value["thought"] === "string" ? value["thought"] : "";
  const isWhole = inputKey !== undefined || Object.keys(value).every((key) => ownKeys.has(key));
  return [{ name: plainName(name), input, isWhole, thought }];
}

/** What a call without arguments may consist of. */
const ownKeys: ReadonlySet<string> = new Set([...nameKeys, "thought", "id", "type"]);

/** A model that repeats the definition of a tool does not call it. */
export function isToolSchema(input: unknown): boolean {
  return isRecord(input) && input["type"] === "object" && isRecord(input["properties"]);
}

/** A tool's name as some models write it: `functions.search`, "`search`", `search:`. */
export function plainName(name: string): string {
  return name
    .trim()
    .replace(/^functions?\./, "")
    .replaceAll(/^[`"'“[*]+|[`"'”\]*:.]+$/g, "");
}

/** A call with its arguments as an object, however the model wrote them. */
export function readCall(name: string, input: unknown, tools: readonly ToolForm[]): TextCall {
  const parameters = tools.find((tool) => tool.name === name)?.parameters;
  return { name, args: argumentsOf(input, parameters) };
}

function argumentsOf(input: unknown, parameters: unknown): Record<string, unknown> {
  if (isRecord(input)) return { ...input };
  if (input === undefined || input === null || input === "") return {};
  if (typeof input === "string") return textArguments(input, parameters);
  if (!Array.isArray(input)) return positional([input], parameters);
  const pairs = input.map((each: unknown) => nameAndValue(each));
  const known = pairs.flatMap((each) => (each === undefined ? [] : [each]));
  const isNamed = known.length > 0 && known.length === pairs.length;
  return isNamed ? Object.fromEntries(known) : positional(input, parameters);
}

/** What is wrong with an input that was meant as an object and cannot be read: as plain text it would be guessed. */
export function inputProblem(input: unknown): string | undefined {
  if (typeof input !== "string" || !/^\s*[{｛]\s*["'“‘]/.test(input)) return undefined;
  const read = readJson(input);
  return read.ok ? undefined : `the arguments could not be read: ${read.problem}`;
}

function textArguments(text: string, parameters: unknown): Record<string, unknown> {
  const read = readJson(text);
  if (read.ok && isRecord(read.value)) return { ...read.value };
  return bareInput(text, parameters);
}

/** One of a list of parameters: `{"name": "query", "value": "…"}`. */
function nameAndValue(value: unknown): [string, unknown] | undefined {
  if (!isRecord(value) || !("value" in value)) return undefined;
  const { name } = value;
  return typeof name === "string" ? [name, value["value"]] : undefined;
}
