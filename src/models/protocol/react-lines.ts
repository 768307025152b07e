import { findJson, type FoundJson } from "../../json/find-json.js";
import { plainName } from "./json-calls.js";

/** The contents of the classic lines: Thought, Action, Action Input, Final Answer. */
export type ClassicLines = {
  /** Where the action or the answer begins. */
  readonly at: number;
  readonly thought: string;
} & (ClassicCall | { readonly kind: "answer"; readonly text: string });

type ClassicCall = {
  readonly kind: "call";
  readonly name: string;
  readonly input: unknown;
  /** How many closing brackets a JSON input lacked. */
  readonly missing?: number;
  /** The text ends with it, without a sign that it is complete. */
  readonly isOpen: boolean;
  /** The start of its name and the end of its input. */
  readonly start: number;
  readonly end: number;
};

type Label = "thought" | "action" | "input" | "answer" | "other";

const labels: { readonly [label: string]: Label } = {
  "action input": "input",
  action: "action",
  "final answer": "answer",
  answer: "answer",
  thought: "thought",
  question: "other",
  observation: "other",
  行动输入: "input",
  动作输入: "input",
  行动: "action",
  动作: "action",
  最终答案: "answer",
  最终回答: "answer",
  答案: "answer",
  思考: "thought",
  想法: "thought",
  问题: "other",
  观察: "other",
};

const line = new RegExp(
  String.raw`^[ \t>*#-]*(${Object.keys(labels).join("|")})(?:[ \t]*\d+)?\**[ \t]*[:：]\**[ \t]*`,
  "gim",
);

/** A label with its text, and the start of both. */
type Field = {
  readonly label: Label;
  readonly text: string;
  readonly at: number;
  readonly start: number;
};

/** Reads the first action, or the final answer, of a text in the classic form; `undefined` for other texts. */
export function readClassicLines(text: string): ClassicLines | undefined {
  const fields = fieldsOf(text);
  const first = fields.findIndex(({ label }) => label === "action" || label === "answer");
  const field = fields[first];
  if (field === undefined) return undefined;
  const thought = fields
    .slice(0, first)
    .filter(({ label }) => label === "thought")
    .map((each) => each.text)
    .join("\n");
  const { at } = field;
  const rest = fields.slice(first + 1);
  if (field.label === "answer") {
    return { kind: "answer", at, thought, text: text.slice(field.start).trim() };
  }
  return { at, thought, ...actionOf(field, rest) };
}

/** Every action in a text, also after another one or an answer. */
export function classicCalls(text: string): Pick<ClassicCall, "name" | "input">[] {
  const fields = fieldsOf(text);
  return fields
    .map((field, at) => ({ field, rest: fields.slice(at + 1, at + 2) }))
    .filter(({ field }) => field.label === "action")
    .map(({ field, rest }) => actionOf(field, rest))
    .filter((acted) => acted.kind === "call");
}

function fieldsOf(text: string): Field[] {
  const found = [...text.matchAll(line)];
  return found.map((match, at) => {
    const raw = text.slice(match.index + match[0].length, found[at + 1]?.index);
    return {
      label: labels[match[1]?.toLowerCase() ?? ""] ?? "other",
      text: raw.trim(),
      at: match.index,
      start: match.index + match[0].length + raw.length - raw.trimStart().length,
    };
  });
}

// A name that only begins with such a word is a tool's.
const noAction = /^(none|finish|final[_ ]?answer|answer|n\/a|无)(?![\p{L}\p{N}_-])/iu;

/** The paper's way to end: `Finish[42]`. */
const finishing = /^(?:finish|final[_ ]?answer|answer)\s*[[(]([\s\S]*)[\])]\s*\.?$/i;

type Acted = ClassicCall | { readonly kind: "answer"; readonly text: string };

function actionOf(field: Field, rest: readonly Field[]): Acted {
  const { text } = field;
  const given = rest.slice(0, 1).filter(({ label }) => label === "input");
  if (!noAction.test(text)) return callOf(field, given[0], rest.length === given.length);
  const input = given.map((each) => each.text).join("");
  const answer = rest.find(({ label }) => label === "answer")?.text;
  return { kind: "answer", text: answer ?? finishing.exec(text)?.[1]?.trim() ?? input };
}

function callOf({ text, start }: Field, given: Field | undefined, isLast: boolean): ClassicCall {
  const action = fenced(text) ?? text;
  const [, name = action, inBrackets] = /^([\w.-]+)\s*[[(]([\s\S]*)[\])]\s*\.?$/.exec(action) ?? [];
  const called = { kind: "call", name: plainName(firstLine(name)), start } as const;
  if (inBrackets !== undefined) {
    return { ...called, ...inputOf(inBrackets, false), end: start + text.length };
  }
  const { length, ...input } = inputOf(given?.text ?? "", isLast);
  const end = given === undefined ? start + firstLine(text).length : given.start + length;
  return { ...called, ...input, end };
}

/** An input, and the length of its text. */
type Input = Pick<ClassicCall, "input" | "missing" | "isOpen"> & { readonly length: number };

/** The input in a text; `isLast` if no text follows. */
function inputOf(given: string, isLast: boolean): Input {
  const inFence = fenced(given);
  // After a blank line a model talks on, unless a fence encloses all of it.
  const bare = inFence ?? withoutFenceEnd(given.split(/\n\s*\n/, 1)[0] ?? "");
  const json = jsonInput((inFence ?? given).trim());
  const length = inFence === undefined ? bare.length : given.indexOf("```", 3) + 3;
  if (json === undefined) {
    const isOpen = isLast && inFence === undefined && given.trim() === bare.trim();
    return { input: bare.trim(), isOpen, length };
  }
  const { value, missing, end } = json;
  const read = { input: value, length: inFence === undefined ? end : length };
  return missing > 0 ? { ...read, missing, isOpen: true } : { ...read, isOpen: false };
}

/** The JSON of an input, without talk after it. Brackets in the middle of a text are part of the text. */
function jsonInput(text: string): FoundJson | undefined {
  const [json] = findJson(text).found;
  if (json?.start !== 0 || json.place !== "alone") return undefined;
  const rest = text.slice(json.end).trim();
  // A comma follows, so there is more: a bracket too many came before.
  const isWhole = Array.isArray(json.value) ? rest === "" : !/^[,，]/.test(rest);
  return isWhole ? json : undefined;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** A text up to the end of a fence that began before it. */
function withoutFenceEnd(text: string): string {
  const end = text.indexOf("\n```");
  return end === -1 ? text : text.slice(0, end);
}

/** The contents of the fence that a text begins with. */
function fenced(text: string): string | undefined {
  return /^```[\w-]*\n([\s\S]*?)```/.exec(text)?.[1]?.trim();
}
