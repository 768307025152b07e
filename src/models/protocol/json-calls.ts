import type { FoundJson } from "../../json/find-json.js";
import { isRecord, namedValues } from "../../json/json.js";
import { readJson } from "../../json/read-json.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";

/** A tool call that a model wrote as text. */
export type TextCall = { readonly name: string; readonly args: Record<string, unknown> };

/** A call read from JSON: its arguments may still be anything. */
export type RawTextCall = {
  readonly name: string;
  readonly input: unknown;
  /** Whether the object had a field for arguments, or only the name. */
  readonly isWhole: boolean;
  readonly thought: string;
  /** How many closing brackets its arguments lacked; `undefined` if the JSON around it was complete. */
  readonly missing?: number | undefined;
  /** The other fields of the object. */
  readonly beside?: readonly string[];
};

const nameKeys = [
  "action",
  "name",
  "tool",
  "tool_name",
  "function",
  "function_name",
  "recipient_name",
  "api_name",
  "Action",
];
const inputKeys = [
  "action_input",
  "arguments",
  "parameters",
  "args",
  "input",
  "tool_input",
  "tool_args",
  "kwargs",
  "actionInput",
  "Action Input",
];

/** The calls in JSON that was found in a text, as `callsInJson` returns them. */
export function callsFound(
  { value, missing }: FoundJson,
  tools: readonly ToolForm[],
): RawTextCall[] {
  return callsInJson(value, tools, missing > 0 ? missing : undefined);
}

/** Keys that hold the calls of a reply, one or a list. */
const callKeys = [
  "tool_calls",
  "Tools",
  "tools",
  "tool_call",
  "tool_uses",
  "function_call",
  "function",
  "action",
  "Action",
];

/**
 * The calls in a JSON value: one, a list, either under a key such as `tool_calls`, or `{ <tool>: <arguments> }`.
 * `missing` is the number of brackets that the value lacked.
 */
export function callsInJson(
  value: unknown,
  tools: readonly ToolForm[] = [],
  missing?: number,
): RawTextCall[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, at) =>
      callsInJson(each, tools, missingInside(missing, at === value.length - 1)),
    );
  }
  if (!isRecord(value)) return [];
  const key = callKeys.find((each) => typeof value[each] === "object" && value[each] !== null);
  if (key !== undefined) return callsInJson(value[key], tools, missingAt(value, key, missing));
  return (
    flatCall(value, tools, missing) ?? namedCall(value, missing) ?? keyedCall(value, tools, missing)
  );
}

/** `{"action": "search", "query": "x"}`: only for an existing tool, with only its own arguments. */
function flatCall(
  value: Record<string, unknown>,
  tools: readonly ToolForm[],
  missing?: number,
): RawTextCall[] | undefined {
  const [call] = namedCall(value) ?? [];
  const tool = call === undefined ? undefined : toolNamed(call.name, tools);
  if (call === undefined || call.isWhole || tool === undefined || missing !== undefined)
    return undefined;
  const known = parameterNames(tool.parameters);
  const { beside = [] } = call;
  // A call's own field, such as its id, must not become an argument.
  const isClear = !Object.keys(value).some((key) => ownKeys.has(key) && known.includes(key));
  if (!isClear || !beside.every((key) => known.includes(key))) return undefined;
  const input = Object.fromEntries(beside.map((key) => [key, value[key]]));
  return [{ ...call, input, isWhole: true, beside: [] }];
}

function namedCall(value: Record<string, unknown>, missing?: number): RawTextCall[] | undefined {
  const name = nameKeys.map((key) => value[key]).find((each) => typeof each === "string");
  if (typeof name !== "string") return undefined;
  const inputKey = inputKeys.find((key) => value[key] !== undefined);
  const input = inputKey === undefined ? undefined : value[inputKey];
  if (isToolSchema(input)) return [];
  const isWhole = inputKey !== undefined || Object.keys(value).every((key) => ownKeys.has(key));
  const beside = Object.keys(value).filter((key) => key !== inputKey && !ownKeys.has(key));
  const call = { name: plainName(name), input, isWhole, thought: thoughtIn(value), beside };
  return [{ ...call, missing: missingAt(value, inputKey, missing) }];
}

