import { findJson, type FoundJson } from "../../json/find-json.js";
import { isRecord } from "../../json/json.js";
import { quoteEnd, readJson } from "../../json/read-json.js";
import { finalAction, otherFinalAction, type ToolForm } from "../../prompts/tool-protocol.js";
import {
  callsFound,
  isWholeCall,
  type RawCall,
  type RawTextCall,
  readCall,
  type TextCall,
  toolNamed,
} from "./json-calls.js";
import { readClassicLines } from "./react-lines.js";
import { isBehindCall, isInputAt, taggedCalls } from "./tagged-calls.js";
import { isNothingElse, type Span, splitThoughts, unquoted } from "./text.js";

/** The next action that a model's text holds. */
export type Action =
  | ({
      readonly kind: "calls";
      readonly thought: string;
      readonly calls: readonly TextCall[];
    } & Written)
  | { readonly kind: "answer"; readonly thought: string; readonly text: string }
  /** Neither a call nor an answer, with the problem in words for the model. */
  | {
      readonly kind: "neither";
      readonly problem: string;
      /** It was meant as an action: it is not plain prose. */
      readonly isBroken: boolean;
    };

/** How calls are written in a reply. */
type Written = {
  /** In the object that the JSON protocol asks for. */
  readonly isOwn: boolean;
  /** Nothing else is in the reply: a call among words may be only an example. */
  readonly isAlone: boolean;
};

type Found = { readonly at: number; readonly action: Action };

/**
 * Reads the first complete action of a reply: a JSON object, classic lines (Thought, Action, Final Answer) or, without
 * these, a call in tags. The rest and thinking blocks are ignored. A cut reply yields only complete calls, or its
 * answer so far. Never throws: an unreadable reply is `neither`, with the problem.
 */
export function readAction(reply: string, tools: readonly ToolForm[], isCut: boolean): Action {
  const { thoughts, rest: written } = splitThoughts(reply);
  const rest = unquoted(written);
  const action = actionIn(rest, thoughts, tools, isCut);
  if (action.kind !== "neither") return action;
  const soFar = isCut ? answerSoFar(rest, tools) : undefined;
  return soFar ?? (isProse(rest) ? { ...action, isBroken: false } : action);
}

function actionIn(
  rest: string,
  thoughts: string,
  tools: readonly ToolForm[],
  isCut: boolean,
): Action {
  const { found, problem = cutProblem(found, rest, isCut) } = findJson(rest);
  const acted = found
    .filter(({ missing, place, start }) => {
      const isArgument = place === "element" && isWithinAction(rest.slice(0, start));
      const isPart = place === "member" || isArgument || isInputAt(rest, start, tools);
      return !(missing > 0 && isCut) && !isPart;
    })
    .flatMap((each) => {
      const action = actionInJson(each, tools);
      return action === undefined ? [] : [{ ...each, at: each.start, action }];
    });
  const [inJson] = acted;
  const lines = classicAction(rest, tools, isCut);
  const inLines = isWithin(lines?.at, found, rest) ? undefined : lines;
  const first = [inJson, inLines]
    .filter((each) => each !== undefined)
    .toSorted((left, right) => left.at - right.at)[0];
  if (first !== undefined)
    return first === inJson ? placed(first.action, rest, acted) : first.action;
  const calls = taggedCalls(rest, tools, isCut).slice(0, 1);
  if (calls.length > 0) {
    return calling(calls, thoughts, tools, { isOwn: false, isAlone: isNothingElse(rest, calls) });
  }
  if (rest.trim() === "") return broken("your reply was empty");
  return problem === undefined || !meansAction(rest)
    ? { kind: "neither", problem: "your reply was not in the wanted form", isBroken: false }
    : broken(problem);
}

