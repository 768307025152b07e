import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  isToolMessage,
  ToolMessage,
} from "@langchain/core/messages";

import { changeInFence, insideFence } from "../prompts/fence.js";
import { withoutImages } from "../prompts/image-text.js";
import { mediaKind } from "./provider/media.js";
import { messageLike } from "./message.js";
import { messageTokens } from "./usage.js";

/** What stands in for a result that never came. */
const noResult = "This call was interrupted; its result is not known.";

/**
 * Makes a history whole, as model servers demand it: behind each message with tool calls stand the
 * results of just these calls, in call order. A call without a result gets an error result, a result
 * without a call is left out, and so are the client's own copy of calls that could not be read and a
 * front end's word for results that never came. Idempotent; a whole history comes back as the same list.
 */
export function wholeHistory(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  if (isWhole(messages)) return messages;
  const results = resultsByCaller(messages);
  return messages.flatMap((message) => {
    if (isToolMessage(message)) return [];
    if (hasRawCalls(message)) return withoutRawCalls(message);
    const own = results.get(message);
    return [message, ...callIds(message).map((id) => own?.get(id) ?? missingResult(id))];
  });
}

type ResultsById = Map<string, ToolMessage>;

/** The results of each message's calls. An id may come again: a result belongs to the latest call before it. */
function resultsByCaller(messages: readonly BaseMessage[]): Map<BaseMessage, ResultsById> {
  const byCaller = new Map<BaseMessage, ResultsById>();
  const latest = new Map<string, ResultsById>();
  const early: ResultsById = new Map();
  for (const message of messages) {
    if (isToolMessage(message)) {
      const { tool_call_id: id } = message;
      if (!isMadeUp(message)) (latest.get(id) ?? early).set(id, message);
      continue;
    }
    const own: ResultsById = new Map();
    byCaller.set(message, own);
    for (const id of callIds(message)) {
      const result = early.get(id);
      if (result !== undefined) own.set(id, result);
      early.delete(id);
      latest.set(id, own);
    }
  }
  return byCaller;
}

/**
 * What agent-chat-ui adds for calls without a result when the user writes on, such as a call that waits
 * for approval: it says that the call was handled, and nobody has run it.
 */
function isMadeUp({ id }: ToolMessage): boolean {
  return id?.startsWith("do-not-render-") === true;
}

/** A message without readable calls whose client kept the calls as they came: it would send them again. */
function hasRawCalls(message: BaseMessage): message is AIMessage {
  if (!isAIMessage(message) || (message.tool_calls ?? []).length > 0) return false;
  const raw = message.additional_kwargs.tool_calls;
  return raw !== undefined && raw.length > 0;
}

function withoutRawCalls(message: AIMessage): AIMessage[] {
  if (message.text.trim() === "") return [];
  const { tool_calls: _calls, ...kwargs } = message.additional_kwargs;
  return [messageLike(message, { additional_kwargs: kwargs, invalid_tool_calls: [] })];
}

function isWhole(messages: readonly BaseMessage[]): boolean {
  let awaited: string[] = [];
  for (const message of messages) {
    if (isToolMessage(message)) {
      if (awaited.shift() !== message.tool_call_id || isMadeUp(message)) return false;
    } else {
      if (awaited.length > 0 || hasRawCalls(message)) return false;
      awaited = callIds(message);
    }
  }
  return awaited.length === 0;
}