/** `{"search": {"query": "x"}}`: only for an existing tool, with only its own arguments. */
function keyedCall(
  value: Record<string, unknown>,
  tools: readonly ToolForm[],
  missing?: number,
): RawTextCall[] {
  const [name = "", ...others] = Object.keys(value).filter((key) => key !== "thought");
  const tool = toolNamed(name, tools);
  const input = value[name];
  if (tool === undefined || others.length > 0 || !isRecord(input)) return [];
  const known = parameterNames(tool.parameters);
  if (!Object.keys(input).every((key) => known.includes(key))) return [];
  const thought = thoughtIn(value);
  return [{ name, input, isWhole: true, thought, missing: missingAt(value, name, missing) }];
}

function thoughtIn({ thought }: Record<string, unknown>): string {
  return typeof thought === "string" ? thought : "";
}

/** The number of brackets that a part of an incomplete value lacks: only the last part can be open. */
function missingInside(missing: number | undefined, isLast: boolean): number | undefined {
  return missing === undefined ? undefined : Math.max(0, isLast ? missing - 1 : 0);
}

function missingAt(value: object, key: string | undefined, missing?: number): number | undefined {
  return missingInside(missing, Object.keys(value).at(-1) === key);
}

/** The possible fields of a call without arguments. */
const ownKeys: ReadonlySet<string> = new Set([...nameKeys, "thought", "id", "type"]);

/** Whether a value is the definition of a tool: a model that repeats one does not call the tool. */
export function isToolSchema(input: unknown): boolean {
  return isRecord(input) && input["type"] === "object" && isRecord(input["properties"]);
}