/** The text of a cut final answer: a text can be continued; an object would be asked for again, and cut again. */
function answerSoFar(text: string, tools: readonly ToolForm[]): Action | undefined {
  const said = text.replace(/\\u[\da-f]{0,3}$/i, "");
  // An escape may be cut after its backslash.
  const ends = said.endsWith("\\") ? [said, said.slice(0, -1)] : [said];
  const last = ends
    .map((end) => `${end}"`)
    .map((closed) => findJson(closed).found.at(-1))
    .find((found) => found !== undefined && found.missing > 0);
  const [key, value] = Object.entries(last?.value ?? {}).at(-1) ?? [];
  if (last === undefined || key === "thought" || typeof value !== "string") return undefined;
  const action = actionInJson(last, tools);
  return action?.kind === "answer" ? action : undefined;
}

/** The action of the first of several JSON values, with whether the text holds nothing else. */
function placed(action: Action, text: string, pieces: readonly Span[]): Action {
  return action.kind === "calls" ? { ...action, isAlone: isNothingElse(text, pieces) } : action;
}

/** The problem of JSON that only lacks its end, if the reply was cut. */
export function cutProblem(found: readonly FoundJson[], text: string, isCut: boolean) {
  const isOpen = isCut && found.some(({ missing }) => missing > 0);
  return isOpen ? `the JSON stops early: ${quoteEnd(text.trimEnd())}` : undefined;
}

/** Whether a place is within JSON or a call: classic lines there are part of its text. */
export function isWithin(at = 0, found: readonly FoundJson[], text: string): boolean {
  return found.some(({ start, end }) => start <= at && at < end) || isBehindCall(text, at);
}

