import { findJson, type FoundJson } from "../../guards/find-json.js";
import { plainName } from "./call-in-json.js";

/** What stands in lines of the classic form: Thought, Action, Action Input, Final Answer. */
export type ClassicLines = {
  /** Where the action or the answer begins. */
  readonly at: number;
  readonly thought: string;
} & (ClassicCall | { readonly kind: "answer"; readonly text: string });

type ClassicCall = {
  readonly kind: "call";
  readonly name: string;
  readonly input: unknown;
  /** How many closing brackets the input lacked, if it is JSON that did. */
  readonly missing?: number;
  /** The text ends with it, and nothing tells that it does. */
  readonly isOpen: boolean;
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

/** A label with its text, and where both begin. */
type Field = {
  readonly label: Label;
  readonly text: string;
  readonly at: number;
  readonly start: number;
};

/** Reads the first action, or the final answer, of a text in the classic form. Nothing for other texts. */
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

/** Every action in a text, also behind another one or an answer. */
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
    const start = match.index + match[0].length;
    return {
      label: labels[match[1]?.toLowerCase() ?? ""] ?? "other",
      text: text.slice(start, found[at + 1]?.index).trim(),
      at: match.index,
      start,
    };
  });
}

// A name that goes on is that of a tool.
const noAction = /^(none|finish|final[_ ]?answer|answer|n\/a|无)(?![\p{L}\p{N}_-])/iu;

/** The paper's way to end: `Finish[42]`. */
const finishing = /^(?:finish|final[_ ]?answer|answer)\s*[[(]([\s\S]*)[\])]\s*\.?$/i;

type Acted = ClassicCall | { readonly kind: "answer"; readonly text: string };

function actionOf({ text }: Field, rest: readonly Field[]): Acted {
  const inputs = rest.slice(0, 1).filter(({ label }) => label === "input");
  const input = inputs.map((each) => each.text).join("");
  if (!noAction.test(text)) return callOf(text, input, rest.length === inputs.length);
  const answer = rest.find(({ label }) => label === "answer")?.text;
  return { kind: "answer", text: answer ?? finishing.exec(text)?.[1]?.trim() ?? input };
}

function callOf(text: string, input: string, isLast: boolean): ClassicCall {
  const action = fenced(text) ?? text;
  const [, name = action, inBrackets] = /^([\w.-]+)\s*[[(]([\s\S]*)[\])]\s*\.?$/.exec(action) ?? [];
  const called = { kind: "call", name: plainName(firstLine(name)) } as const;
  return { ...called, ...inputOf(inBrackets ?? input, isLast && inBrackets === undefined) };
}

/** The input in a text; `isLast` where nothing stands behind that text. */
function inputOf(given: string, isLast: boolean): Omit<ClassicCall, "kind" | "name"> {
  const inFence = fenced(given);
  // Behind a blank line a model goes on talking, unless a fence holds all of it together.
  const bare = inFence ?? given.split(/\n\s*\n/, 1)[0] ?? "";
  const json = jsonInput((inFence ?? given).trim());
  if (json === undefined) {
    const isOpen = isLast && inFence === undefined && given.trim() === bare.trim();
    return { input: bare.trim(), isOpen };
  }
  const { value, missing } = json;
  return missing > 0 ? { input: value, missing, isOpen: true } : { input: value, isOpen: false };
}

/** The JSON that an input is, talk behind it aside. Brackets in the midst of a text are part of it. */
function jsonInput(text: string): FoundJson | undefined {
  const [json] = findJson(text).found;
  if (json?.start !== 0 || json.place !== "alone") return undefined;
  const rest = text.slice(json.end).trim();
  // Behind a comma there is more of it: a bracket too many came before.
  const isWhole = Array.isArray(json.value) ? rest === "" : !/^[,，]/.test(rest);
  return isWhole ? json : undefined;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** What stands in the fence that a text begins with. */
function fenced(text: string): string | undefined {
  return /^```[\w-]*\n([\s\S]*?)```/.exec(text)?.[1]?.trim();
}