/** A tool's name as some models write it: `functions.search`, "`search`", `search:`. */
export function plainName(name: string): string {
  return name
    .trim()
    .replace(/^functions?\./, "")
    .replace(/^[`"'“[*]+/, "")
    .replace(/(?<![`"'”\]*:.])[`"'”\]*:.]+$/, "");
}

/** The tool with this name; otherwise the only one whose name differs in case alone. */
export function toolNamed<Tool extends { readonly name: string }>(
  name: string,
  tools: readonly Tool[],
): Tool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const [only, ...others] = tools.filter((tool) => lower(tool.name) === lower(name));
  return others.length === 0 ? only : undefined;
}

function lower(name: string): string {
  return name.toLowerCase();
}

/** A call with its tool's exact name and its arguments as an object, however the model wrote them. */
export function readCall(name: string, input: unknown, tools: readonly ToolForm[]): TextCall {
  const tool = toolNamed(name, tools);
  return { name: tool?.name ?? name, args: argumentsOf(input, tool?.parameters) };
}

function argumentsOf(input: unknown, parameters: unknown): Record<string, unknown> {
  if (isRecord(input)) return { ...input };
  if (input === undefined || input === null || input === "") return {};
  if (typeof input === "string") return textArguments(input, parameters);
  if (!Array.isArray(input)) return positional([input], parameters);
  return namedValues(input) ?? positional(input, parameters);
}

function textArguments(text: string, parameters: unknown): Record<string, unknown> {
  const read = readJson(text);
  if (read.ok && isRecord(read.value)) return { ...read.value };
  const inner = read.ok && typeof read.value === "string" ? read.value : "";
  return inner.trim().startsWith("{") && inner !== text
    ? textArguments(inner, parameters)
    : bareInput(text, parameters);
}

/**
 * Arguments from bare text: a single parameter takes all of it; else pieces between commas go by name (`people 6`,
 * `people=6`, `people: 6`) or in order. The tool's own validation decides.
 */
export function bareInput(text: string, parameters: unknown): Record<string, unknown> {
  const names = parameterNames(parameters);
  const [only, ...others] = names;
  if (only === undefined) return {};
  if (others.length > 0) return fromPieces(piecesOf(text), names);
  return { [only]: named(text, names, assigned)?.value ?? unquoted(text) };
}

function fromPieces(pieces: readonly string[], names: readonly string[]): Record<string, unknown> {
  const args = new Map<string, string | undefined>();
  for (const piece of pieces) {
    const next = names.find((name) => !args.has(name)) ?? names.at(-1) ?? "";
    const { name, value } = named(piece, names, labelled) ?? { name: next, value: unquoted(piece) };
    const before = args.get(name);
    // A piece that repeats only its parameter's name has no value.
    const given = piece === name ? undefined : value;
    args.set(name, before === undefined ? given : `${before}, ${value}`);
  }
  return Object.fromEntries([...args].filter(([, value]) => value !== undefined));
}

/** Values in the order of the parameters; the last takes the rest if it is a list or values are left. */
export function positional(
  values: readonly unknown[],
  parameters: unknown,
): Record<string, unknown> {
  const names = parameterNames(parameters);
  const last = names.length - 1;
  const takesRest = values.length > names.length || takesList(parameters, names[last]);
  return Object.fromEntries(
    names
      .slice(0, values.length)
      .map((name, at) => [name, at === last && takesRest ? values.slice(at) : values[at]]),
  );
}

function takesList(parameters: unknown, name = ""): boolean {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  const property = isRecord(properties) ? properties[name] : undefined;
  return isRecord(property) && property["type"] === "array";
}

/** The parameter names of a schema, in order. */
export function parameterNames(parameters: unknown): string[] {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** Pieces between commas outside quotation marks. */
function piecesOf(text: string): string[] {
  const pieces = text.match(/(?:"[^"]*"|'[^']*'|[^,，;；\n"'])+|["']/g) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

const assigned = /^["'`]?([\w-]+)["'`]?\s*[:=：]\s*(\S[\s\S]*)$/;
const labelled = /^["'`]?([\w-]+)["'`]?\s*(?:[:=：]\s*|\s)(\S[\s\S]*)$/;

function named(piece: string, names: readonly string[], form: RegExp) {
  const [, name = "", value = ""] = form.exec(piece.trim()) ?? [];
  return names.includes(name) ? { name, value: unquoted(value) } : undefined;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const [, , inside, inCurly] = /^(?:(["'`])((?:(?!\1)[\s\S])*)\1|“([^“”]*)”)$/.exec(trimmed) ?? [];
  return inside ?? inCurly ?? trimmed;
}

/** A call whose arguments may still be anything, and the brackets that its JSON lacked. */
export type RawCall = Pick<RawTextCall, "name" | "input" | "missing" | "beside">;

/**
 * Whether a call is complete: no argument is outside the arguments because they were closed too early, and missing
 * brackets neither lost an argument nor swallowed one.
 */
export function isWholeCall(
  { name, input, missing, beside = [] }: RawCall,
  tools: readonly ToolForm[],
): boolean {
  const tool = toolNamed(name, tools);
  if (tool === undefined) return true;
  const { args } = readCall(name, input, tools);
  const names = parameterNames(tool.parameters);
  const left = names.filter((each) => !Object.hasOwn(args, each));
  if (left.some((each) => beside.includes(each))) return false;
  if (missing === undefined) return true;
  const isOpen = missing > 0 && (missing > mayLack(input) || left.length > 0);
  const isSwollen = Object.keys(args).some((key) => !names.includes(key)) || holdsKey(args, left);
  return !isOpen && !isSwollen;
}

/** How many brackets may be missing before a value of the arguments is open itself. */
function mayLack(input: unknown): number {
  if (!Array.isArray(input)) return 1;
  return input.length === 0 || namedValues(input) !== undefined ? 2 : 0;
}

/** Whether one of the keys is anywhere within a value. */
function holdsKey(value: unknown, keys: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, each]) => (keys.includes(key) && !Array.isArray(value)) || holdsKey(each, keys),
  );
}