function callIds(message: BaseMessage): string[] {
  if (!isAIMessage(message)) return [];
  return (message.tool_calls ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
}

function missingResult(id: string): ToolMessage {
  return new ToolMessage({
    content: noResult,
    tool_call_id: id,
    status: "error",
  });
}

/** Lengths, in characters, that old tool results are shortened to, step by step; images of the last turn go at last. */
const steps = [
  { chars: 2_000, keepsLastImages: true },
  { chars: 500, keepsLastImages: true },
  { chars: 120, keepsLastImages: true },
  { chars: 120, keepsLastImages: false },
];

/** A note in place of a result's middle, and of its images. */
const gap = " … [shortened to fit the model's context] … ";
const leftOut = "(left out to fit the model's context)";

/**
 * Fits a history to `maxTokens` (estimated): the oldest tool results are shortened first, the latest
 * last; then the oldest messages are left out, a call always together with its results, an answer
 * with its question. System messages, the last human message and the last message (with its call) are
 * kept. The same list comes back when it fits.
 */
export function fitHistory(
  messages: readonly BaseMessage[],
  maxTokens: number,
): readonly BaseMessage[] {
  const sizes = messages.map(messageTokens);
  let excess = sum(sizes) - maxTokens;
  if (excess <= 0) return messages;
  const fitted = [...messages];
  const lastTurn = messages.findLastIndex(isAIMessage);
  for (const { chars, keepsLastImages } of steps) {
    for (const [at, message] of fitted.entries()) {
      if (excess <= 0) return fitted;
      const short = shortened(message, chars, keepsLastImages && at > lastTurn);
      if (short === message) continue;
      const size = messageTokens(short);
      excess -= (sizes[at] ?? 0) - size;
      sizes[at] = size;
      fitted[at] = short;
    }
  }
  return excess <= 0 ? fitted : withoutOldest(fitted, sizes, excess);
}

function shortened(message: BaseMessage, chars: number, keepsImages: boolean): BaseMessage {
  if (!isToolMessage(message)) return message;
  const whole = textOf(message);
  if (whole === undefined) return message;
  const images = imagesOf(message);
  const left = keepsImages ? images : [];
  const short = shortText(whole, chars);
  if (short === whole && left.length === images.length) return message;
  const text = left.length === images.length ? short : withoutImages(short, leftOut);
  return new ToolMessage({
    ...message.lc_kwargs,
    content: left.length === 0 ? text : [{ type: "text", text }, ...left],
    tool_call_id: message.tool_call_id,
  });
}

function shortText(whole: string, chars: number): string {
  if (insideFence(whole).text.length <= chars + gap.length) return whole;
  const head = Math.ceil(chars * 0.7);
  return changeInFence(whole, (text) => `${start(text, head)}${gap}${end(text, chars - head)}`);
}

/** The images of a result. */
function imagesOf({ content }: ToolMessage) {
  return typeof content === "string" ? [] : content.filter((block) => mediaKind(block) === "image");
}

/** The text of a result that consists of nothing but text and images. */
function textOf({ content, text }: ToolMessage): string | undefined {
  if (typeof content === "string") return content;
  const isRead = content.every((block) => block.type === "text" || mediaKind(block) === "image");
  return isRead ? text : undefined;
}

/** The first characters; a pair of surrogates is not parted. */
function start(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** The last characters; a pair of surrogates is not parted. */
function end(text: string, chars: number): string {
  return text.slice(-chars).replace(/^[\udc00-\udfff]/, "");
}

/** Leaves out whole units, oldest first: a question, an answer, or a call with all its results. */
function withoutOldest(
  messages: readonly BaseMessage[],
  sizes: readonly number[],
  excess: number,
): BaseMessage[] {
  const lastQuestion = messages.findLastIndex((message) => message.type === "human");
  const dropped = new Set<number>();
  let left = excess;
  for (const unit of unitsOf(messages)) {
    if (left <= 0 && !isAnswerBefore(lastQuestion, unit, messages)) break;
    const isKept = unit.some((at) => at === lastQuestion || messages[at]?.type === "system");
    if (isKept || unit.includes(messages.length - 1)) continue;
    for (const at of unit) {
      dropped.add(at);
      left -= sizes[at] ?? 0;
    }
  }
  return messages.filter((_, at) => !dropped.has(at));
}

/** Whether this is the answer, or a step towards it, of a question before the last one. */
function isAnswerBefore(
  lastQuestion: number,
  [head = 0]: readonly number[],
  messages: readonly BaseMessage[],
): boolean {
  return head < lastQuestion && messages[head]?.type !== "human";
}

/** Positions of messages that belong together. */
function unitsOf(messages: readonly BaseMessage[]): number[][] {
  const units: number[][] = [];
  for (const [at, message] of messages.entries()) {
    const unit = units.at(-1);
    const head = unit?.[0] === undefined ? undefined : messages[unit[0]];
    if (unit !== undefined && isToolMessage(message) && head !== undefined && isAIMessage(head)) {
      unit.push(at);
    } else {
      units.push([at]);
    }
  }
  return units;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