/** Whether an argument of an action may follow this text. One brace too many does not begin an argument. */
function isWithinAction(before: string): boolean {
  return meansAction(before.replace(/(?<![{｛\s])[{｛\s]+$/, ""));
}

/** Whether a text begins an action in JSON: formulas and code have braces too. */
function meansAction(text: string): boolean {
  const keys =
    /["'“‘](?:action|action_input|tool|name|arguments|thought|final_answer|answer)["'”’]\s*[:：]/i;
  return keys.test(text) || /^\s*(?:```\w*\s*)?[{｛]/.test(text);
}

function classicAction(
  text: string,
  tools: readonly ToolForm[],
  isCut: boolean,
): Found | undefined {
  const lines = readClassicLines(text);
  if (lines === undefined) return undefined;
  const { at, thought } = lines;
  if (lines.kind === "answer") return { at, action: answer(lines.text, thought) };
  // An action that is JSON itself is found as JSON.
  if (lines.name === "" || /[{}]/.test(lines.name)) return undefined;
  const tool = toolNamed(lines.name, tools);
  if (isCut && lines.isOpen) return { at, action: broken("the Action Input stops early") };
  if (lines.input === "" && needsInput(tool?.parameters)) {
    return { at, action: broken("the Action has no Action Input") };
  }
  const written = { isOwn: false, isAlone: isNothingElse(text, [lines]) };
  return { at, action: calling([lines], thought, tools, written) };
}

/** Calls with inputs of any form; broken if one was cut. */
export function calling(
  raw: readonly RawCall[],
  thought: string,
  tools: readonly ToolForm[],
  written: Written,
): Action {
  const problem = raw.map(({ input }) => inputProblem(input)).find((each) => each !== undefined);
  if (problem !== undefined) return broken(problem);
  const open = raw.find((call) => !isWholeCall(call, tools));
  if (open !== undefined) {
    const why =
      open.missing === undefined
        ? "has arguments that stand beside the others: a bracket closes too early"
        : "lacks closing brackets: it may be cut";
    return broken(`the JSON of the call of "${open.name}" ${why}`);
  }
  const calls = raw.map(({ name, input }) => readCall(name, input, tools));
  return { kind: "calls", thought, calls, ...written };
}

/** An unreadable call or answer. */
export function broken(problem: string): Action {
  return { kind: "neither", problem, isBroken: true };
}

/** Whether a text begins with words and without a label: a broken object after them may be only an example. */
function isProse(text: string): boolean {
  const [head = ""] = text.slice(0, 500).split(/[{[｛【［<]/, 1);
  const isLabelled =
    /^\W*(?:thought|action|final answer|answer|思考|想法|行动|动作|最终|答案)/i.test(head);
  return !isLabelled && /\p{L}[ ,]+\p{L}|\p{Script=Han}{4}/u.test(head);
}

function needsInput(parameters: unknown): boolean {
  const required = isRecord(parameters) ? parameters["required"] : undefined;
  return Array.isArray(required) && required.length > 0;
}

function actionInJson(found: FoundJson, tools: readonly ToolForm[]): Action | undefined {
  const { value } = found;
  const [call] = callsFound(found, tools);
  const record = isRecord(value) ? value : {};
  const said = saidIn(record);
  if (call === undefined) {
    return said === "" ? undefined : answer(said, textIn(record["thought"]));
  }
  const { name, input, thought } = call;
  if (isFinal(name, tools)) return answer(textIn(input) || said, thought);
  const isOwn = isOwnObject(record) && said === "";
  const isMeant = isOwn || isKnownCall(call, tools);
  return isMeant ? calling([call], thought, tools, { isOwn, isAlone: false }) : undefined;
}

/** Whether an object in another form is a complete call of an existing tool. */
function isKnownCall({ name, isWhole }: RawTextCall, tools: readonly ToolForm[]): boolean {
  return isWhole && toolNamed(name, tools) !== undefined;
}

/** The fields of the JSON protocol's object, and the result or answer that a model invents beside its call. */
const ownKeys: ReadonlySet<string> = new Set([
  "thought",
  "action",
  "action_input",
  "observation",
  "answer",
  "final_answer",
]);

/** Whether an object has the JSON protocol's form. */
function isOwnObject(value: Record<string, unknown>): boolean {
  return typeof value["action"] === "string" && Object.keys(value).every((key) => ownKeys.has(key));
}

/** Whether an action's name means the final answer. */
function isFinal(name: string, tools: readonly ToolForm[]): boolean {
  if (toolNamed(name, tools) !== undefined) return false;
  return (
    [finalAction, otherFinalAction].includes(name) ||
    /^(final[ _-]?answer|answer|finish|final|respond|none)$/i.test(name)
  );
}

function answer(text: string, thought: string): Action {
  return text.trim() === ""
    ? broken("your final answer was empty")
    : { kind: "answer", thought, text: text.trim() };
}

/** The text that an object has under one of the names of an answer. */
function saidIn(record: Record<string, unknown>): string {
  return textIn(record["final_answer"] ?? record["answer"] ?? record["Final Answer"]);
}

/** An answer as text: an object's only or `answer` field. */
function textIn(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (!isRecord(value)) return JSON.stringify(value);
  const only = Object.values(value);
  if (only.length === 0) return "";
  const said = value["answer"] ?? value["final_answer"] ?? (only.length === 1 ? only[0] : value);
  return typeof said === "string" ? said : JSON.stringify(said);
}

/** The problem of an input that was meant as an object and is unreadable: as plain text it would be a guess. */
export function inputProblem(input: unknown): string | undefined {
  if (typeof input !== "string" || !meantAsJson.some((form) => form.test(input))) return undefined;
  const read = readJson(input);
  if (!read.ok) return `the arguments could not be read: ${read.problem}`;
  if (typeof read.value === "string" && !read.repaired) return inputProblem(read.value);
  return isRecord(read.value) ? undefined : "the arguments could not be read: they are no object";
}

/**
 * Texts that begin like an object, hold a key after a brace, have only the end of an object, begin in its middle or
 * hold only its punctuation; and a key with a quoted text that contains escapes.
 */
const meantAsJson = [
  /^\s*["']?[{｛]\s*(?:["'“‘]|&quot;|$)/,
  /^\s*["']?[{｛][^]{0,200}["'”’]\s*[:：]/,
  /["'”’]\s?[}｝]+\s*$/,
  /^[^{｛]*[}｝]\s*$/,
  /^\s*["']?[{｛]\s*[\w-]+\s*[:：]/,
  /^(?:[\w-]*["'”’])?\s*[:：]\s*["'“‘]/,
  /^[^"“”]*["”]\s*$/,
  /^[\s"'“”‘’`{}[\],:：]+$/,
  /^\s*["'“‘`]?[\w-]+["'”’`]?\s*[:：]\s*["'“‘`][^]*\\/,
];
