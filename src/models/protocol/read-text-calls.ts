import { findJson, type FoundJson } from "../../guards/find-json.js";
import { isRecord } from "../../plan/json.js";
import type { ToolForm } from "../../prompts/argument-form.js";
import { callsFound, isToolSchema } from "./call-in-json.js";
import { readClassicLines } from "./classic-lines.js";
import { isInSentence } from "./in-sentence.js";
import { type Action, broken, calling, cutProblem, isWithin } from "./read-action.js";
import { splitThoughts } from "./split-thoughts.js";
import { isInputAt, taggedCalls } from "./tagged-calls.js";
import { unquoted } from "./unquoted.js";
import type { RawCall } from "./whole-call.js";

/**
 * Reads tool calls that a model wrote as text where it should have called: fenced or bare JSON, in
 * tags, or in the classic lines. Only what names an existing tool counts, or what is nothing but a
 * call; what stands in the middle of a sentence is talked about. A call that is broken is `neither`;
 * nothing for a text that is an answer. Never throws.
 */
export function readTextCalls(
  reply: string,
  tools: readonly ToolForm[],
  isCut: boolean,
): Action | undefined {
  const { thoughts: thought, rest: written } = splitThoughts(reply);
  const rest = beforeAnswer(unquoted(written));
  const { found, problem = cutProblem(found, rest, isCut) } = findJson(rest);
  const whole = found.filter(({ missing, place, start, end }) => {
    const isArgument = place === "element" && mentionsCall(rest.slice(0, start), tools);
    const isPart = place === "member" || isArgument || isInputAt(rest, start, tools);
    return !(missing > 0 && isCut) && !isPart && !isInSentence(rest, start, end);
  });
  const calls = [
    () => callsIn(whole, rest, tools),
    () => taggedCalls(rest, tools, isCut),
    () => classicCall(rest, tools, isCut, found),
  ].reduce<readonly RawCall[]>((known, read) => (known.length > 0 ? known : read()), []);
  if (calls.length > 0) return calling(calls, thought, tools);
  if (problem !== undefined && mentionsCall(rest, tools)) {
    return broken(`your tool call could not be read: ${problem}`);
  }
  const isDefinition = whole.some(
    ({ value }) => isRecord(value) && isToolSchema(value["parameters"]),
  );
  return isDefinition && isNothingElse(rest)
    ? broken("you repeated the definition of a tool instead of calling it")
    : undefined;
}

/** A text up to what is said to be the final answer: what stands in that is no call. */
function beforeAnswer(text: string): string {
  const lines = readClassicLines(text);
  const isAnswer = lines?.kind === "answer" && !isWithin(lines.at, findJson(text).found, text);
  return isAnswer ? text.slice(0, lines.at) : text;
}

function callsIn(found: readonly FoundJson[], text: string, tools: readonly ToolForm[]) {
  const raw = found.flatMap((each) => callsFound(each, tools)).filter(({ isWhole }) => isWhole);
  const meant = raw.filter((call) => tools.some(({ name }) => name === call.name));
  const alone = isNothingElse(text) ? raw.filter(({ input }) => input !== undefined) : [];
  return meant.length > 0 ? meant : alone;
}

function classicCall(
  text: string,
  tools: readonly ToolForm[],
  isCut: boolean,
  found: readonly FoundJson[],
): RawCall[] {
  const lines = readClassicLines(text);
  if (isWithin(lines?.at, found, text)) return [];
  if (lines?.kind !== "call" || !tools.some(({ name }) => name === lines.name)) return [];
  if (isCut && lines.isOpen) return [];
  return [lines];
}

/** Whether a text is one piece of JSON: bare, fenced or between tags. */
export function isNothingElse(text: string): boolean {
  const bare = text.replaceAll(/<\/?[\w|]+>/g, "").trim();
  const inside = bare
    .replace(/^```[\w-]*/, "")
    .replace(/```$/, "")
    .trim();
  return /^[{[]/.test(inside) && /[}\]]$/.test(inside);
}

/** Whether a text holds the beginning of a call of a tool that exists. */
function mentionsCall(text: string, tools: readonly ToolForm[]): boolean {
  const names = [
    ...text.matchAll(/["'“]?(?:name|action|tool|function)["'”]?\s*[:：=]\s*["'“]?([\w.-]+)/gi),
  ];
  return names.some(([, name]) => tools.some((tool) => tool.name === name));
}
