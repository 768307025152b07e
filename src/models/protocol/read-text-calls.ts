import { findJson, type FoundJson } from "../../json/find-json.js";
import { isRecord } from "../../json/json.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import { callsFound, isToolSchema, toolNamed } from "./json-calls.js";
import { readClassicLines } from "./react-lines.js";
import { type Action, broken, calling, cutProblem, isWithin } from "./read-action.js";
import { isInputAt, type PlacedCall, taggedCalls } from "./tagged-calls.js";
import { isNothingElse, splitThoughts, unquoted } from "./text.js";

/**
 * Reads tool calls written as text: JSON, tags, or the classic lines. Only calls of existing tools count, or a text
 * that is only a call; `isAlone` says which, since a call among words may be an example. A broken call is `neither`;
 * `undefined` for an answer. Never throws.
 */
export function readTextCalls(
  reply: string,
  tools: readonly ToolForm[],
  isCut: boolean,
): Action | undefined {
  const { thoughts: thought, rest: written } = splitThoughts(reply);
  const text = unquoted(written);
  const rest = beforeAnswer(text);
  const { found, problem = cutProblem(found, rest, isCut) } = findJson(rest);
  const whole = found.filter(({ missing, place, start }) => {
    const isArgument = place === "element" && mentionsCall(rest.slice(0, start), tools);
    const isPart = place === "member" || isArgument || isInputAt(rest, start, tools);
    return !(missing > 0 && isCut) && !isPart;
  });
  const calls = [
    () => callsIn(whole, rest, tools),
    () => taggedCalls(rest, tools, isCut),
    () => classicCall(rest, tools, isCut, found),
  ].reduce<readonly PlacedCall[]>((known, read) => (known.length > 0 ? known : read()), []);
  if (calls.length > 0) {
    const isAlone = rest.length === text.length && isNothingElse(rest, calls);
    return calling(calls, thought, tools, { isOwn: false, isAlone });
  }
  if (problem !== undefined && mentionsCall(rest, tools)) {
    return broken(`your tool call could not be read: ${problem}`);
  }
  const isDefinition = whole.some(
    ({ value }) => isRecord(value) && isToolSchema(value["parameters"]),
  );
  return isDefinition && isNothingElse(rest, whole)
    ? broken("you repeated the definition of a tool instead of calling it")
    : undefined;
}

/** A text up to its final answer: text in the answer is not a call. */
function beforeAnswer(text: string): string {
  const lines = readClassicLines(text);
  const isAnswer = lines?.kind === "answer" && !isWithin(lines.at, findJson(text).found, text);
  return isAnswer ? text.slice(0, lines.at) : text;
}

function callsIn(found: readonly FoundJson[], text: string, tools: readonly ToolForm[]) {
  const raw = found.flatMap((each) =>
    callsFound(each, tools)
      .filter(({ isWhole }) => isWhole)
      .map((call) => ({ ...call, start: each.start, end: each.end })),
  );
  const meant = raw.filter(({ name }) => toolNamed(name, tools) !== undefined);
  if (meant.length > 0) return meant;
  return isNothingElse(text, found) ? raw.filter(({ input }) => input !== undefined) : [];
}

function classicCall(
  text: string,
  tools: readonly ToolForm[],
  isCut: boolean,
  found: readonly FoundJson[],
): PlacedCall[] {
  const lines = readClassicLines(text);
  if (isWithin(lines?.at, found, text)) return [];
  if (lines?.kind !== "call" || toolNamed(lines.name, tools) === undefined) return [];
  if (isCut && lines.isOpen) return [];
  return [lines];
}

/** Whether a text holds the beginning of a call of an existing tool. */
function mentionsCall(text: string, tools: readonly ToolForm[]): boolean {
  const names = [
    ...text.matchAll(/["'“]?(?:name|action|tool|function)["'”]?\s*[:：=]\s*["'“]?([\w.-]+)/gi),
  ];
  return names.some(([, name = ""]) => toolNamed(name, tools) !== undefined);
}
